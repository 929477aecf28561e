import { highestOf, type Layout, lowestOf, middleOf } from './layout.js';

/**
 * Which value stands for the samples of a bucket:
 * - `highest`: the highest value of the bucket (HdrHistogram's highest equivalent value): never below the true percentile;
 * - `middle`: its middle, as JLBH reports;
 * - `lowest`: its lowest value: never above the true percentile.
 */
export type PercentileDefinition = 'highest' | 'middle' | 'lowest';

/** Nearest rank: the smallest whole number of samples that is at least p percent of n, with p n / 100 allowed to be a few ulp too large. */
export function rankOf(p: number, n: number): number {
  return Math.max(1, Math.ceil(((p * n) / 100) * (1 - 4 * Number.EPSILON)));
}

/** A scanner that finds the value at ascending ranks without starting over. */
export function valueAtRank(layout: Layout, counts: Float64Array, definition: PercentileDefinition) {
  const represent = definition === 'highest' ? highestOf : definition === 'middle' ? middleOf : lowestOf;
  let index = 0;
  let below = 0;
  return (rank: number): number => {
    while (index < counts.length && below + counts[index]! < rank) below += counts[index++]!;
    return represent(layout, index);
  };
}

export function countAtOrBelow(counts: Float64Array, index: number): number {
  let sum = 0;
  for (let i = 0; i <= index && i < counts.length; i++) sum += counts[i]!;
  return sum;
}

export function* bucketsOf(layout: Layout, counts: Float64Array) {
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    if (count > 0) yield [lowestOf(layout, i), highestOf(layout, i), count] as const;
  }
}

/** Mean and population standard deviation from bucket middles; NaN when empty. */
export function meanOf(layout: Layout, counts: Float64Array, total: number): { mean: number; deviation: number } {
  if (total === 0) return { mean: Number.NaN, deviation: Number.NaN };
  let sum = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i]! > 0) sum += counts[i]! * middleOf(layout, i);
  const mean = sum / total;
  let squares = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i]! > 0) squares += counts[i]! * (middleOf(layout, i) - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / total) };
}
