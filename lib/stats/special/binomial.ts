import { logIncompleteBeta } from './beta.js';

/**
 * P(X <= k) for X binomial with n trials and success probability p.
 * @throws RangeError for an `n` that is not a whole number from 0, a p outside [0, 1] and a `k` that is NaN
 */
export function binomialCdf(k: number, n: number, p: number): number {
  if (!Number.isInteger(n) || n < 0) throw new RangeError(`binomialCdf: n must be a whole number >= 0, got ${n}`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`binomialCdf: p must lie in [0, 1], got ${p}`);
  if (Number.isNaN(k)) throw new RangeError('binomialCdf: k is NaN');
  const whole = Math.floor(k);
  if (whole < 0) return 0;
  if (whole >= n) return 1;
  return Math.exp(logIncompleteBeta(whole + 1, n - whole, p, 1 - p)[1]);
}
