import { checkValues } from './check.js';

/** True if every value equals the first one exactly. */
export function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** Arithmetic mean of a non-empty array; exact for equal values, corrected once for rounding otherwise. */
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
  const first = sum / n;
  let rest = 0;
  for (let i = 0; i < n; i++) rest += values[i]! - first;
  return first + rest / n;
}

/** Sample variance (divisor n - 1) of at least two values; exactly 0 for equal values. */
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

/** Sample standard deviation (divisor n - 1) of at least two values. */
export const sd = (values: ArrayLike<number>): number => Math.sqrt(variance(values));
