/** Highest number of CPUs a Linux kernel can be built for; a number from here on is a mistake, not a missing CPU. */
export const MAX_CPUS = 8192;

/**
 * `value` if it is a number in [min, max]. `name` and `what` word the error: `<name> must be <what>, from .. to .., not ..`.
 * @throws TypeError when it is no number; RangeError when it is outside (or not whole, with `whole`).
 */
export function within(name: string, value: number, min: number, max: number, what: string, whole = false): number {
  if (typeof value !== 'number') throw new TypeError(`${name} must be ${what}, not a ${typeof value}`);
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    throw new RangeError(
      `${name} must be ${what}, ${whole ? 'a whole number ' : ''}from ${min} to ${max}, not ${value}`,
    );
  }
  return value;
}

/** @throws TypeError when `value` is neither true nor false. */
export function checkFlag(name: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, not ${value}`);
  return value;
}
