import { inverseBetaLogit, logIncompleteBeta } from './beta.js';
import { normalCdf, normalQuantile } from './normal.js';

/**
 * Student t cumulative distribution with `df` > 0 degrees of freedom (any real, Infinity = normal).
 * @throws RangeError for a t that is NaN and a `df` that is not above 0
 */
export function tCdf(t: number, df: number): number {
  if (Number.isNaN(t)) throw new RangeError('tCdf: t is NaN');
  if (!(df > 0)) throw new RangeError(`tCdf: df must be positive, got ${df}`);
  if (df === Infinity) return normalCdf(t);
  if (t === 0) return 0.5;
  if (Math.abs(t) === Infinity) return t > 0 ? 1 : 0;
  // x = df/(df + t^2) from ratios, so that neither a huge t nor a tiny one overflows.
  const s = (t / df) * t;
  const tail = 0.5 * Math.exp(logIncompleteBeta(df / 2, 0.5, 1 / (1 + s), 1 / (1 + 1 / s))[0]);
  return t > 0 ? 1 - tail : tail;
}

/**
 * Two-sided p of a t statistic: P(|T| >= |t|), accurate for tiny values.
 * @throws RangeError for a t that is NaN and a `df` that is not above 0
 */
export const tTwoSided = (t: number, df: number): number => Math.min(1, 2 * tCdf(-Math.abs(t), df));

// One inversion costs 10-20 us and plans ask for the same few hundred again and again.
const CACHE_LIMIT = 8192;
const cache = new Map<number, Map<number, number>>();
let cached = 0;

/**
 * Student t quantile, 0 < p < 1, `df` > 0 (any real, Infinity = normal). Relative error below 1e-12; cached per (p, df).
 * @throws RangeError for a p outside (0, 1) and a `df` that is not above 0
 */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`tQuantile: p must lie strictly between 0 and 1, got ${p}`);
  if (!(df > 0)) throw new RangeError(`tQuantile: df must be positive, got ${df}`);
  if (p === 0.5) return 0;
  let row = cache.get(df);
  const known = row?.get(p);
  if (known !== undefined) return known;
  const value = solve(p, df);
  if (cached >= CACHE_LIMIT) {
    cache.clear();
    cached = 0;
    row = undefined;
  }
  if (row === undefined) cache.set(df, (row = new Map()));
  row.set(p, value);
  cached++;
  return value;
}

/**
 * Half-width of a two-sided interval in standard errors: the 0.5 + confidence / 2 quantile. Also for levels so close to 1 that this rounds to 1, by the
 * other tail.
 */
export function tFactor(confidence: number, df: number): number {
  const p = 0.5 + confidence / 2;
  return p < 1 ? tQuantile(p, df) : -tQuantile((1 - confidence) / 2, df);
}

function solve(p: number, df: number): number {
  if (df === Infinity) return normalQuantile(p);
  const q = p < 0.5 ? p : 1 - p;
  // |t| has P(|T| > |t|) = 2q = I_x(df/2, 1/2) with x/(1 - x) = df/t^2.
  // Two terms of the Cornish-Fisher expansion start close from about three degrees of freedom up.
  const z = normalQuantile(p);
  const near = z * z * (1 + (z * z + 1) / (4 * df)) ** 2;
  const start = df >= 3 && near > 0 ? Math.log(df / near) : undefined;
  const t = Math.sqrt(df) * Math.exp(-0.5 * inverseBetaLogit(2 * q, 1 - 2 * q, df / 2, 0.5, start));
  return p < 0.5 ? -t : t;
}
