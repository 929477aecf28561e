import { isConstant } from './moments.js';
import { mulberry32, shuffle } from './prng.js';
import { correlations } from './serial.js';
import { INDEPENDENCE_ALPHA, MIN_TAIL } from './serial-state.js';
import type { Series } from './series.js';
import { assertCount, assertSeries } from './series.js';
import { normalCdf } from './special.js';
import { mannKendall, senSlope, TREND_ALPHA } from './trend.js';

/** Common trend of several short series, or why it cannot be told. */
export type PooledTrend =
  | {
      readonly status: 'ok';
      readonly s: number;
      readonly variance: number;
      readonly z: number;
      readonly p: number;
      /** Median over groups of Sen's slope, per value. */
      readonly slope: number;
    }
  | { readonly status: 'constant' | 'too-short' };

/**
 * Trend common to independent groups of values in time order: Mann-Kendall's S and variance summed over the groups (Hirsch,
 * Slack & Smith 1982). Ten groups of five values see a trend that no group of five could. Groups of fewer than 3 values and
 * constant groups add nothing.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function pooledTrend(groups: readonly Series[]): PooledTrend {
  let [s, variance, long] = [0, 0, 0];
  const slopes: number[] = [];
  for (const group of groups) {
    const test = mannKendall(group);
    if (test.status === 'too-short') continue;
    long++;
    slopes.push(senSlope(group)!);
    if (test.status !== 'ok') continue;
    s += test.s;
    variance += test.variance;
  }
  if (long === 0) return { status: 'too-short' };
  if (variance === 0) return { status: 'constant' };
  const z = s === 0 ? 0 : (s - Math.sign(s)) / Math.sqrt(variance);
  slopes.sort((a, b) => a - b);
  const slope = (slopes[(slopes.length - 1) >> 1]! + slopes[slopes.length >> 1]!) / 2;
  return { status: 'ok', s, variance, z, p: 2 * normalCdf(-Math.abs(z)), slope };
}

/** State of several short series judged together. */
export interface PooledState {
  readonly state: 'independent' | 'initialised-dependent' | 'trending' | 'too-short';
  /** Values in all groups. */
  readonly n: number;
  readonly trend: PooledTrend;
  /** Share of shuffled copies with a largest |r_k| of at least the observed; null when not tested. */
  readonly shuffleP: number | null;
}

/**
 * State of several short series that are each past their start-up: `serialState` for groups too short to be judged alone. Needs 30
 * values in all and 4 in a group that counts. Autocorrelations are taken inside the groups, less what they would be for a
 * shuffled group, -(n - k) / (n (n - 1)), averaged with the lengths as weights, and compared with shuffles inside the groups.
 * @throws RangeError for fewer than 499 shuffles
 */
export function pooledState(
  groups: readonly Series[],
  { shuffles = 499, seed = 1 }: { shuffles?: number; seed?: number } = {},
): PooledState {
  assertCount(shuffles, 499, 'shuffles');
  groups.forEach((group, i) => {
    assertSeries(group, `groups[${i}]`);
  });
  const usable = groups.filter((group) => group.length >= 4);
  const n = usable.reduce((sum, group) => sum + group.length, 0);
  const trend = pooledTrend(usable);
  if (n < MIN_TAIL) return { state: 'too-short', n, trend, shuffleP: null };
  if (trend.status === 'ok' && trend.p < TREND_ALPHA) return { state: 'trending', n, trend, shuffleP: null };
  // In an order of their own, so that the shuffles, and with them p, do not depend on the order the groups came in.
  const varying = usable.filter((group) => !isConstant(group)).sort(byContent);
  if (varying.length === 0) return { state: 'independent', n, trend, shuffleP: null };
  const shortest = Math.min(...varying.map((group) => group.length));
  const lags = Math.max(1, Math.min(10, Math.floor(shortest / 5)));
  const bar = largestCorrelation(varying, lags) * (1 - 1e-12);
  const random = mulberry32(seed);
  let reached = 0;
  for (let r = 0; r < shuffles; r++) {
    const copy = varying.map((group) => shuffle(Array.from(group), random));
    if (largestCorrelation(copy, lags) >= bar) reached++;
  }
  const shuffleP = (reached + 1) / (shuffles + 1);
  return { state: shuffleP > INDEPENDENCE_ALPHA ? 'independent' : 'initialised-dependent', n, trend, shuffleP };
}

function byContent(a: Series, b: Series): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

function largestCorrelation(groups: readonly Series[], lags: number): number {
  const sums = new Float64Array(lags);
  let total = 0;
  for (const group of groups) {
    const n = group.length;
    total += n;
    correlations(group, lags).forEach((r, i) => {
      sums[i]! += n * (r + (n - i - 1) / (n * (n - 1)));
    });
  }
  return Math.max(...sums.map((sum) => Math.abs(sum / total)));
}
