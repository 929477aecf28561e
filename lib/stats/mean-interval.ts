import { checkConfidence, checkGroups, checkValues } from './check.js';
import { isConstant, meanOf, sdOf } from './moments.js';
import { tCdf, tFactor } from './special/student.js';

/** Fewer independent values than this get no interval: with two, t is 12.7 and its width says nothing. */
export const MIN_VALUES = 3;
/** From this many on an interval needs no warning of its own. */
export const FEW_VALUES = 5;

/** Mean with a Student t interval. `low`, `high` and `halfWidth` have the unit of the values. */
export type MeanInterval =
  | {
      readonly status: 'ok' | 'constant';
      readonly mean: number;
      readonly halfWidth: number;
      readonly low: number;
      readonly high: number;
      readonly n: number;
      readonly sd: number;
      readonly df: number;
      readonly confidence: number;
    }
  | {
      /** Fewer than `MIN_VALUES` values: a mean, but no interval. `sd` is null for a single value. */
      readonly status: 'too-few';
      readonly mean: number;
      readonly halfWidth: null;
      readonly low: null;
      readonly high: null;
      readonly n: number;
      readonly sd: number | null;
      readonly df: number;
      readonly confidence: number;
    };

/**
 * Mean of independent values with its two-sided Student t interval: mean +- t(1 - alpha/2, n - 1) sd / sqrt(n).
 * Equal values give status `constant` and a zero-width interval; fewer than three give `too-few`.
 * @param values one number per independent unit, all finite, not empty
 * @param confidence level of the interval, default 0.95
 * @throws RangeError for an empty array, a value that is not finite or a level outside (0, 1)
 */
export function meanInterval(values: ArrayLike<number>, confidence = 0.95): MeanInterval {
  checkValues('meanInterval', values);
  checkConfidence(confidence);
  const n = values.length;
  const constant = isConstant(values);
  const mean = meanOf(values);
  const sd = n < 2 ? null : sdOf(values, mean);
  const df = n - 1;
  if (n < MIN_VALUES || sd === null) {
    return { status: 'too-few', mean, halfWidth: null, low: null, high: null, n, sd, df, confidence };
  }
  const halfWidth = constant ? 0 : (tFactor(confidence, df) * sd) / Math.sqrt(n);
  const status = constant ? 'constant' : 'ok';
  return { status, mean, halfWidth, low: mean - halfWidth, high: mean + halfWidth, n, sd, df, confidence };
}

/**
 * Mean of each group, in order.
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one and values that are not finite
 */
export function groupMeans(groups: ArrayLike<ArrayLike<number>>): number[] {
  checkGroups('groupMeans', groups);
  return Array.from(groups, (group) => meanOf(group));
}

/**
 * `meanInterval` of the group means: the group is the unit, what is inside it is averaged and not counted as n (Georges 2007).
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one, values that are not finite and a level
 * outside (0, 1)
 */
export function groupMeanInterval(groups: ArrayLike<ArrayLike<number>>, confidence = 0.95): MeanInterval {
  return meanInterval(groupMeans(groups), confidence);
}

/**
 * `meanInterval` of all values in one list, as JMH computes its score error (level 0.999, nothing for two values or fewer).
 * It treats values of one group as independent, so it is too narrow whenever groups differ: for comparison with JMH only.
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one, values that are not finite and a level
 * outside (0, 1)
 */
export function pooledMeanInterval(groups: ArrayLike<ArrayLike<number>>, confidence = 0.999): MeanInterval {
  checkGroups('pooledMeanInterval', groups);
  return meanInterval(Array.from(groups, (group) => Array.from(group)).flat(), confidence);
}

/**
 * The confidence level that an interval of this half-width really has if its n units vary with standard deviation `sd`:
 * 2 T(h sqrt(n) / sd, n - 1) - 1. Shows what a pooled interval is worth between groups.
 * @throws RangeError for a half-width or `sd` that is not finite, a half-width below 0, an `sd` not above 0 and an `n` that is not a
 * whole number from 2
 */
export function impliedConfidence(halfWidth: number, sd: number, n: number): number {
  if (!(halfWidth >= 0 && halfWidth < Infinity)) throw new RangeError(`halfWidth must be >= 0, got ${halfWidth}`);
  if (!(sd > 0 && sd < Infinity)) throw new RangeError(`sd must be a positive number, got ${sd}`);
  if (!Number.isInteger(n) || n < 2) throw new RangeError(`n must be a whole number >= 2, got ${n}`);
  return 2 * tCdf((halfWidth * Math.sqrt(n)) / sd, n - 1) - 1;
}
