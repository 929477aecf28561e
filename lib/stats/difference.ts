import { checkConfidence, checkValues } from './check.js';
import { MIN_VALUES } from './mean-interval.js';
import { side } from './ratio/types.js';
import { satterthwaiteOf } from './ratio/welch.js';
import { tFactor } from './special/student.js';

interface DifferenceBase {
  /** Mean of the candidate minus mean of the baseline, in the unit of the values. */
  readonly difference: number;
  readonly confidence: number;
}

/** A difference of means with its interval, or that there are too few values for one. */
export type MeanDifference = DifferenceBase &
  (
    | {
        /** `constant`: no variation on either side, a zero-width interval and no degrees of freedom. */
        readonly status: 'ok' | 'constant';
        readonly low: number;
        readonly high: number;
        readonly standardError: number;
        readonly df: number | null;
      }
    | {
        readonly status: 'too-few';
        readonly low: null;
        readonly high: null;
        readonly standardError: null;
        readonly df: null;
      }
  );

/**
 * Difference of two means of independent units with Welch's t interval: the comparison of two alternatives in Georges 2007. It has the unit
 * of the values, so it answers "how many nanoseconds", also where a mean is zero or negative and no ratio exists; a verdict takes a ratio.
 * @param candidate one number per independent unit
 * @param baseline one number per independent unit; at least three on each side for an interval
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite and a level outside (0, 1)
 */
export function meanDifference(
  candidate: ArrayLike<number>,
  baseline: ArrayLike<number>,
  confidence = 0.95,
): MeanDifference {
  checkValues('candidate', candidate);
  checkValues('baseline', baseline);
  checkConfidence(confidence);
  const [c, b] = [side(candidate), side(baseline)];
  const limit = Number.MAX_VALUE;
  const difference = Math.min(limit, Math.max(-limit, c.mean - b.mean));
  if (c.n < MIN_VALUES || b.n < MIN_VALUES) {
    return { status: 'too-few', difference, low: null, high: null, standardError: null, df: null, confidence };
  }
  const standardError = Math.hypot(c.standardError, b.standardError);
  if (standardError === 0) {
    const point = { low: difference, high: difference, standardError: 0, df: null };
    return { status: 'constant', difference, ...point, confidence };
  }
  const df = satterthwaiteOf(c.standardError, c.n, b.standardError, b.n);
  const half = tFactor(confidence, df) * standardError;
  return { status: 'ok', difference, low: difference - half, high: difference + half, standardError, df, confidence };
}
