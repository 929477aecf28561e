// Building blocks that keep x^a e^-x / Gamma and x^a y^b / Beta accurate for large arguments, where a difference of log-gammas
// loses digits (lgamma(36887) is 350,000: its last bit is 5e-11). Loader 2000, "Fast and accurate computation of binomial probabilities".

const LN_SQRT_2PI = 0.9189385332046728;

// Lanczos approximation with g = 7 and nine terms: relative error below 1e-14 for positive arguments.
const LANCZOS_G = 7;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Natural logarithm of the gamma function, x > 0. @throws RangeError for an x that is not above 0 */
export function lgamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`lgamma: x must be positive, got ${x}`);
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lgamma(1 - x);
  const z = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (z + i);
  const t = z + LANCZOS_G + 0.5;
  return LN_SQRT_2PI + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Error of Stirling's formula: ln Gamma(n+1) - [(n + 1/2) ln n - n + ln sqrt(2 pi)], n > 0. */
export function stirlingError(n: number): number {
  if (n < 16) return lgamma(n + 1) - (n + 0.5) * Math.log(n) + n - LN_SQRT_2PI;
  const s = 1 / (n * n);
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / n;
}

/** Deviance part x ln(x/m) + m - x without cancellation near x = m; x, m > 0. */
export function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  const v2 = v * v;
  let sum = (x - m) * v;
  let term = 2 * x * v;
  for (let j = 3; j < 200; j += 2) {
    term *= v2;
    const next = sum + term / j;
    if (next === sum) break;
    sum = next;
  }
  return sum;
}
