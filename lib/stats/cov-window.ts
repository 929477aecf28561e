import type { Series } from './series.js';
import { assertCount, assertSeries, assertWithin, meanOf, varianceOf } from './series.js';

/** The first window whose coefficient of variation is below the threshold, or that there is none. */
export type CovWindow =
  | {
      readonly status: 'accepted';
      /** Number of values seen when the rule accepted: the window is the `window` values before it. */
      readonly accepted: number;
      readonly cov: number;
      /** Mean of the accepted window. */
      readonly mean: number;
    }
  | { readonly status: 'never' | 'too-short' };

/**
 * The 2007 warm-up rule, for comparison only: the first window of `window` values (default 10) whose sample standard deviation
 * over mean is below `threshold` (default 0.01). It measures crowding, not steadiness: it accepts a slow drift and an early
 * plateau, and never accepts a period of two. Follow it with the checks of `serialState`.
 * @throws RangeError for options out of range
 */
export function covWindow(values: Series, options: { window?: number; threshold?: number } = {}): CovWindow {
  assertSeries(values);
  const { window = 10, threshold = 0.01 } = options;
  assertCount(window, 2, 'window');
  assertWithin(threshold, 0, Number.POSITIVE_INFINITY, 'threshold');
  if (values.length < window) return { status: 'too-short' };
  for (let end = window; end <= values.length; end++) {
    const mean = meanOf(values, end - window, end);
    const cov = Math.sqrt(varianceOf(values, end - window, end)) / Math.abs(mean);
    // A window of zeros has no ratio to its mean and is not accepted; a constant window elsewhere has ratio 0 and is.
    if (cov < threshold) return { status: 'accepted', accepted: end, cov, mean };
  }
  return { status: 'never' };
}

/**
 * Sample coefficient of variation of values[end - window..end); null when the mean is 0 or the window does not fit.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function windowCov(values: Series, end: number, window: number): number | null {
  assertSeries(values);
  if (window < 2 || end < window || end > values.length) return null;
  const mean = meanOf(values, end - window, end);
  return mean === 0 ? null : Math.sqrt(varianceOf(values, end - window, end)) / Math.abs(mean);
}
