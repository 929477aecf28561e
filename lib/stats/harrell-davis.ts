import { checkValues } from './check.js';
import { checkProbability, sorted } from './quantile.js';
import { ibeta } from './special/beta.js';

/** A Harrell-Davis quantile and its standard error. */
export interface HarrellDavis {
  /** `far-tail`: fewer than five values are expected beyond the quantile on one side; the estimate follows the extreme ones. */
  readonly status: 'ok' | 'far-tail' | 'too-few';
  readonly value: number;
  /** Maritz-Jarrett form: square root of the weighted variance. Null below two values. */
  readonly standardError: number | null;
  /** Delete-one jackknife. Null below two values. */
  readonly jackknifeError: number | null;
}

/** Expected count of values beyond the quantile from which on Harrell-Davis is trusted. */
const TAIL_COUNT = 5;

/**
 * Harrell-Davis quantile (1982): a weighted mean of all order statistics with weights from a beta distribution. Smoother than one or two
 * ranks, but pulled by extreme values in the far tail. Unit of the values; 0 < p < 1.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite and a p outside (0, 1)
 */
export function harrellDavis(values: ArrayLike<number>, p: number): HarrellDavis {
  checkValues('harrellDavis', values);
  checkProbability(p);
  if (p === 0 || p === 1) throw new RangeError(`harrellDavis: p must lie strictly between 0 and 1, got ${p}`);
  const x = sorted(values);
  const n = x.length;
  if (n < 2) return { status: 'too-few', value: x[0]!, standardError: null, jackknifeError: null };
  const w = weights(n, p);
  const value = weightedMean(x, w);
  let spread = 0;
  for (let i = 0; i < n; i++) spread += w[i]! * (x[i]! - value) ** 2;
  const status = n * Math.min(p, 1 - p) < TAIL_COUNT ? 'far-tail' : 'ok';
  return { status, value, standardError: Math.sqrt(spread), jackknifeError: jackknife(x, p) };
}

/** I_{i/n}(a, b) - I_{(i-1)/n}(a, b) with a = (n + 1) p, b = (n + 1)(1 - p). */
function weights(n: number, p: number): Float64Array {
  const a = (n + 1) * p;
  const b = (n + 1) * (1 - p);
  const w = new Float64Array(n);
  let before = 0;
  for (let i = 1; i <= n; i++) {
    const now = i === n ? 1 : ibeta(i / n, a, b);
    w[i - 1] = now - before;
    before = now;
  }
  return w;
}

function weightedMean(x: Float64Array, w: Float64Array): number {
  // About the first value, so that equal values come back exactly.
  const base = x[0]!;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += w[i]! * (x[i]! - base);
  return base + sum;
}

/** sqrt((n - 1)/n sum (theta_j - mean theta)^2), theta_j = the estimate without value j. One pass from each side. */
function jackknife(x: Float64Array, p: number): number {
  const n = x.length;
  const w = weights(n - 1, p);
  const theta = new Float64Array(n);
  let left = 0;
  for (let j = 1; j < n; j++) theta[j] = left += w[j - 1]! * (x[j - 1]! - x[0]!);
  let right = 0;
  for (let j = n - 2; j >= 0; j--) theta[j] = theta[j]! + (right += w[j]! * (x[j + 1]! - x[0]!));
  let center = 0;
  for (const value of theta) center += value / n;
  let sum = 0;
  for (const value of theta) sum += (value - center) ** 2;
  return Math.sqrt((sum * (n - 1)) / n);
}
