import type { Trial } from '../result/model.js';
import { mergeBuckets } from './compare/buckets.js';
import { goodForks } from './trial-series.js';

/**
 * How a trial's values are distributed: counts in bins of equal width from the least to the greatest iteration score over all
 * forks; in sample mode of the samples, in bins of equal ratio. Null for fewer than 3 values or when all are equal.
 */
export function distribution(trial: Trial, bins: number): number[] | null {
  const iterations = goodForks(trial).flatMap((fork) => fork.iterations);
  const sampled = trial.mode === 'sample';
  const values: (readonly [number, number])[] = sampled
    ? mergeBuckets(iterations.flatMap(({ histogram }) => (histogram === null ? [] : [histogram.buckets])))
    : iterations.flatMap(({ score }) => (score === null ? [] : [[score, 1] as const]));
  // A time of 0 is below the clock's resolution; on a logarithmic scale it goes with the least time that is not.
  const least = Math.min(...values.map(([value]) => value).filter((value) => !sampled || value > 0));
  const scale = (value: number) => (sampled ? Math.log(Math.max(value, least)) : value);
  const low = scale(least);
  const high = Math.max(...values.map(([value]) => scale(value)));
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  if (total < 3 || !(high > low)) return null;
  const counts = new Array<number>(bins).fill(0);
  for (const [value, count] of values) {
    counts[Math.min(bins - 1, Math.floor(((scale(value) - low) / (high - low)) * bins))]! += count;
  }
  return counts;
}
