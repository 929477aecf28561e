import type { Expectation } from './expectation.js';
import type { RunSettings } from './types.js';

/**
 * A function to measure. Given as a function it must be self-contained, because forks rebuild it from its source text: what it needs
 * comes from `setup` or from an `await import()` inside `setup`. Given as module and export name it may use all of its module.
 */
export type Subject =
  // biome-ignore lint/suspicious/noExplicitAny: the state is whatever setup returns.
  | ((state: any) => unknown)
  | {
      /** Path (relative to `cwd`) or `file:` URL of a JavaScript or TypeScript module. */
      readonly module: string | URL;
      /** Default `default`. */
      readonly export?: string;
    };

/** Settings of {@link expectFaster}: those of a run, without the ones that select benchmarks. */
export interface ExpectFasterSettings
  extends Omit<RunSettings, 'params' | 'only' | 'exclude' | 'mode' | 'unit' | 'keep'> {
  /** Smallest effect that matters, as a share. Default 0.01. */
  readonly delta?: number;
  /** Level of the interval. Default 0.95. */
  readonly confidence?: number;
  /** Judge plain scores (default), or interference-aware ones: without the time of a recorded external cause. */
  readonly score?: 'plain' | 'aware';
  /** Makes what both functions get as their argument; once per fork, may be async. Self-contained, or module and export name. */
  readonly setup?: Subject;
  /** Keep the run below `.tscope/runs`. Default false. */
  readonly keep?: boolean;
}

/**
 * Is `candidate` faster than `baseline`? Both are measured in forks of their own, in turns; the verdict comes from the interval of the
 * ratio of their times. Meant for tests: it never throws because of the verdict.
 *
 * ```ts
 * const { faster, explanation } = await expectFaster(
 *   (list: number[]) => list.indexOf(999),
 *   (list: number[]) => list.findIndex((x) => x === 999),
 *   { setup: () => Array.from({ length: 1000 }, (_, i) => i), delta: 0.05 },
 * );
 * assert.ok(faster, explanation);
 * ```
 *
 * With the default of 10 forks a side it takes about 20 s.
 *
 * @throws Error when one of the two fails (throws, times out); TypeError and UsageError as {@link run}; RangeError for a delta or a
 *   confidence outside (0, 1), TypeError for an unknown score.
 */
export async function expectFaster(
  candidate: Subject,
  baseline: Subject,
  settings: ExpectFasterSettings = {},
): Promise<Expectation> {
  const { measureArms } = await import('./measure-arms.js');
  return measureArms(candidate, baseline, settings);
}
