import type { Params, ParamValue } from '../result/model.js';
import { show } from './show.js';
import type { ParamLists } from './types.js';
import { SuiteError } from './validate.js';

/**
 * Replaces the values of params with those asked for on the command line.
 *
 * A text stands for the declared value that prints like it, so types are kept. Where the declared values are numbers any
 * finite number may be asked for; strings, booleans and null must be among the declared ones (as JMH does for enums), since
 * a mistyped word would otherwise be measured.
 *
 * @throws SuiteError naming param and value.
 */
export function overrideParams(
  declared: ParamLists,
  overrides: Readonly<Record<string, readonly string[]>>,
  where: string,
): Record<string, readonly ParamValue[]> {
  const lists: Record<string, readonly ParamValue[]> = { ...declared };
  for (const [name, texts] of Object.entries(overrides)) {
    if (!Object.hasOwn(declared, name)) continue;
    const values = declared[name]!;
    const chosen = texts.map((text) => {
      const same = values.find((value) => String(value) === text);
      if (same !== undefined) return same;
      const number = text.trim() === '' ? Number.NaN : Number(text.replaceAll('_', ''));
      if (values.some((value) => typeof value === 'number') && Number.isFinite(number)) return number;
      throw new SuiteError(
        `${where}, param "${name}": there is no value ${show(text)}; declared: ${values.map(show).join(', ')}.`,
      );
    });
    lists[name] = [...new Set(chosen)];
  }
  return lists;
}

/** Combinations of params of one suite at most: more would not fit into memory, nor into a year of measuring. */
export const MAX_COMBINATIONS = 100_000;

/**
 * The cross product in declared order (the last param turns fastest), thinned by `where`.
 *
 * @throws SuiteError when `where` throws or leaves nothing, or when there are more than {@link MAX_COMBINATIONS}.
 */
export function combine(lists: ParamLists, where: ((params: Params) => unknown) | undefined, at: string): Params[] {
  const size = Object.values(lists).reduce((count, values) => count * values.length, 1);
  if (size > MAX_COMBINATIONS) {
    const factors = Object.values(lists).map((values) => values.length);
    throw new SuiteError(
      `${at}, field "params": ${factors.join(' x ')} = ${size} combinations are more than ${MAX_COMBINATIONS}; list fewer values, or split the suite.`,
    );
  }
  let product: Record<string, ParamValue>[] = [{}];
  for (const [name, values] of Object.entries(lists)) {
    product = product.flatMap((left) => values.map((value) => ({ ...left, [name]: value })));
  }
  if (!where) return product;
  const kept = product.filter((params) => {
    let keeps: unknown;
    try {
      keeps = where(params);
    } catch (error) {
      throw new SuiteError(
        `${at}, field "where": threw for ${show(params)}: ${error instanceof Error ? error.message : show(error)}`,
      );
    }
    // A promise is true whatever it resolves to.
    if (typeof (keeps as { then?: unknown } | null | undefined)?.then !== 'function') return keeps;
    throw new SuiteError(`${at}, field "where": returned a promise for ${show(params)}; it must return true or false.`);
  });
  if (kept.length === 0)
    throw new SuiteError(`${at}, field "where": keeps none of the ${product.length} combinations of params.`);
  return kept;
}
