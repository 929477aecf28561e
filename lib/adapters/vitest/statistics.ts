/** Statistics in the shape that vitest and tinybench (6) exchange. */
import { NEAREST_RANK, quantileSorted } from '../../stats/quantile.js';
import { tQuantile } from '../../stats/special/student.js';

/** Names and meaning are tinybench's: times in ms, or ops/s for throughput. */
export interface Statistics {
  readonly aad: number;
  readonly critical: number;
  readonly df: number;
  readonly mad: number;
  readonly max: number;
  readonly mean: number;
  readonly min: number;
  readonly moe: number;
  readonly p50: number;
  readonly p75: number;
  readonly p99: number;
  readonly p995: number;
  readonly p999: number;
  readonly rme: number;
  readonly samples: readonly number[] | undefined;
  readonly samplesCount: number;
  readonly sd: number;
  readonly sem: number;
  readonly variance: number;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/**
 * Statistics of samples.
 *
 * @param values One number per sample, at least one.
 * @param units Means of independent parts (rounds): mean, deviation of the mean, degrees of freedom and margin come from them, because the
 *   samples of one round resemble each other more than those of two.
 */
export function statistics(values: readonly number[], units: readonly number[], keep: boolean): Statistics {
  const sorted = [...values].sort((a, b) => a - b);
  const p = (q: number) => quantileSorted(sorted, q, NEAREST_RANK);
  const mean = sum(units) / units.length;
  const average = sum(values) / values.length;
  const variance = values.length > 1 ? sum(values.map((x) => (x - average) ** 2)) / (values.length - 1) : 0;
  const median = p(0.5);
  const deviations = values.map((x) => Math.abs(x - median)).sort((a, b) => a - b);
  const df = Math.max(1, units.length - 1);
  const between = units.length > 1 ? sum(units.map((x) => (x - mean) ** 2)) / (units.length - 1) : 0;
  const sem = Math.sqrt(between / units.length);
  const critical = tQuantile(0.975, df);
  const moe = sem * critical;
  return {
    aad: sum(values.map((x) => Math.abs(x - average))) / values.length,
    critical,
    df,
    mad: quantileSorted(deviations, 0.5, NEAREST_RANK),
    max: sorted.at(-1)!,
    mean,
    min: sorted[0]!,
    moe,
    p50: median,
    p75: p(0.75),
    p99: p(0.99),
    p995: p(0.995),
    p999: p(0.999),
    rme: mean === 0 ? 0 : (moe / Math.abs(mean)) * 100,
    samples: keep ? sorted : undefined,
    samplesCount: values.length,
    sd: Math.sqrt(variance),
    sem,
    variance,
  };
}
