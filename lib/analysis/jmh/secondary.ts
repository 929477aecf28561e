/** JMH's secondary metrics: percentiles of samples, methods of a group, counters. */
import type { Iteration, Mode, Trial } from '../../result/model.js';
import { goodForks } from '../trial-series.js';
import { bucketPercentile, iterationMetric, JMH_PERCENTILES, type JmhMetric, percentiles } from './metric.js';

/** Percentiles that JMH adds to a sampled benchmark as secondary metrics. */
const SAMPLE_LABELS = ['0.00', '0.50', '0.90', '0.95', '0.99', '0.999', '0.9999', '1.00'] as const;

/** A single value without an interval, such as a percentile; `raw` is the same per iteration. */
function single(value: number, unit: string, raw: readonly (readonly number[])[]): JmhMetric {
  const none = Number.NaN;
  return {
    score: value,
    error: none,
    confidence: [none, none],
    percentiles: percentiles(() => value),
    unit,
    raw,
    histogram: null,
    n: 1,
  };
}

/** `p0.50` and so on of a sampled trial. */
function samplePercentiles(primary: JmhMetric): Record<string, JmhMetric> {
  const key = (label: string) => JMH_PERCENTILES.find((name) => Math.abs(Number(name) - Number(label) * 100) < 1e-9)!;
  return Object.fromEntries(
    SAMPLE_LABELS.map((label) => {
      const raw = primary.histogram!.map((fork) => fork.map((buckets) => bucketPercentile(buckets, Number(label))));
      return [`p${label}`, single(primary.percentiles[key(label)]!, primary.unit, raw)];
    }),
  );
}

/** A metric of iteration scores that `scoreOf` takes from each iteration. */
const perIteration = (trial: Trial, unit: string, scoreOf: (iteration: Iteration) => number): JmhMetric =>
  iterationMetric(
    goodForks(trial).map((fork) => fork.iterations.map(scoreOf)),
    unit,
  );

type Threads = NonNullable<Iteration['threads']>;

/** Over threads as in JMH: the sum of rates in thrpt, the mean of times elsewhere. */
function overThreads(mode: Mode, threads: Threads, rateOf: (thread: Threads[number]) => number): number {
  const sum = threads.map(rateOf).reduce((a, b) => a + b, 0);
  return mode === 'thrpt' ? sum : sum / threads.length;
}

const rate = (mode: Mode, count: number, ns: number, nsPerUnit: number): number =>
  mode === 'thrpt' ? (count * nsPerUnit) / ns : ns / count / nsPerUnit;

/** Scores of the methods of a group, each from its own threads. */
function groupMetrics(trial: Trial, unit: string, nsPerUnit: number): Record<string, JmhMetric> {
  const { mode } = trial;
  if (mode === 'sample') return {};
  const labels = new Set(
    trial.forks.flatMap(({ iterations }) =>
      iterations.flatMap(({ threads }) => threads?.map(({ label }) => label) ?? []),
    ),
  );
  const metrics: Record<string, JmhMetric> = {};
  for (const method of labels) {
    if (method === null) continue;
    metrics[method] = perIteration(trial, unit, ({ threads }) => {
      const own = (threads ?? []).filter(({ label }) => label === method);
      return overThreads(mode, own, ({ ops, elapsedNs }) => rate(mode, ops, elapsedNs, nsPerUnit));
    });
  }
  return metrics;
}

/** JMH's sum over everything: no error, bounds equal to the sum. */
function sumMetric(raw: readonly (readonly number[])[]): JmhMetric {
  const metric = iterationMetric(raw, '#');
  const total = raw.flat().reduce((a, b) => a + b, 0);
  return { ...metric, score: total, error: Number.NaN, confidence: [total, total] };
}

/** Declared counters: `operations` like the primary metric (not in sample and ss, as in JMH), `events` as sums. */
function counterMetrics(trial: Trial, unit: string, nsPerUnit: number): Record<string, JmhMetric> {
  const metrics: Record<string, JmhMetric> = {};
  for (const [name, kind] of Object.entries(trial.counters ?? {})) {
    const countOf = ({ counters }: Iteration) => counters?.[name] ?? 0;
    if (kind === 'events') metrics[name] = sumMetric(goodForks(trial).map((fork) => fork.iterations.map(countOf)));
    else if (trial.mode === 'thrpt' || trial.mode === 'avgt') {
      const { mode } = trial;
      metrics[name] = perIteration(trial, unit, (iteration) =>
        iteration.threads === null
          ? rate(mode, countOf(iteration), iteration.elapsedNs, nsPerUnit)
          : overThreads(mode, iteration.threads, ({ counters, elapsedNs }) =>
              rate(mode, counters?.[name] ?? 0, elapsedNs, nsPerUnit),
            ),
      );
    }
  }
  return metrics;
}

/** All of them, sorted by label. */
export function secondaryMetrics(
  trial: Trial,
  primary: JmhMetric,
  unit: string,
  nsPerUnit: number,
): Record<string, JmhMetric> {
  const metrics = {
    ...(primary.histogram === null ? {} : samplePercentiles(primary)),
    ...groupMetrics(trial, unit, nsPerUnit),
    ...counterMetrics(trial, unit, nsPerUnit),
  };
  return Object.fromEntries(Object.entries(metrics).sort(([a], [b]) => (a < b ? -1 : 1)));
}
