import { checkConfidence } from '../check.js';
import { meanOf, sdOf } from '../moments.js';

/** Which direction of the metric is better: `lower` (time per op) or `higher` (ops per time). */
export type Better = 'lower' | 'higher';

/** Level and direction of a ratio. */
export interface RatioOptions {
  /** Level of the interval, default 0.95. */
  readonly confidence?: number;
  /**
   * The ratio is always a cost ratio, below 1 = candidate better: candidate / baseline for `lower` (default), baseline / candidate for `higher`.
   */
  readonly better?: Better;
}

/** Name of the method that made an interval. */
export type RatioMethod =
  | 'log-delta'
  | 'log-means'
  | 'fieller'
  | 'paired'
  | 'duet'
  | 'quantile'
  | 'bootstrap-percentile'
  | 'bootstrap-bca'
  | 'hodges-lehmann'
  | 'geometric-mean';

interface RatioBase {
  readonly method: RatioMethod;
  readonly confidence: number;
  readonly numerator: 'candidate' | 'baseline';
}

/** A ratio with limits. `constant`: no variation on either side, a zero-width interval. */
export interface RatioInterval extends RatioBase {
  readonly status: 'ok' | 'constant';
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Standard error of ln ratio, where the method has one. */
  readonly standardError: number | null;
  /** Degrees of freedom of the t quantile used, where the method has one (Infinity = normal). */
  readonly df: number | null;
}

/**
 * A ratio without limits. `too-few`: not enough independent units on a side; `not-positive`: a mean or value that must be above zero is
 * not; `unbounded`: the denominator is not distinguishable from zero, or the ratio or a limit is beyond the range of
 * numbers; `degenerate`: resampling gave nothing to rank.
 */
export interface NoRatioInterval extends RatioBase {
  readonly status: 'too-few' | 'not-positive' | 'unbounded' | 'degenerate';
  readonly ratio: number | null;
  readonly low: null;
  readonly high: null;
  readonly standardError: null;
  readonly df: null;
}

/** A cost ratio with its interval, or why there is none. */
export type Ratio = RatioInterval | NoRatioInterval;

export interface Resolved {
  readonly method: RatioMethod;
  readonly confidence: number;
  readonly numerator: 'candidate' | 'baseline';
}

export function resolve(method: RatioMethod, options: RatioOptions): Resolved {
  const { confidence = 0.95, better = 'lower' } = options;
  checkConfidence(confidence);
  if (better !== 'lower' && better !== 'higher')
    throw new TypeError(`better must be "lower" or "higher", got ${better}`);
  return { method, confidence, numerator: better === 'lower' ? 'candidate' : 'baseline' };
}

/** [numerator, denominator] of the cost ratio. */
export const orient = <T>({ numerator }: Resolved, candidate: T, baseline: T): [T, T] =>
  numerator === 'candidate' ? [candidate, baseline] : [baseline, candidate];

export const without = (
  resolved: Resolved,
  status: NoRatioInterval['status'],
  ratio: number | null,
): NoRatioInterval => ({ status, ratio, low: null, high: null, standardError: null, df: null, ...resolved });

/** Mean and its standard error of one side; 0 for a single value. */
export interface Side {
  readonly n: number;
  readonly mean: number;
  readonly standardError: number;
}

export function side(values: ArrayLike<number>): Side {
  const mean = meanOf(values);
  const n = values.length;
  return { n, mean, standardError: n < 2 ? 0 : sdOf(values, mean) / Math.sqrt(n) };
}
