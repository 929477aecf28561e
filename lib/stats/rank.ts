import { checkConfidence, checkValues } from './check.js';
import { binomialCoefficient } from './permutation.js';
import { sorted } from './quantile.js';
import { allPositive, logs } from './ratio/means.js';
import { orient, type Ratio, type RatioOptions, resolve, without } from './ratio/types.js';
import { normalCdf, normalQuantile } from './special/normal.js';

/** Samples up to this size get the exact null distribution of U (if there are no ties). */
export const EXACT_LIMIT = 20;

/** U, its p-value and how that was had. */
export type MannWhitney = {
  readonly status: 'ok' | 'constant';
  /** Pairs in which the first sample's value is the larger one; ties count half. */
  readonly U: number;
  /** Two-sided. */
  readonly p: number;
  /** Exact distribution, or normal approximation with tie and continuity correction. */
  readonly exact: boolean;
  /** Smallest p that samples of these sizes can reach. */
  readonly smallestP: number;
};

/** Counts of U = 0 .. m n over all orders of m and n distinct values: coefficients of the Gaussian binomial. Exact in doubles to m = n = 20. */
function uCounts(m: number, n: number): Float64Array {
  const counts = new Float64Array(m * n + 1);
  counts[0] = 1;
  for (let i = 1; i <= m; i++) {
    // Multiply by (1 - q^(n+i)), divide by (1 - q^i).
    for (let u = m * n; u >= n + i; u--) counts[u] = counts[u]! - counts[u - n - i]!;
    for (let u = i; u <= m * n; u++) counts[u] = counts[u]! + counts[u - i]!;
  }
  return counts;
}

/** P(U <= u) for distinct values. */
function uCdf(u: number, m: number, n: number): number {
  const counts = uCounts(m, n);
  let sum = 0;
  for (let k = 0; k <= Math.min(u, m * n); k++) sum += counts[k]!;
  return sum / binomialCoefficient(m + n, m);
}

/**
 * Mann-Whitney test of two samples of independent units. Never on values pooled from inside units, where n makes anything significant.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one and values that are not finite
 */
export function mannWhitney(first: ArrayLike<number>, second: ArrayLike<number>): MannWhitney {
  checkValues('mannWhitney first', first);
  checkValues('mannWhitney second', second);
  const [m, n] = [first.length, second.length];
  let U = 0;
  let tied = false;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      if (first[i]! > second[j]!) U++;
      else if (first[i] === second[j]) U += 0.5;
    }
  }
  const all = sorted([...Array.from(first), ...Array.from(second)]);
  let tieSum = 0;
  for (let i = 0; i < all.length; ) {
    let end = i + 1;
    while (end < all.length && all[end] === all[i]) end++;
    const t = end - i;
    if (t > 1) tied = true;
    tieSum += t ** 3 - t;
    i = end;
  }
  const smallestP = Math.min(1, 2 / binomialCoefficient(m + n, m));
  if (all[0] === all.at(-1)) return { status: 'constant', U, p: 1, exact: false, smallestP: 1 };
  if (!tied && Math.max(m, n) <= EXACT_LIMIT) {
    const p = Math.min(1, 2 * uCdf(Math.min(U, m * n - U), m, n));
    return { status: 'ok', U, p, exact: true, smallestP };
  }
  const N = m + n;
  const sigma = Math.sqrt(((m * n) / 12) * (N + 1 - tieSum / (N * (N - 1))));
  const z = Math.max(0, Math.abs(U - (m * n) / 2) - 0.5) / sigma;
  return { status: 'ok', U, p: Math.min(1, 2 * normalCdf(-z)), exact: false, smallestP };
}

/** A Hodges-Lehmann ratio with the rank behind its limits and the level it really has (null where limits are missing). */
export type HodgesLehmann = Ratio & { readonly rank: number | null; readonly achieved: number | null };

/**
 * Hodges-Lehmann ratio: exp of the median of all ln candidate_i - ln baseline_j, with limits at the ordered differences k and mn + 1 - k,
 * k the largest rank with P(U <= k - 1) <= alpha/2. Robust when units fall into two modes or have stragglers. `too-few` when no rank
 * reaches the level (three a side never reach 95 %).
 * @throws TypeError for what is no array of numbers and an unknown `better`; RangeError for an empty one, values that are not finite and
 * a level outside (0, 1)
 */
export function hodgesLehmannRatio(
  candidate: ArrayLike<number>,
  baseline: ArrayLike<number>,
  options: RatioOptions = {},
): HodgesLehmann {
  checkValues('candidate', candidate);
  checkValues('baseline', baseline);
  const resolved = resolve('hodges-lehmann', options);
  checkConfidence(resolved.confidence);
  const none = { rank: null, achieved: null };
  if (!allPositive(candidate) || !allPositive(baseline)) return { ...without(resolved, 'not-positive', null), ...none };
  const [x, y] = orient(resolved, logs(candidate), logs(baseline));
  const [m, n] = [x.length, y.length];
  const d = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) d[i * n + j] = x[i]! - y[j]!;
  d.sort();
  const pairs = m * n;
  const ratio = Math.exp((d[(pairs - 1) >> 1]! + d[pairs >> 1]!) / 2);
  const side = (1 - resolved.confidence) / 2;
  const { rank, tail } = rankFor(m, n, side);
  if (rank < 1) return { ...without(resolved, 'too-few', ratio), ...none };
  const [low, high] = [Math.exp(d[rank - 1]!), Math.exp(d[pairs - rank]!)];
  const status = d[0] === d[pairs - 1] ? 'constant' : 'ok';
  return { status, ratio, low, high, standardError: null, df: null, ...resolved, rank, achieved: 1 - 2 * tail };
}

/** Largest k with P(U <= k - 1) <= side, exact up to 20 a side, else by the normal approximation with continuity correction. */
function rankFor(m: number, n: number, side: number): { rank: number; tail: number } {
  if (Math.max(m, n) <= EXACT_LIMIT) {
    const counts = uCounts(m, n);
    const total = binomialCoefficient(m + n, m);
    let sum = 0;
    let rank = 0;
    while (rank < counts.length && (sum + counts[rank]!) / total <= side) sum += counts[rank++]!;
    return { rank, tail: sum / total };
  }
  const sigma = Math.sqrt((m * n * (m + n + 1)) / 12);
  const rank = Math.floor((m * n) / 2 + 0.5 + normalQuantile(side) * sigma);
  return { rank, tail: normalCdf((rank - 0.5 - (m * n) / 2) / sigma) };
}
