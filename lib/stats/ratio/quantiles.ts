import { checkConfidence, checkGroups } from '../check.js';
import { meanInterval } from '../mean-interval.js';
import { checkProbability, DEFAULT_QUANTILE, type QuantileType, quantile } from '../quantile.js';
import { allPositive, logs, welchOnLogs } from './means.js';
import { type Ratio, type RatioOptions, resolve } from './types.js';

/** Which quantile, of which type, at which level. */
export interface QuantileOptions {
  /** Interpolation type, default 7. */
  readonly type?: QuantileType;
  /** Level of the interval, default 0.95. */
  readonly confidence?: number;
}

/** A quantile per group, averaged, with its interval over groups. */
export type GroupQuantileInterval = {
  readonly n: number;
  readonly type: QuantileType;
  readonly confidence: number;
} & (
  | { readonly status: 'ok' | 'constant'; readonly value: number; readonly low: number; readonly high: number }
  | { readonly status: 'too-few'; readonly value: number; readonly low: null; readonly high: null }
  | { readonly status: 'not-positive'; readonly value: null; readonly low: null; readonly high: null }
);

/**
 * The p quantile of each group, in order.
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one, values that are not finite, a p outside
 * [0, 1] and a type outside 1 to 9
 */
export function groupQuantiles(
  groups: ArrayLike<ArrayLike<number>>,
  p: number,
  type: QuantileType = DEFAULT_QUANTILE,
): number[] {
  checkGroups('groupQuantiles', groups);
  return Array.from(groups, (group) => quantile(group, p, type));
}

/**
 * Quantile with an interval between groups: the p quantile of each group, then a t interval on the logarithms; the value is their geometric
 * mean. n counts groups, so dependence inside a group does no harm.
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one, values that are not finite, a p outside
 * [0, 1], a level outside (0, 1) and a type outside 1 to 9
 */
export function groupQuantileInterval(
  groups: ArrayLike<ArrayLike<number>>,
  p: number,
  options: QuantileOptions = {},
): GroupQuantileInterval {
  const { type = DEFAULT_QUANTILE, confidence = 0.95 } = options;
  checkProbability(p);
  checkConfidence(confidence);
  const each = groupQuantiles(groups, p, type);
  const common = { n: each.length, type, confidence };
  if (!allPositive(each)) return { status: 'not-positive', value: null, low: null, high: null, ...common };
  const onLogs = meanInterval(logs(each), confidence);
  const value = onLogs.status === 'constant' ? each[0]! : Math.exp(onLogs.mean);
  if (onLogs.status === 'too-few') return { status: 'too-few', value, low: null, high: null, ...common };
  if (onLogs.status === 'constant') return { status: 'constant', value, low: value, high: value, ...common };
  return { status: 'ok', value, low: Math.exp(onLogs.low), high: Math.exp(onLogs.high), ...common };
}

/**
 * Ratio of the p quantiles of two sides: Welch's t interval on the logarithms of the groups' quantiles.
 * @throws TypeError for what is no array of arrays of numbers and an unknown `better`; RangeError for an empty one, values that are not
 * finite, a p outside [0, 1], a level outside (0, 1) and a type outside 1 to 9
 */
export function ratioQuantiles(
  candidate: ArrayLike<ArrayLike<number>>,
  baseline: ArrayLike<ArrayLike<number>>,
  p: number,
  options: RatioOptions & { readonly type?: QuantileType } = {},
): Ratio {
  const { type = DEFAULT_QUANTILE } = options;
  return welchOnLogs(
    resolve('quantile', options),
    groupQuantiles(candidate, p, type),
    groupQuantiles(baseline, p, type),
  );
}

/** One row of a shift function: the probability and the ratio of the quantiles there. */
export type QuantileShift = Ratio & { readonly p: number };

/** The quantiles a shift function shows unless told otherwise. */
export const SHIFT_QUANTILES: readonly number[] = [0.5, 0.9, 0.99, 0.999];

/**
 * Shift function: `ratioQuantiles` at several probabilities, because a change of a distribution is not one number. The intervals hold one by
 * one, not together.
 * @throws RangeError for no probabilities; TypeError, RangeError as {@link ratioQuantiles}
 */
export function shiftFunction(
  candidate: ArrayLike<ArrayLike<number>>,
  baseline: ArrayLike<ArrayLike<number>>,
  probabilities: readonly number[] = SHIFT_QUANTILES,
  options: RatioOptions & { readonly type?: QuantileType } = {},
): QuantileShift[] {
  if (probabilities.length === 0) throw new RangeError('shiftFunction: no probabilities');
  return probabilities.map((p) => ({ ...ratioQuantiles(candidate, baseline, p, options), p }));
}
