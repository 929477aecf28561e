import { deviance, stirlingError } from './stirling.js';

const EPS = 2 ** -53;
const TINY = 1e-300;
const MAX_TERMS = 100_000;

/** x^a e^-x / Gamma(a + 1) in logs. */
const logPoisson = (a: number, x: number): number =>
  -stirlingError(a) - deviance(a, x) - 0.5 * Math.log(2 * Math.PI * a);

/**
 * Logarithms of the regularised incomplete gamma functions: [ln P(a, x), ln Q(a, x)], a > 0, x >= 0.
 * Power series below x = a + 1, Lentz's continued fraction above; the other side is the complement.
 */
export function logIncompleteGamma(a: number, x: number): readonly [logP: number, logQ: number] {
  if (!(a > 0) || !(x >= 0)) throw new RangeError(`incomplete gamma: need a > 0 and x >= 0, got a = ${a}, x = ${x}`);
  if (x === 0) return [-Infinity, 0];
  if (x === Infinity) return [0, -Infinity];
  if (x < a + 1) {
    let term = 1;
    let sum = 1;
    for (let n = 1; n < MAX_TERMS && term > sum * EPS; n++) {
      term *= x / (a + n);
      sum += term;
    }
    const logP = Math.min(0, logPoisson(a, x) + Math.log(sum));
    return [logP, Math.log(-Math.expm1(logP))];
  }
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < MAX_TERMS; i++) {
    const an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (Math.abs(d) < TINY) d = TINY;
    d = 1 / d;
    c = b + an / c;
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < EPS * 4) break;
  }
  const logQ = Math.min(0, logPoisson(a, x) + Math.log(a * h));
  return [Math.log(-Math.expm1(logQ)), logQ];
}

/** Regularised lower incomplete gamma P(a, x). @throws RangeError for an `a` that is not above 0 and an x below 0 */
export const gammaP = (a: number, x: number): number => Math.exp(logIncompleteGamma(a, x)[0]);

/**
 * Regularised upper incomplete gamma Q(a, x) = 1 - P(a, x), accurate in its own tail.
 * @throws RangeError for an `a` that is not above 0 and an x below 0
 */
export const gammaQ = (a: number, x: number): number => Math.exp(logIncompleteGamma(a, x)[1]);

/** ln of x * density of the gamma distribution at x: the derivative of P with respect to ln x. */
export const logGammaSlope = (a: number, x: number): number => logPoisson(a, x) + Math.log(a);
