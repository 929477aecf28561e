import { checkValues } from './check.js';

/** True if every value equals the first one exactly. */
export function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

/**
 * Arithmetic mean of a non-empty array; exact for equal values, corrected once for rounding otherwise.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one and values that are not finite
 */
export function mean(values: ArrayLike<number>): number {
  checkValues('mean', values);
  return meanOf(values);
}

/** As `mean`, for arrays already checked. */
export function meanOf(values: ArrayLike<number>): number {
  const n = values.length;
  if (isConstant(values)) return values[0]!;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i]!;
  if (!Number.isFinite(sum)) return meanOfHuge(values);
  const first = sum / n;
  let rest = 0;
  for (let i = 0; i < n; i++) rest += values[i]! - first;
  return first + rest / n;
}

/** Mean of values whose sum is beyond the range of numbers; it lies between the least and the greatest all the same. */
function meanOfHuge(values: ArrayLike<number>): number {
  const n = values.length;
  let [sum, least, greatest] = [0, Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    sum += values[i]! / n;
    least = Math.min(least, values[i]!);
    greatest = Math.max(greatest, values[i]!);
  }
  return Math.min(greatest, Math.max(least, sum));
}

/**
 * Sample variance (divisor n - 1) of at least two values; exactly 0 for equal values.
 * @throws TypeError for what is no array of numbers; RangeError for fewer than two values and values that are not finite
 */
export function variance(values: ArrayLike<number>): number {
  checkValues('variance', values);
  if (values.length < 2) throw new RangeError('variance: needs at least two values');
  return varianceOf(values, meanOf(values));
}

/** As `variance`, for checked arrays and a known mean. */
export function varianceOf(values: ArrayLike<number>, center: number): number {
  if (isConstant(values)) return 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i]! - center) ** 2;
  return sum / (values.length - 1);
}

/** Below this a variance may have lost squares of deviations to underflow. */
const TINY_VARIANCE = 1e-280;

/**
 * Square root of `varianceOf`, for checked arrays and a known mean, at any magnitude: squares of deviations beyond 1e154 overflow, below 1e-162 they vanish, so there
 * they are taken relative to the largest. A result beyond the range of numbers is the largest number.
 */
export function sdOf(values: ArrayLike<number>, center: number): number {
  const plain = varianceOf(values, center);
  if ((plain > TINY_VARIANCE && plain < Infinity) || isConstant(values)) return Math.sqrt(plain);
  let largest = 0;
  // A difference of halves cannot overflow; halves of tiny values would be rounded.
  const huge = !(plain < Infinity);
  const off = (i: number) => (huge ? values[i]! / 2 - center / 2 : values[i]! - center);
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(off(i)));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (off(i) / largest) ** 2;
  const relative = Math.sqrt(sum / (values.length - 1)) * (huge ? 2 : 1);
  return Math.min(Number.MAX_VALUE, relative * largest);
}

/**
 * Sample standard deviation (divisor n - 1) of at least two values.
 * @throws TypeError for what is no array of numbers; RangeError for fewer than two values and values that are not finite
 */
export function sd(values: ArrayLike<number>): number {
  checkValues('sd', values);
  if (values.length < 2) throw new RangeError('sd: needs at least two values');
  return sdOf(values, meanOf(values));
}
