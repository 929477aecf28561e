type Bucket = readonly [value: number, count: number];

/** One histogram from several: counts of equal values added, ascending. */
export function mergeBuckets(lists: readonly (readonly Bucket[])[]): Bucket[] {
  const counts = new Map<number, number>();
  for (const list of lists) {
    for (const [value, count] of list) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts].sort((a, b) => a[0] - b[0]);
}

/** Number of values. */
export const totalOf = (buckets: readonly Bucket[]): number => buckets.reduce((sum, [, count]) => sum + count, 0);

/** Nearest-rank quantile, `0 < p <= 1`: the smallest value with at least a share p of all at or below it. */
export function bucketQuantile(buckets: readonly Bucket[], p: number): number | null {
  // A rounding error in p * n must not lift the rank over a whole number.
  const rank = Math.ceil(p * totalOf(buckets) - 1e-9);
  let below = 0;
  for (const [value, count] of buckets) {
    below += count;
    if (below >= rank && count > 0) return value;
  }
  return null;
}

/** Mean of the values. */
export function bucketMean(buckets: readonly Bucket[]): number | null {
  const total = totalOf(buckets);
  if (!(total > 0 && total < Infinity)) return null;
  const plain = buckets.reduce((sum, [value, count]) => sum + value * count, 0) / total;
  // Beyond the range of numbers as a sum, not as a mean.
  return Number.isFinite(plain) ? plain : buckets.reduce((sum, [value, count]) => sum + value * (count / total), 0);
}
