/** Options of any kind, read one by one from what a layer says. */

/** What was read, or the end of a sentence about what is wrong. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

/** Reads one value. */
export type Reader<T> = (value: unknown) => Read<T>;

/** For each field that users write: where its value is kept, and how it is read. */
export type FieldReaders<Written extends string, Kept> = {
  readonly [K in Written]: readonly [kept: keyof Kept, reader: Reader<unknown>];
};

/**
 * Reads the fields that are present. Others are passed over; the caller decides whether they are allowed.
 *
 * @returns The values, or the first field that is wrong and the end of a sentence about it.
 */
export function readFields<Written extends string, Kept>(
  readers: FieldReaders<Written, Kept>,
  source: Readonly<Record<string, unknown>>,
): { readonly options: Kept } | { readonly field: Written; readonly problem: string } {
  const options: Partial<Record<keyof Kept, unknown>> = {};
  for (const field of Object.keys(readers) as Written[]) {
    const value = source[field];
    if (value === undefined) continue;
    const [kept, reader] = readers[field];
    const read = reader(value);
    if ('problem' in read) return { field, problem: read.problem };
    options[kept] = read.value;
  }
  return { options: options as Kept };
}
