import { tFactor } from '../special/student.js';
import { type Ratio, type Resolved, without } from './types.js';

/** Satterthwaite's degrees of freedom of a sum of independent variances a (n_a units) and b (n_b units). */
export function satterthwaite(a: number, nA: number, b: number, nB: number): number {
  // As shares of the sum: squares of tiny variances would underflow.
  const s = a / (a + b);
  const r = b / (a + b);
  return 1 / ((s * s) / (nA - 1) + (r * r) / (nB - 1));
}

/** `satterthwaite` from standard errors, whose squares may be beyond the range of numbers. */
export function satterthwaiteOf(a: number, nA: number, b: number, nB: number): number {
  const largest = Math.max(a, b);
  return satterthwaite((a / largest) ** 2, nA, (b / largest) ** 2, nB);
}

/** A positive number that a double can hold. */
export const isRatio = (value: number): boolean => value > 0 && value < Infinity;

/** exp(logRatio +- t(1 - alpha/2, df) se), `constant` when se is zero, `unbounded` when a limit is no number. */
export function logInterval(resolved: Resolved, ratio: number, standardError: number, df: number): Ratio {
  if (!isRatio(ratio)) return without(resolved, 'unbounded', null);
  if (standardError === 0) {
    return { status: 'constant', ratio, low: ratio, high: ratio, standardError, df: null, ...resolved };
  }
  const factor = Math.exp(tFactor(resolved.confidence, df) * standardError);
  const [low, high] = [ratio / factor, ratio * factor];
  if (!isRatio(low) || !isRatio(high)) return without(resolved, 'unbounded', ratio);
  return { status: 'ok', ratio, low, high, standardError, df, ...resolved };
}
