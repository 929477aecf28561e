import { isConstant } from './moments.js';
import { ljungBox } from './serial.js';
import type { Series } from './series.js';
import { assertSeries, assertWithin, meanOf, squaresOf } from './series.js';
import { tQuantile } from './special.js';
import type { MannKendall } from './trend.js';
import { mannKendall } from './trend.js';

/** Blocks needed for a backlog trend. */
export const MIN_BLOCKS = 20;
/** Share of the offered rate that may be lost per second and still count as none. */
export const BACKLOG_EPSILON = 0.005;

/** Least-squares line: slope, its standard error and degrees of freedom. */
export interface LinearTrend {
  readonly slope: number;
  readonly intercept: number;
  /** Standard error of the slope. */
  readonly se: number;
  readonly df: number;
  readonly residuals: readonly number[];
}

/** Least-squares line through (x, y). Null for fewer than 3 points or a constant x. @throws RangeError for unequal lengths */
export function linearTrend(x: Series, y: Series): LinearTrend | null {
  assertSeries(x, 'x');
  assertSeries(y, 'y');
  if (x.length !== y.length) throw new RangeError('x and y must be of one length');
  const n = x.length;
  if (n < 3 || isConstant(x)) return null;
  const [mx, my] = [meanOf(x), meanOf(y)];
  const sxx = squaresOf(x, 0, n, mx);
  let sxy = 0;
  for (let i = 0; i < n; i++) sxy += (x[i]! - mx) * (y[i]! - my);
  const slope = sxy / sxx;
  const residuals = Array.from({ length: n }, (_, i) => y[i]! - my - slope * (x[i]! - mx));
  const df = n - 2;
  const se = Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / df / sxx);
  return { slope, intercept: my - slope * mx, se, df, residuals };
}

/** Backlog per block of time and what is known about the run. */
export interface BacklogInput {
  /** Middle of each block, s. */
  readonly times: Series;
  /** Mean backlog (offered - completed, shed work included) of each block. */
  readonly backlog: Series;
  /** Offered rate, per second. */
  readonly rate: number;
  /** Largest share of the rate that may pile up, default 0.005. */
  readonly epsilon?: number;
}

/** Whether the backlog grows, or why that cannot be told. */
export type BacklogTrend =
  | {
      readonly status: 'ok';
      /** Growth of the backlog per second, its standard error and one-sided 95 % bounds. */
      readonly slope: number;
      readonly se: number;
      readonly df: number;
      readonly lower: number;
      readonly upper: number;
      /** Slope over offered rate: the share of the work that is not keeping up. */
      readonly deficit: number;
      /** `undecided`: the bounds straddle epsilon, run twice as long. */
      readonly verdict: 'sustainable' | 'unsustainable' | 'undecided';
      /** Second vote: sees growth below epsilon; to be reported, not to fail. */
      readonly mannKendall: MannKendall;
      /** Residuals are dependent (Ljung-Box p < 0.05): widen the blocks. */
      readonly widenBlocks: boolean;
    }
  | { readonly status: 'too-few-blocks'; readonly blocks: number; readonly needed: number };

/**
 * Does a backlog grow at an offered rate? Least-squares slope over at least 20 blocks: lower bound of the deficit above
 * epsilon `unsustainable`, upper bound below it `sustainable`. Warm-up must be cut off before.
 * @throws RangeError for unequal lengths, a rate that is not positive, and times that do not ascend
 */
export function backlogTrend({ times, backlog, rate, epsilon = BACKLOG_EPSILON }: BacklogInput): BacklogTrend {
  assertSeries(times, 'times');
  assertSeries(backlog, 'backlog');
  assertWithin(rate, Number.MIN_VALUE, Number.POSITIVE_INFINITY, 'rate');
  assertWithin(epsilon, 0, 1, 'epsilon');
  if (times.length !== backlog.length) throw new RangeError('times and backlog must be of one length');
  for (let i = 1; i < times.length; i++) {
    if (!(times[i]! > times[i - 1]!)) throw new RangeError(`times must ascend, times[${i}] does not`);
  }
  if (times.length < MIN_BLOCKS) return { status: 'too-few-blocks', blocks: times.length, needed: MIN_BLOCKS };
  const line = linearTrend(times, backlog)!;
  const half = tQuantile(0.95, line.df) * line.se;
  const [lower, upper] = [line.slope - half, line.slope + half];
  const verdict = lower / rate > epsilon ? 'unsustainable' : upper / rate < epsilon ? 'sustainable' : 'undecided';
  const independence = ljungBox(line.residuals, Math.min(10, Math.floor(times.length / 5)));
  return {
    status: 'ok',
    slope: line.slope,
    se: line.se,
    df: line.df,
    lower,
    upper,
    deficit: line.slope / rate,
    verdict,
    mannKendall: mannKendall(backlog),
    widenBlocks: independence.status === 'ok' && independence.p < 0.05,
  };
}

/** A rate that was tried and how it ended. */
export interface RateOutcome {
  readonly rate: number;
  readonly verdict: 'sustainable' | 'unsustainable';
}

/** The rate to try next, or the answer of the search. */
export type NextRate =
  | { readonly status: 'try'; readonly rate: number; readonly phase: 'growing' | 'bisecting' }
  | { readonly status: 'done'; readonly sustainable: number; readonly unsustainable: number }
  /** Even the lowest rate tried is not sustainable and lies below `minRate`. */
  | { readonly status: 'none'; readonly unsustainable: number };

/** Bounds and precision of a search for the highest sustainable rate. */
export interface RateSearch {
  /** First rate to try. */
  readonly start: number;
  /** Factor up while sustainable (and down while nothing is), default 2. */
  readonly growth?: number;
  /** Stop when the bracket is this narrow relative to its lower end, default 0.02. */
  readonly resolution?: number;
  /** Give up below this rate, default start / 1024. */
  readonly minRate?: number;
}

/**
 * The next rate of a search for the highest sustainable one: geometric up until one is unsustainable, then bisection to
 * `resolution`. Pure: outcomes so far in, next rate out. With contradicting outcomes the lowest unsustainable rate counts.
 * @throws RangeError for a start that is not above 0, a growth not above 1 and a resolution outside 1e-6 to 1
 */
export function nextRate(outcomes: readonly RateOutcome[], search: RateSearch): NextRate {
  const { start, growth = 2, resolution = 0.02, minRate = start / 1024 } = search;
  assertWithin(start, Number.MIN_VALUE, Number.POSITIVE_INFINITY, 'start');
  if (!(growth > 1 && Number.isFinite(growth))) throw new RangeError(`growth must be above 1, got ${growth}`);
  assertWithin(resolution, 1e-6, 1, 'resolution');
  const failed = outcomes.filter((o) => o.verdict === 'unsustainable').map((o) => o.rate);
  const high = failed.length > 0 ? Math.min(...failed) : null;
  const held = outcomes.filter((o) => o.verdict === 'sustainable' && (high === null || o.rate < high));
  const low = held.length > 0 ? Math.max(...held.map((o) => o.rate)) : null;
  if (low === null && high === null) return { status: 'try', rate: start, phase: 'growing' };
  if (high === null) return { status: 'try', rate: low! * growth, phase: 'growing' };
  if (low === null) {
    const rate = high / growth;
    return rate < minRate ? { status: 'none', unsustainable: high } : { status: 'try', rate, phase: 'growing' };
  }
  // Not the quotient: 102 / 100 - 1 is a little more than 0.02, which would cost another run.
  if (high - low <= resolution * low) return { status: 'done', sustainable: low, unsustainable: high };
  return { status: 'try', rate: (low + high) / 2, phase: 'bisecting' };
}
