/**
 * A result as JMH would have computed it: all measurement iterations of all forks in one list, the mean with a 99.9 % Student t interval
 * over that list, percentiles of type 6. The interval treats iterations of one fork as independent and is therefore too
 * narrow; it is here for files in JMH's formats, never for a verdict.
 */
import type { HistogramData, Trial } from '../../result/model.js';
import { pooledMeanInterval } from '../../stats/mean-interval.js';
import { JMH_QUANTILE, quantileSorted, sorted } from '../../stats/quantile.js';
import { tQuantile } from '../../stats/special/student.js';
import { goodForks } from '../trial-series.js';

/** Level of JMH's intervals. */
export const JMH_CONFIDENCE = 0.999;
/** JMH's keys of percentiles, in percent. */
export const JMH_PERCENTILES = [
  '0.0',
  '50.0',
  '90.0',
  '95.0',
  '99.0',
  '99.9',
  '99.99',
  '99.999',
  '99.9999',
  '100.0',
] as const;
type Bucket = readonly [value: number, count: number];

/** A metric in JMH's sense. Numbers that cannot be had are NaN, as in JMH. */
export interface JmhMetric {
  readonly score: number;
  /** Half-width at 99.9 %; NaN for fewer than 3 values. */
  readonly error: number;
  readonly confidence: readonly [number, number];
  /** By {@link JMH_PERCENTILES}. */
  readonly percentiles: Readonly<Record<string, number>>;
  readonly unit: string;
  /** Scores [fork][iteration]; null where {@link histogram} takes their place. */
  readonly raw: readonly (readonly number[])[] | null;
  /** Sampled times [fork][iteration][bucket] = [value in `unit`, count], ascending. */
  readonly histogram: readonly (readonly (readonly Bucket[])[])[] | null;
  /** Values behind the score: iterations, or samples. */
  readonly n: number;
}

/** Percentiles by JMH's keys; of one value all are that value. */
export function percentiles(at: (p: number) => number): Record<string, number> {
  return Object.fromEntries(JMH_PERCENTILES.map((key) => [key, at(Number(key) / 100)]));
}

/** Mean of iteration scores over all forks with JMH's pooled interval. */
export function iterationMetric(raw: readonly (readonly number[])[], unit: string): JmhMetric {
  const all = raw.flat();
  const base = { unit, raw, histogram: null, n: all.length };
  const none = Number.NaN;
  // One score that is not there makes the mean unknown: leaving it out would be a mean of something else.
  if (all.length === 0 || !all.every(Number.isFinite))
    return { ...base, score: none, error: none, confidence: [none, none], percentiles: percentiles(() => none) };
  const mean = pooledMeanInterval(raw, JMH_CONFIDENCE);
  const ascending = sorted(all);
  return {
    ...base,
    score: mean.mean,
    error: mean.halfWidth ?? Number.NaN,
    confidence: [mean.low ?? Number.NaN, mean.high ?? Number.NaN],
    percentiles: percentiles((p) => quantileSorted(ascending, p, JMH_QUANTILE)),
  };
}

/** Percentile of type 6 of values given with their counts, ascending: position p (n + 1), linear between neighbours. */
export function bucketPercentile(buckets: readonly Bucket[], p: number): number {
  const n = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (n === 0) return Number.NaN;
  const at = (rank: number): number => {
    let below = 0;
    for (const [value, count] of buckets) {
      below += count;
      if (below >= rank) return value;
    }
    return buckets.at(-1)![0];
  };
  const position = Math.min(n, Math.max(1, p * (n + 1)));
  const low = Math.floor(position);
  const value = at(low);
  return position === low ? value : value + (position - low) * (at(low + 1) - value);
}

/** Buckets of several histograms, counts of equal values added, in another unit. */
function merged(histograms: readonly HistogramData[], nsPerUnit: number): Bucket[] {
  const counts = new Map<number, number>();
  for (const { buckets } of histograms) {
    for (const [edge, count] of buckets) counts.set(edge, (counts.get(edge) ?? 0) + count);
  }
  return [...counts].sort((a, b) => a[0] - b[0]).map(([edge, count]) => [edge / nsPerUnit, count] as const);
}

function bucketSd(buckets: readonly Bucket[], n: number): number {
  const mean = buckets.reduce((sum, [value, count]) => sum + value * count, 0) / n;
  const squares = buckets.reduce((sum, [value, count]) => sum + count * (value - mean) ** 2, 0);
  return Math.sqrt(squares / (n - 1));
}

/**
 * The primary metric of a sampled trial. The score is the exact mean of all samples; spread and percentiles come from bucket
 * edges (0.1 %), but for the exact ends.
 */
export function sampleMetric(trial: Trial, unit: string, nsPerUnit: number): JmhMetric {
  const forks = goodForks(trial).map((fork) => fork.iterations.filter((iteration) => iteration.histogram !== null));
  const iterations = forks.flat();
  const histograms = iterations.map((iteration) => iteration.histogram!);
  const n = histograms.reduce((sum, { total }) => sum + total, 0);
  const buckets = merged(histograms, nsPerUnit);
  const score = iterations.reduce((sum, { score, histogram }) => sum + (score ?? Number.NaN) * histogram!.total, 0) / n;
  const error = n < 3 ? Number.NaN : (tQuantile(0.5 + JMH_CONFIDENCE / 2, n - 1) * bucketSd(buckets, n)) / Math.sqrt(n);
  const least = Math.min(...histograms.map(({ min }) => min)) / nsPerUnit;
  const most = Math.max(...histograms.map(({ max }) => max)) / nsPerUnit;
  return {
    score,
    error,
    confidence: [score - error, score + error],
    percentiles: percentiles((p) => (p === 0 ? least : p === 1 ? most : Math.max(least, bucketPercentile(buckets, p)))),
    unit,
    raw: null,
    histogram: forks.map((fork) => fork.map(({ histogram }) => merged([histogram!], nsPerUnit))),
    n,
  };
}
