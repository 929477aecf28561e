// Stopping criteria of Laaber et al. 2020, for comparison. All watch the CHANGE of a summary of everything so far, which dies out like 1/n
// even on a drifting series: met does not mean steady.

import { checkGroups, checkPositive, checkValues } from './check.js';
import { gaussianDensity } from './kernel-density.js';
import { meanOf, varianceOf } from './moments.js';
import { quantileSorted, sorted } from './quantile.js';

/** A rule that stops when a cumulative summary changes no more. */
export interface ChangeRule {
  /** Values compared with the latest, itself included; default 5 (two for whole groups). */
  readonly window?: number;
  /** Default 0.01 (CoV) or 0.03 (width). */
  readonly threshold?: number;
}

/** Coefficient of variation of everything since the start, after each value. */
export interface CumulativeCov {
  /** Coefficient of variation (sample sd / mean) of all values up to each iteration; null where the mean is zero or one value stands alone. */
  readonly cov: readonly (number | null)[];
  /** max |cov_now - cov_(now - k)|, k = 1 .. window - 1; null before the window is full. */
  readonly change: readonly (number | null)[];
  /** Iterations (from 1) after which the rule first stops; null if it never does. */
  readonly stopAfter: number | null;
}

/**
 * CoV rule: stop when the CoV of everything since the start has changed by less than the threshold over the window.
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one, values that are not finite, a window below 2
 * and a threshold that is not above 0
 */
export function cumulativeCov(iterations: ArrayLike<ArrayLike<number>>, rule: ChangeRule = {}): CumulativeCov {
  checkGroups('cumulativeCov', iterations);
  const { window = 5, threshold = 0.01 } = rule;
  checkWindow(window);
  checkPositive('threshold', threshold);
  const pool: number[] = [];
  const cov = Array.from(iterations, (values) => {
    for (let i = 0; i < values.length; i++) pool.push(values[i]!);
    const center = meanOf(pool);
    return pool.length < 2 || center === 0 ? null : Math.sqrt(varianceOf(pool, center)) / Math.abs(center);
  });
  const change = largestChange(cov, window);
  return { cov, change, stopAfter: firstBelow(change, threshold) };
}

/** max |now - before| over the window, for every value of a cumulative summary; null before the window is full or where a value is. */
export function largestChange(summary: readonly (number | null)[], window: number): (number | null)[] {
  return summary.map((now, i) => {
    if (i < window - 1) return null;
    let largest = 0;
    for (let k = 1; k < window; k++) {
      const before = summary[i - k]!;
      if (now === null || before === null) return null;
      largest = Math.max(largest, Math.abs(now - before));
    }
    return largest;
  });
}

/** The first place (from 1) whose change is below the threshold; null if none. */
export function firstBelow(change: readonly (number | null)[], threshold: number): number | null {
  const found = change.findIndex((value) => value !== null && value < threshold);
  return found < 0 ? null : found + 1;
}

export function checkWindow(window: number): void {
  if (!Number.isInteger(window) || window < 2)
    throw new RangeError(`window must be a whole number >= 2, got ${window}`);
}

/**
 * Kullback-Leibler divergence sum p ln(p/q) in nats of two discrete distributions of equal length (each is normalised to sum 1).
 * Infinity where q is zero and p is not.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite, unequal lengths and weights
 * that are negative or sum to zero
 */
export function klDivergence(p: ArrayLike<number>, q: ArrayLike<number>): number {
  checkValues('klDivergence p', p);
  checkValues('klDivergence q', q);
  if (p.length !== q.length) throw new RangeError(`klDivergence: lengths differ, ${p.length} and ${q.length}`);
  const total = (list: ArrayLike<number>) => {
    let sum = 0;
    for (let i = 0; i < list.length; i++) {
      if (list[i]! < 0) throw new RangeError(`klDivergence: weight ${i} is negative`);
      sum += list[i]!;
    }
    if (!(sum > 0)) throw new RangeError('klDivergence: the weights sum to zero');
    return sum;
  };
  const [sumP, sumQ] = [total(p), total(q)];
  let kl = 0;
  for (let i = 0; i < p.length; i++) {
    if (p[i]! > 0) kl += (p[i]! / sumP) * Math.log(p[i]! / sumP / (q[i]! / sumQ));
  }
  return Math.max(0, kl);
}

/**
 * Similarity in (0, 1]: 2^-KL(p, q) * 2^-KL(q, p); 1 = the same distribution.
 * @throws TypeError, RangeError as {@link klDivergence}
 */
export const klSimilarity = (p: ArrayLike<number>, q: ArrayLike<number>): number =>
  2 ** -klDivergence(p, q) * 2 ** -klDivergence(q, p);

const DENSITY_POINTS = 1000;

/**
 * KLD rule's score of two samples: similarity of their kernel densities on 1,000 points over the union of their Tukey ranges
 * (quartiles -+ 1.5 IQR). `constant` if a sample has no spread, where a density does not exist: 1 if both are the same value, else 0.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one and values that are not finite
 */
export function sampleSimilarity(
  before: ArrayLike<number>,
  now: ArrayLike<number>,
): { readonly status: 'ok' | 'constant' | 'too-few'; readonly score: number | null } {
  checkValues('sampleSimilarity before', before);
  checkValues('sampleSimilarity now', now);
  if (before.length < 2 || now.length < 2) return { status: 'too-few', score: null };
  const [a, b] = [sorted(before), sorted(now)];
  const flat = (x: Float64Array) => x[0] === x.at(-1);
  if (flat(a) || flat(b)) return { status: 'constant', score: flat(a) && flat(b) && a[0] === b[0] ? 1 : 0 };
  const range = (x: Float64Array): [number, number] => {
    const [q1, q3] = [quantileSorted(x, 0.25), quantileSorted(x, 0.75)];
    return [q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)];
  };
  const [rangeA, rangeB] = [range(a), range(b)];
  const low = Math.min(rangeA[0], rangeB[0]);
  const high = Math.max(rangeA[1], rangeB[1]);
  if (!(high > low)) return { status: 'constant', score: a[0] === b[0] && a.at(-1) === b.at(-1) ? 1 : 0 };
  const grid = Float64Array.from({ length: DENSITY_POINTS }, (_, i) => low + ((high - low) * i) / (DENSITY_POINTS - 1));
  // A floor keeps a tail that underflowed in one density from making the divergence infinite.
  const density = (x: Float64Array) => gaussianDensity(x, grid).map((value) => Math.max(value, 1e-300));
  return { status: 'ok', score: klSimilarity(density(a), density(b)) };
}

/**
 * KLD rule: true if the mean of the last `window` scores (5, or 1 for whole groups) exceeds the threshold (0.99).
 * @throws RangeError for a window that is not a whole number from 1
 */
export function similarityRule(scores: ArrayLike<number>, window = 5, threshold = 0.99): boolean {
  if (!Number.isInteger(window) || window < 1)
    throw new RangeError(`window must be a whole number >= 1, got ${window}`);
  if (scores.length < window) return false;
  let sum = 0;
  for (let i = scores.length - window; i < scores.length; i++) sum += scores[i]!;
  return sum / window > threshold;
}
