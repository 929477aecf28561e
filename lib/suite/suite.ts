import type { ParamLists, ParamValues, Suite, SuiteDefinition } from './types.js';

/**
 * Declares a suite. Export it (or an array of suites) as the default of a `*.bench.ts` file.
 *
 * Nothing is checked here, so that a fork loads in milliseconds: `tscope run` describes the file first and reports
 * every mistake with file, suite, benchmark and field.
 *
 * @param name Name in results, unique within the file.
 * @param definition Params, fixtures, options and benchmarks; see {@link SuiteDefinition}.
 */
export function suite<
  const P extends ParamLists = Record<never, never>,
  Sh = undefined,
  S = ParamValues<P>,
  I = undefined,
  C extends string = never,
>(name: string, definition: SuiteDefinition<P, Sh, S, I, C>): Suite {
  return { kind: 'suite', name, definition };
}
