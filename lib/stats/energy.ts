import { mulberry32, shuffle } from './prng.js';
import type { Series } from './series.js';
import { assertCount, assertSeries, assertWithin } from './series.js';

/** The best split of a range and its energy statistic. */
export interface EnergySplit {
  /** Number of values before the split. */
  readonly at: number;
  /** The energy statistic there. */
  readonly q: number;
}

/**
 * The split of values[from..to) with the largest energy statistic
 * q = (ab / n) (2 mean|x - y| - mean|x - x'| - mean|y - y'|), at least `minSegment` values on each side. `V` divides the inner sums
 * by a^2 and b^2, `U` by a (a - 1) and b (b - 1). Null when there is no room. O(n^2).
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite, bounds that are no whole numbers inside
 * the values and a `minSegment` below 1
 */
export function energySplit(
  values: Series,
  { from = 0, to = values.length, minSegment = 2, form = 'V' }: EnergyRange = {},
): EnergySplit | null {
  assertSeries(values);
  assertCount(minSegment, 1, 'minSegment');
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to > values.length) {
    throw new RangeError(`from and to must be whole numbers from 0 to ${values.length}, got ${from} and ${to}`);
  }
  const n = to - from;
  if (n < 2 * minSegment) return null;
  // Sums of |x - x'| over ordered pairs inside the left side, inside the right side, and across.
  let left = 0;
  let right = 0;
  let across = 0;
  for (let i = from; i < to; i++) for (let j = i + 1; j < to; j++) right += 2 * Math.abs(values[i]! - values[j]!);
  let best: EnergySplit | null = null;
  for (let at = from; at < to; at++) {
    const a = at - from;
    const b = to - at;
    if (a >= minSegment && b >= minSegment) {
      const [inLeft, inRight] = form === 'V' ? [a * a, b * b] : [a * (a - 1), b * (b - 1)];
      const q = ((a * b) / n) * ((2 * across) / (a * b) - left / (inLeft || 1) - right / (inRight || 1));
      if (best === null || q > best.q) best = { at: a, q };
    }
    // Move values[at] from the right side to the left.
    let toLeft = 0;
    let toRight = 0;
    for (let j = from; j < at; j++) toLeft += Math.abs(values[at]! - values[j]!);
    for (let j = at + 1; j < to; j++) toRight += Math.abs(values[at]! - values[j]!);
    left += 2 * toLeft;
    right -= 2 * toRight;
    across += toRight - toLeft;
  }
  return best === null ? null : { at: from + best.at, q: best.q };
}

/** A part of a series, from `start` to before `end`. */
export interface EnergyRange {
  readonly from?: number;
  readonly to?: number;
  readonly minSegment?: number;
  readonly form?: 'V' | 'U';
}

/** Permutations, level and smallest segment of E-divisive. */
export interface DivisiveOptions {
  /** Permutations R, default 199: the smallest p is 1 / (R + 1). */
  readonly permutations?: number;
  /** A change is accepted while p <= alpha, default 0.01. */
  readonly alpha?: number;
  /** Seed of the permutations, default 1; the same seed gives the same answer. */
  readonly seed?: number;
  /** Smallest segment, default 2. */
  readonly minSegment?: number;
  /** Weights of the within-segment means: V (1/n^2, default) or U (unbiased, the original). */
  readonly form?: 'V' | 'U';
}

/** An accepted change: its index, statistic and p-value. */
export interface DivisiveChange extends EnergySplit {
  readonly p: number;
}

/**
 * E-divisive (Matteson & James 2014): the best energy split over all segments so far, tested against permutations within the
 * segments, p = (k + 1) / (R + 1), and so on while p <= alpha. Changes in ascending order.
 * @throws RangeError for options out of range
 */
export function eDivisive(values: Series, options: DivisiveOptions = {}): DivisiveChange[] {
  assertSeries(values);
  const { permutations = 199, alpha = 0.01, seed = 1, minSegment = 2, form = 'V' } = options;
  assertCount(permutations, 1, 'permutations');
  assertCount(minSegment, 1, 'minSegment');
  assertWithin(alpha, 0, 1, 'alpha');
  if (1 / (permutations + 1) > alpha) {
    throw new RangeError(
      `${permutations} permutations cannot reach alpha ${alpha}: use at least ${Math.ceil(1 / alpha) - 1}`,
    );
  }
  const random = mulberry32(seed);
  const changes: DivisiveChange[] = [];
  for (;;) {
    const bounds = [0, ...changes.map((c) => c.at).sort((a, b) => a - b), values.length];
    const best = largestSplit(values, bounds, minSegment, form);
    if (best === null || best.q <= 0) break;
    let reached = 0;
    for (let r = 0; r < permutations; r++) {
      const permuted = bounds.slice(1).flatMap((to, k) => shuffle(Array.from(values).slice(bounds[k], to), random));
      // Equality up to rounding counts: sums in another order differ in the last bits.
      if (largestSplit(permuted, bounds, minSegment, form)!.q >= best.q * (1 - 1e-12)) reached++;
    }
    const p = (reached + 1) / (permutations + 1);
    if (p > alpha) break;
    changes.push({ ...best, p });
  }
  return changes.sort((a, b) => a.at - b.at);
}

function largestSplit(
  values: Series,
  bounds: readonly number[],
  minSegment: number,
  form: 'V' | 'U',
): EnergySplit | null {
  let best: EnergySplit | null = null;
  for (let k = 0; k + 1 < bounds.length; k++) {
    const split = energySplit(values, { from: bounds[k]!, to: bounds[k + 1]!, minSegment, form });
    if (split !== null && (best === null || split.q > best.q)) best = split;
  }
  return best;
}
