import { deviance, stirlingError } from './stirling.js';

const EPS = 2 ** -53;
const TINY = 1e-300;
const MAX_TERMS = 100_000;

/** The part of ln(x^a y^b / B(a, b)) that does not depend on x. */
const logScale = (a: number, b: number): number =>
  stirlingError(a + b) - stirlingError(a) - stirlingError(b) + 0.5 * Math.log((a * b) / (2 * Math.PI * (a + b)));

/** ln of x^a y^b / B(a, b), y = 1 - x. */
const logPrefix = (a: number, b: number, x: number, y: number, scale: number): number =>
  scale - deviance(a, (a + b) * x) - deviance(b, (a + b) * y);

/** Lentz's evaluation of the continued fraction for I_x(a, b) * a / prefix; converges fast for x < (a + 1)/(a + b + 2). */
function continuedFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  if (Math.abs(d) < TINY) d = TINY;
  d = 1 / d;
  let h = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    if (Math.abs(d) < TINY) d = TINY;
    d = 1 / d;
    c = 1 + even / c;
    if (Math.abs(c) < TINY) c = TINY;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    if (Math.abs(d) < TINY) d = TINY;
    d = 1 / d;
    c = 1 + odd / c;
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < EPS * 4) break;
  }
  return h;
}

/**
 * [ln I_x(a, b), ln(1 - I_x(a, b))] for a, b > 0. `x` and `y` = 1 - x are passed separately so that a caller who knows the
 * small one exactly does not lose it.
 */
export function logIncompleteBeta(a: number, b: number, x: number, y: number): readonly [lower: number, upper: number] {
  if (!(a > 0) || !(b > 0)) throw new RangeError(`incomplete beta: need a > 0 and b > 0, got a = ${a}, b = ${b}`);
  if (!(x >= 0) || !(y >= 0)) throw new RangeError(`incomplete beta: x must lie in [0, 1], got ${x}`);
  if (x === 0) return [-Infinity, 0];
  if (y === 0) return [0, -Infinity];
  return tails(a, b, x, y, logPrefix(a, b, x, y, logScale(a, b)));
}

function tails(a: number, b: number, x: number, y: number, prefix: number): readonly [lower: number, upper: number] {
  if (x < (a + 1) / (a + b + 2)) {
    const lower = Math.min(0, prefix + Math.log(continuedFraction(a, b, x) / a));
    return [lower, Math.log(-Math.expm1(lower))];
  }
  const upper = Math.min(0, prefix + Math.log(continuedFraction(b, a, y) / b));
  return [Math.log(-Math.expm1(upper)), upper];
}

/**
 * Regularised incomplete beta function I_x(a, b), 0 <= x <= 1.
 * @throws RangeError for an `a` or `b` that is not above 0 and an x outside [0, 1]
 */
export const ibeta = (x: number, a: number, b: number): number => Math.exp(logIncompleteBeta(a, b, x, 1 - x)[0]);

/**
 * The logit w = ln(x / (1 - x)) at which I_x(a, b) = p, given p and q = 1 - p (both, so that the smaller keeps its digits).
 * ln I is concave in w, so Newton's method converges from any start; a near one saves rounds.
 */
export function inverseBetaLogit(p: number, q: number, a: number, b: number, start = Math.log(a / b)): number {
  const lower = p <= q;
  const target = Math.log(lower ? p : q);
  const scale = logScale(a, b);
  let w = start;
  for (let i = 0; i < 200; i++) {
    const x = 1 / (1 + Math.exp(-w));
    const y = 1 / (1 + Math.exp(w));
    const prefix = logPrefix(a, b, x, y, scale);
    const tail = tails(a, b, x, y, prefix)[lower ? 0 : 1];
    const step = ((lower ? 1 : -1) * (target - tail)) / Math.exp(prefix - tail);
    // Below e^-690 the tail is a pure power of x (or of y): one full step is exact, and x itself would underflow soon.
    if (Math.abs(w) > 690) return w + step;
    w += Math.min(50, Math.max(-50, step));
    // Convergence is quadratic: the step after one of 1e-8 would be 1e-16.
    if (Math.abs(step) < 1e-8) return w;
  }
  return w;
}

/**
 * Inverse of the regularised incomplete beta function: x with I_x(a, b) = p, 0 <= p <= 1.
 * @throws RangeError for a p outside [0, 1] and an `a` or `b` that is not above 0
 */
export function ibetaInverse(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`ibetaInverse: p must lie in [0, 1], got ${p}`);
  if (!(a > 0) || !(b > 0)) throw new RangeError(`ibetaInverse: need a > 0 and b > 0, got a = ${a}, b = ${b}`);
  if (p === 0 || p === 1) return p;
  return 1 / (1 + Math.exp(-inverseBetaLogit(p, 1 - p, a, b)));
}
