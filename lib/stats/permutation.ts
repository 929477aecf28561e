import { checkValues } from './check.js';
import { meanOf } from './moments.js';
import { type Generator, random } from './prng.js';
import { allPositive, logs } from './ratio/means.js';

/** How many permutations, and their seed. */
export interface PermutationOptions {
  /** Seed for random permutations; stored in the answer even when every permutation was tried. */
  readonly seed: number;
  /** Random permutations when there are too many to try all, default 9,999. */
  readonly replicates?: number;
  /** Try all when there are at most this many, default 20,000. */
  readonly exactLimit?: number;
  /** Default mulberry32. */
  readonly generator?: Generator;
}

/** A p-value with how it was had: exact, or from random permutations. */
export type PermutationResult =
  | {
      readonly status: 'ok' | 'constant';
      /** Two-sided. Exact: count / total. Random: (count + 1) / (total + 1), so never zero. */
      readonly p: number;
      readonly exact: boolean;
      /** Permutations at least as extreme as the data (those included when exact). */
      readonly count: number;
      /** Permutations tried. */
      readonly total: number;
      /** Smallest p that data of this size can reach. */
      readonly smallestP: number;
      readonly seed: number;
    }
  | { readonly status: 'not-positive'; readonly p: null; readonly seed: number };

interface Settings {
  readonly seed: number;
  readonly replicates: number;
  readonly exactLimit: number;
  readonly generator: Generator;
}

function settings(options: PermutationOptions): Settings {
  const { seed, replicates = 9999, exactLimit = 20_000, generator = 'mulberry32' } = options;
  if (!Number.isInteger(replicates) || replicates < 99) {
    throw new RangeError(`replicates must be a whole number >= 99, got ${replicates}`);
  }
  if (!(exactLimit >= 0)) throw new RangeError(`exactLimit must be >= 0, got ${exactLimit}`);
  // Checks the seed even if every permutation is tried.
  random(generator, seed);
  return { seed, replicates, exactLimit, generator };
}

/** n over k, Infinity when it is beyond counting. */
export function binomialCoefficient(n: number, k: number): number {
  let c = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) c = Math.round((c * (n - Math.min(k, n - k) + i)) / i);
  return c;
}

/**
 * Permutation test of the difference in mean logarithms of two samples of independent units (all values positive). All splits when there
 * are few enough, else random ones. Exact under exchangeability, no normality needed; a check beside the interval, never the verdict.
 * @throws TypeError for what is no array of numbers and an unknown generator; RangeError for an empty one, values that are not finite and
 * options out of range
 */
export function permutationTest(
  candidate: ArrayLike<number>,
  baseline: ArrayLike<number>,
  options: PermutationOptions,
): PermutationResult {
  checkValues('candidate', candidate);
  checkValues('baseline', baseline);
  const set = settings(options);
  if (!allPositive(candidate) || !allPositive(baseline)) return { status: 'not-positive', p: null, seed: set.seed };
  const k = candidate.length;
  const pool = centred([...logs(candidate), ...logs(baseline)]);
  const n = pool.length;
  // With the pool centred, the difference in means is the candidate's sum times a constant.
  let observed = 0;
  for (let i = 0; i < k; i++) observed += pool[i]!;
  const edge = Math.abs(observed) - tolerance(pool);
  const splits = binomialCoefficient(n, k);
  const mirrored = 2 * k === n ? 2 : 1;
  if (splits <= set.exactLimit) {
    const count = countSplits(pool, k, edge);
    return answer(pool, count, splits, true, mirrored / splits, set.seed);
  }
  const rng = random(set.generator, set.seed);
  const order = Array.from(pool);
  let count = 0;
  for (let r = 0; r < set.replicates; r++) {
    // The last k of a partial Fisher-Yates shuffle are a random subset.
    let sum = 0;
    for (let i = n - 1; i >= n - k; i--) {
      const j = rng.below(i + 1);
      const picked = order[j]!;
      order[j] = order[i]!;
      order[i] = picked;
      sum += picked;
    }
    if (Math.abs(sum) >= edge) count++;
  }
  return answer(pool, count, set.replicates, false, 1 / (set.replicates + 1), set.seed);
}

/**
 * Sign-flip test of paired differences (d_j = ln(candidate_j / baseline_j), say): all 2^n signs when few enough, else random ones.
 * Exact when each difference is symmetric about zero under the null hypothesis.
 * @throws TypeError for what is no array of numbers and an unknown generator; RangeError for an empty one, values that are not finite and
 * options out of range
 */
export function signFlipTest(differences: ArrayLike<number>, options: PermutationOptions): PermutationResult {
  checkValues('signFlipTest', differences);
  const set = settings(options);
  const d = Float64Array.from(differences);
  const n = d.length;
  let observed = 0;
  for (const value of d) observed += value;
  const edge = Math.abs(observed) - tolerance(d);
  const total = 2 ** n;
  if (total <= set.exactLimit) {
    let count = 0;
    for (let mask = 0; mask < total; mask++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += (mask >> i) & 1 ? -d[i]! : d[i]!;
      if (Math.abs(sum) >= edge) count++;
    }
    return answer(d, count, total, true, 2 / total, set.seed);
  }
  const rng = random(set.generator, set.seed);
  let count = 0;
  for (let r = 0; r < set.replicates; r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += rng.u32() & 0x80000000 ? -d[i]! : d[i]!;
    if (Math.abs(sum) >= edge) count++;
  }
  return answer(d, count, set.replicates, false, 1 / (set.replicates + 1), set.seed);
}

function answer(
  pool: Float64Array,
  count: number,
  total: number,
  exact: boolean,
  smallestP: number,
  seed: number,
): PermutationResult {
  const p = exact ? count / total : (count + 1) / (total + 1);
  const constant = pool.every((value) => value === 0);
  return { status: constant ? 'constant' : 'ok', p, exact, count, total, smallestP: Math.min(1, smallestP), seed };
}

function centred(values: number[]): Float64Array {
  const center = meanOf(values);
  return Float64Array.from(values, (value) => value - center);
}

/** Sums in another order differ in their last bits: that much is a tie. */
function tolerance(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += Math.abs(value);
  return 1e-10 * sum;
}

/** How many of the k-subsets have |sum| >= edge. */
function countSplits(pool: Float64Array, k: number, edge: number): number {
  const n = pool.length;
  const pick = Array.from({ length: k }, (_, i) => i);
  let count = 0;
  for (;;) {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += pool[pick[i]!]!;
    if (Math.abs(sum) >= edge) count++;
    let i = k - 1;
    while (i >= 0 && pick[i] === n - k + i) i--;
    if (i < 0) return count;
    pick[i]!++;
    for (let j = i + 1; j < k; j++) pick[j] = pick[j - 1]! + 1;
  }
}
