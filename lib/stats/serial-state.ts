import { isConstant } from './moments.js';
import { mulberry32, shuffle } from './prng.js';
import { autocorrelation, correlations, ljungBox } from './serial.js';
import type { Series } from './series.js';
import { assertCount, assertSeries } from './series.js';
import { mannKendall, TREND_ALPHA } from './trend.js';

/** Values needed after the steady start before a state is given. */
export const MIN_TAIL = 30;
/** Level of the independence tests. */
export const INDEPENDENCE_ALPHA = 0.05;

/**
 * `independent`: settled, and its values look like those of a shuffled copy; `initialised-dependent`: settled, values depend on
 * each other, so the mean is one observation and the inner variance is not to be trusted; `trending`: still drifting,
 * even if its levels are equivalent; `not-initialised`: no steady run; `too-short`: fewer than 30 values after the steady start.
 */
export type SerialStateName = 'independent' | 'initialised-dependent' | 'trending' | 'not-initialised' | 'too-short';

/** State of one series, with the tests behind it. */
export interface SerialState {
  readonly state: SerialStateName;
  /** Start of the tail that was judged, and its length. */
  readonly steadyStart: number | null;
  readonly tail: number;
  /** Highest lag looked at: min(10, floor(tail / 5)). */
  readonly lags: number | null;
  /** Two-sided p of the tests that were made; null = not made (too short, or a constant tail, which is independent). */
  readonly trendP: number | null;
  readonly ljungBoxQ: number | null;
  readonly ljungBoxP: number | null;
  /** Share of shuffled copies, (k + 1) / (R + 1), whose largest |r_k| is at least the observed. */
  readonly shuffleP: number | null;
}

/** Levels and tolerance of a serial state. */
export interface SerialStateOptions {
  /** Shuffled copies, at least 499 (default). */
  readonly shuffles?: number;
  /** Seed of the shuffles, default 1. */
  readonly seed?: number;
}

/**
 * State of one series from its steady start on (Kalibera & Jones 2013, with their picture of shuffled copies made numeric):
 * Mann-Kendall p < 0.01 is `trending`; Ljung-Box and the shuffle test both above 0.05 is `independent`.
 * @param steadyStart from `classifySegments`; null = none
 * @throws RangeError for a start outside the series and fewer than 499 shuffles
 */
export function serialState(
  values: Series,
  steadyStart: number | null,
  { shuffles = 499, seed = 1 }: SerialStateOptions = {},
): SerialState {
  assertSeries(values);
  assertCount(shuffles, 499, 'shuffles');
  const untested = { lags: null, trendP: null, ljungBoxQ: null, ljungBoxP: null, shuffleP: null };
  if (steadyStart === null) return { state: 'not-initialised', steadyStart, tail: 0, ...untested };
  assertCount(steadyStart, 0, 'steadyStart');
  if (steadyStart > values.length) {
    throw new RangeError(`steadyStart must be at most ${values.length}, the length of the series, got ${steadyStart}`);
  }
  const tail = Float64Array.from(values).subarray(steadyStart);
  const of = { steadyStart, tail: tail.length };
  if (tail.length < MIN_TAIL) return { state: 'too-short', ...of, ...untested };
  if (isConstant(tail)) return { state: 'independent', ...of, ...untested };
  const trend = mannKendall(tail);
  const trendP = trend.status === 'ok' ? trend.p : null;
  const lags = Math.min(10, Math.floor(tail.length / 5));
  const test = ljungBox(tail, lags);
  const shuffleP = shuffleTest(tail, lags, shuffles, seed);
  const [q, p] = test.status === 'ok' ? [test.q, test.p] : [null, null];
  const state =
    trendP !== null && trendP < TREND_ALPHA
      ? 'trending'
      : p !== null && p > INDEPENDENCE_ALPHA && shuffleP > INDEPENDENCE_ALPHA
        ? 'independent'
        : 'initialised-dependent';
  return { state, ...of, lags, trendP, ljungBoxQ: q, ljungBoxP: p, shuffleP };
}

function shuffleTest(tail: Float64Array, lags: number, shuffles: number, seed: number): number {
  const largest = (values: Series) => Math.max(...correlations(values, lags).map(Math.abs));
  const observed = autocorrelation(tail, lags);
  if (observed.status !== 'ok') return 1;
  const bar = Math.max(...observed.values.map(Math.abs)) * (1 - 1e-12);
  const random = mulberry32(seed);
  let reached = 0;
  for (let r = 0; r < shuffles; r++) if (largest(shuffle(Array.from(tail), random)) >= bar) reached++;
  return (reached + 1) / (shuffles + 1);
}
