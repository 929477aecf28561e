import { isConstant } from './moments.js';
import type { Series } from './series.js';
import { assertCount, assertSeries, meanOf, squaresOf } from './series.js';
import { chiSquareSurvival } from './special.js';

/** 0.975 quantile of the normal distribution, as the customary band of a correlogram uses it. */
const Z975 = 1.959963984540054;

/** Autocorrelations by lag, or why there are none. */
export type Autocorrelation =
  | {
      readonly status: 'ok';
      /** r_1 to r_lags. */
      readonly values: readonly number[];
      /** Half-width of the 95 % band of an independent series, 1.96 / sqrt(n). */
      readonly band: number;
    }
  | { readonly status: 'constant' | 'too-short' };

/**
 * Autocorrelations r_k = sum (x_t - m)(x_{t+k} - m) / sum (x_t - m)^2 for lags 1 to `lags`, one divisor for all lags.
 * `too-short`: no more values than lags. @throws RangeError for a lag count that is not a positive integer
 */
export function autocorrelation(values: Series, lags: number): Autocorrelation {
  assertSeries(values);
  assertCount(lags, 1, 'lags');
  if (values.length <= lags) return { status: 'too-short' };
  if (isConstant(values)) return { status: 'constant' };
  return { status: 'ok', values: correlations(values, lags), band: Z975 / Math.sqrt(values.length) };
}

/** r_1 to r_lags of a series that is known to vary. */
export function correlations(values: Series, lags: number): number[] {
  const n = values.length;
  const mean = meanOf(values);
  const centred = Float64Array.from(values, (x) => x - mean);
  const squares = squaresOf(values, 0, n, mean);
  const found: number[] = [];
  for (let k = 1; k <= lags; k++) {
    let sum = 0;
    for (let t = 0; t + k < n; t++) sum += centred[t]! * centred[t + k]!;
    found.push(sum / squares);
  }
  return found;
}

/** Ljung and Box's test for autocorrelation. */
export type LjungBox =
  | { readonly status: 'ok'; readonly q: number; readonly lags: number; readonly p: number }
  | { readonly status: 'constant' | 'too-short' };

/**
 * Ljung-Box test of independence: Q = n (n + 2) sum r_k^2 / (n - k) over `lags` lags, p from chi-square with as many df.
 * @throws TypeError, RangeError as {@link autocorrelation}
 */
export function ljungBox(values: Series, lags: number): LjungBox {
  const acf = autocorrelation(values, lags);
  if (acf.status !== 'ok') return acf;
  const n = values.length;
  let sum = 0;
  acf.values.forEach((r, i) => {
    sum += r ** 2 / (n - i - 1);
  });
  const q = n * (n + 2) * sum;
  return { status: 'ok', q, lags, p: chiSquareSurvival(q, lags) };
}

/** How many independent values a dependent series is worth. */
export type EffectiveSize =
  | { readonly status: 'ok'; readonly tau: number; readonly n: number }
  | { readonly status: 'constant' | 'too-short' };

/**
 * How many independent values a dependent series is worth: n / max(1, tau), tau = -1 + 2 x the sum of the leading positive sums
 * of pairs r_2k + r_2k+1, r_0 = 1 (Geyer's initial positive sequence). Needs 3 values.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function effectiveSize(values: Series): EffectiveSize {
  assertSeries(values);
  const n = values.length;
  if (n < 3) return { status: 'too-short' };
  if (isConstant(values)) return { status: 'constant' };
  const mean = meanOf(values);
  const centred = Float64Array.from(values, (x) => x - mean);
  const squares = squaresOf(values, 0, n, mean);
  const r = (k: number): number => {
    let sum = 0;
    for (let t = 0; t + k < n; t++) sum += centred[t]! * centred[t + k]!;
    return sum / squares;
  };
  let tau = -1;
  for (let k = 0; k + 1 < n; k += 2) {
    const pair = (k === 0 ? 1 : r(k)) + r(k + 1);
    if (pair <= 0) break;
    tau += 2 * pair;
  }
  return { status: 'ok', tau, n: n / Math.max(1, tau) };
}

/** The truncation point that minimises the standard error of the rest. */
export type Mser =
  | { readonly status: 'ok'; readonly start: number; readonly value: number }
  | { readonly status: 'too-short' };

/**
 * MSER truncation (White 1997): the number of leading values d <= n / 2 whose removal minimises
 * sum (x_i - mean)^2 / (n - d)^2 of the rest; a cheap second opinion on where a series settles.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function mser(values: Series): Mser {
  assertSeries(values);
  const n = values.length;
  if (n < 2) return { status: 'too-short' };
  let best = 0;
  let value = Number.POSITIVE_INFINITY;
  // Welford backwards: mean and squares of values[d..n) as d falls.
  let mean = 0;
  let squares = 0;
  const tried = new Float64Array((n >> 1) + 1);
  for (let d = n - 1; d >= 0; d--) {
    const size = n - d;
    const off = values[d]! - mean;
    mean += off / size;
    squares += off * (values[d]! - mean);
    if (d < tried.length) tried[d] = squares / size ** 2;
  }
  tried.forEach((candidate, d) => {
    if (candidate < value) {
      value = candidate;
      best = d;
    }
  });
  return { status: 'ok', start: best, value };
}
