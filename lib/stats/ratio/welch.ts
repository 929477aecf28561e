import { tQuantile } from '../special/student.js';
import type { RatioInterval, Resolved } from './types.js';

/** Satterthwaite's degrees of freedom of a sum of independent variances a (n_a units) and b (n_b units). */
export function satterthwaite(a: number, nA: number, b: number, nB: number): number {
  // As shares of the sum: squares of tiny variances would underflow.
  const s = a / (a + b);
  const r = b / (a + b);
  return 1 / ((s * s) / (nA - 1) + (r * r) / (nB - 1));
}

/** exp(logRatio +- t(1 - alpha/2, df) se), or `constant` when se is zero. */
export function logInterval(resolved: Resolved, ratio: number, standardError: number, df: number): RatioInterval {
  if (standardError === 0) {
    return { status: 'constant', ratio, low: ratio, high: ratio, standardError, df: null, ...resolved };
  }
  const factor = Math.exp(tQuantile(0.5 + resolved.confidence / 2, df) * standardError);
  return { status: 'ok', ratio, low: ratio / factor, high: ratio * factor, standardError, df, ...resolved };
}
