import { Histogram, type HistogramBuckets } from '../histogram/index.js';
import { type MeanInterval, mean, meanInterval, sd } from '../stats/index.js';
import { allows, LADDER } from './ladder.js';
import type { LatencyData, LatencyRun } from './model.js';

/** Names of the tables that every measurement has; probes follow under their own names. */
export const TABLES = ['endToEnd', 'service', 'lateness', 'driverDelay'] as const;

/** One histogram of one run as numbers a person asks for. ns; null where fewer than ten samples lie beyond a percentile. */
export interface RunSummary {
  readonly count: number;
  /** ns at a level of 0 to 100, or null when the count does not allow it. */
  percentile(p: number): number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly p9999: number | null;
  /** Largest sample; null when there is none. */
  readonly worst: number | null;
  readonly mean: number | null;
  readonly histogram: Histogram;
}

/** @param digits Those the buckets were recorded with. Default 3. */
export function summaryOf(data: HistogramBuckets, digits = 3): RunSummary {
  const histogram = Histogram.from(data, { digits, correction: 'planned-start' });
  const { count } = histogram;
  const percentile = (p: number) => (allows(p, count) ? histogram.percentile(p) : null);
  const [p50, p90, p99, p999, p9999] = [50, 90, 99, 99.9, 99.99].map(percentile) as (number | null)[];
  return {
    count,
    percentile,
    p50: p50!,
    p90: p90!,
    p99: p99!,
    p999: p999!,
    p9999: p9999!,
    worst: count === 0 ? null : histogram.max,
    mean: count === 0 ? null : histogram.mean,
    histogram,
  };
}

/** The histogram of a table (one of {@link TABLES} or a probe) in a run. */
export function histogramOf(run: LatencyRun, table: string): HistogramBuckets | undefined {
  if (table === 'endToEnd') return run.response;
  if (table === 'service' || table === 'lateness' || table === 'driverDelay') return run[table];
  return run.probes[table];
}

/**
 * JLBH's "% Variation": 100 (max - min) / (max + min/2). Not a variance and at most 100; kept for comparison with JLBH under that name.
 * 0 for a single value; null for none or for all zero.
 */
export function jlbhVariation(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const [max, min] = [Math.max(...values), Math.min(...values)];
  return max === 0 ? null : (100 * (max - min)) / (max + min / 2);
}

/** Coefficient of variation, percent: sample standard deviation over mean; null for fewer than two values. */
export function cvPercent(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = mean(values);
  return centre === 0 ? null : (100 * sd(values)) / centre;
}

/** One percentile over the runs: values in ns, range, CV and JLBH's variation. */
export interface SummaryRow {
  /** Percentile level, or `worst`. */
  readonly level: number | 'worst';
  /** ns per run (fork by fork, run by run); null = the count of that run does not allow it. */
  readonly values: readonly (number | null)[];
  /** Largest - smallest of the runs that have a value, ns. */
  readonly range: number | null;
  readonly cv: number | null;
  readonly jlbh: number | null;
  /** Student t interval on the values of whole forks (all runs of a fork merged); null with one fork. */
  readonly forks: MeanInterval | null;
}

/** The rows of one histogram over the runs. */
export interface SummaryTable {
  readonly table: string;
  /** `1`, `2`... or `fork.run` with several forks. */
  readonly runs: readonly string[];
  readonly counts: readonly number[];
  readonly rows: readonly SummaryRow[];
}

const allRuns = (data: LatencyData) =>
  data.forks.flatMap((fork) => fork.runs.map((run) => ({ fork: fork.index, run })));

/** All samples of a table merged, over every run of the given forks. */
export function merged(runs: readonly LatencyRun[], table: string): Histogram {
  const all = new Histogram({ correction: 'planned-start' });
  for (const run of runs) {
    const data = histogramOf(run, table);
    if (data) all.add(Histogram.from(data, { correction: 'planned-start' }));
  }
  return all;
}

/** Percentiles of a table across runs; rows that no run can fill are left out. */
export function summaryTable(data: LatencyData, table: string): SummaryTable {
  const runs = allRuns(data);
  const summaries = runs.map(({ run }) => summaryOf(histogramOf(run, table) ?? EMPTY));
  const forkSummaries = data.forks.length > 1 ? data.forks.map((fork) => merged(fork.runs, table)) : [];
  const rows: SummaryRow[] = [];
  for (const level of [...LADDER, 'worst'] as const) {
    const values = summaries.map((s) => (level === 'worst' ? s.worst : s.percentile(level)));
    const known = values.filter((v) => v !== null);
    if (known.length === 0) continue;
    const ofForks = forkSummaries
      .filter((h) => h.count > 0 && (level === 'worst' || allows(level, h.count)))
      .map((h) => (level === 'worst' ? h.max : h.percentile(level)));
    rows.push({
      level,
      values,
      range: Math.max(...known) - Math.min(...known),
      cv: cvPercent(known),
      jlbh: jlbhVariation(known),
      forks: ofForks.length > 1 ? meanInterval(ofForks) : null,
    });
  }
  const several = data.forks.length > 1;
  return {
    table,
    runs: runs.map(({ fork, run }) => (several ? `${fork + 1}.${run.run}` : String(run.run))),
    counts: summaries.map((s) => s.count),
    rows,
  };
}

const EMPTY: HistogramBuckets = { unit: 'ns', buckets: [], min: 0, max: 0, total: 0 };
