/**
 * A result as JMH would have computed it: all measurement iterations of all forks in one list, the mean with a 99.9 % Student t interval
 * over that list, percentiles of type 6. The interval treats iterations of one fork as independent and is therefore too
 * narrow; it is here for files in JMH's formats, never for a verdict.
 */
import type { HistogramData, Iteration, Mode, RunResult, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import { pooledMeanInterval } from '../stats/mean-interval.js';
import { JMH_QUANTILE, quantileSorted, sorted } from '../stats/quantile.js';
import { tQuantile } from '../stats/special/student.js';

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
/** Percentiles that JMH adds to a sampled benchmark as secondary metrics. */
const SAMPLE_LABELS = ['0.00', '0.50', '0.90', '0.95', '0.99', '0.999', '0.9999', '1.00'] as const;

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

/** One trial as JMH describes a benchmark. */
export interface JmhBenchmark {
  readonly trial: Trial;
  /** `folder.file.Suite.benchmark`: dotted, because viewers split it into package, class and method. */
  readonly name: string;
  /** Threads that really measured. */
  readonly threads: number;
  /** Forks asked for. */
  readonly forks: number;
  readonly nodeArgs: readonly string[];
  readonly warmupIterations: number;
  readonly warmupTime: string;
  readonly warmupBatchSize: number;
  readonly iterations: number;
  readonly iterationTime: string;
  readonly batchSize: number;
  readonly params: Readonly<Record<string, string>>;
  /** Null when the trial has no score. */
  readonly primary: JmhMetric | null;
  readonly secondary: Readonly<Record<string, JmhMetric>>;
}

/** The unit of a score with JMH's spellings of minutes and hours. */
function jmhUnit(mode: Mode, unit: TimeUnit): string {
  const name = unit === 'm' ? 'min' : unit === 'h' ? 'hr' : unit;
  return mode === 'thrpt' ? `ops/${name}` : `${name}/op`;
}

const goodForks = (trial: Trial) => trial.forks.filter((fork) => fork.status === 'ok');

/** Percentiles by JMH's keys; of one value all are that value. */
function percentiles(at: (p: number) => number): Record<string, number> {
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
function sampleMetric(trial: Trial, unit: string, nsPerUnit: number): JmhMetric {
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

/** Scores of the methods of a group, each from its own threads: the sum of rates in thrpt, the mean of times elsewhere. */
function groupMetrics(trial: Trial, unit: string, nsPerUnit: number): Record<string, JmhMetric> {
  if (trial.mode === 'sample') return {};
  const forks = goodForks(trial).map((fork) => fork.iterations);
  const labels = new Set(forks.flat().flatMap(({ threads }) => threads?.map(({ label }) => label) ?? []));
  const scoreOf = ({ threads }: Iteration, method: string): number => {
    const of = (threads ?? []).filter(({ label }) => label === method);
    const scores = of.map(({ ops, elapsedNs }) =>
      trial.mode === 'thrpt' ? (ops * nsPerUnit) / elapsedNs : elapsedNs / ops / nsPerUnit,
    );
    const sum = scores.reduce((a, b) => a + b, 0);
    return trial.mode === 'thrpt' ? sum : sum / scores.length;
  };
  return Object.fromEntries(
    [...labels]
      .filter((label) => label !== null)
      .map((label) => [
        label,
        iterationMetric(
          forks.map((fork) => fork.map((it) => scoreOf(it, label))),
          unit,
        ),
      ]),
  );
}

const TIME_UNITS = [
  [60_000, 'min'],
  [1000, 's'],
  [1, 'ms'],
  [1e-3, 'us'],
  [1e-6, 'ns'],
] as const;

/** `1 s`, `300 ms`, as JMH writes times: a whole number in the coarsest unit that allows one. */
function timeText(ms: number): string {
  for (const [size, unit] of TIME_UNITS) {
    const value = Math.round(ms / size);
    if (value > 0 && Math.abs(ms / size - value) < 1e-9 * value) return `${value} ${unit}`;
  }
  return `${ms} ms`;
}

/** Path of a file as a dotted package: `examples/hash.bench.ts` is `examples.hash`. */
const packageOf = (file: string, whole: boolean): string =>
  file
    .replace(/^(\.{0,2}\/)+/, '')
    .replace(whole ? /$^/ : /(\.bench)?\.[cm]?[jt]sx?$/, '')
    .replaceAll('/', '.');

/** Dotted names of all trials; files that would share a package keep their extensions. */
export function jmhNames(trials: readonly Trial[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { file } of trials) {
    const name = packageOf(file, false);
    files.set(name, (files.get(name) ?? new Set()).add(file));
  }
  return trials.map(({ file, suite, benchmark }) => {
    const short = packageOf(file, false);
    const folder = packageOf(file, files.get(short)!.size > 1);
    return `${folder === '' ? '' : `${folder}.`}${suite}.${benchmark}`;
  });
}

function describe(trial: Trial, name: string): JmhBenchmark {
  const option = (key: string) => trial.options[key]?.value;
  const number = (key: string, otherwise: number) =>
    typeof option(key) === 'number' ? (option(key) as number) : otherwise;
  const forks = goodForks(trial);
  const nsPerUnit = NS_PER[option('unit') as TimeUnit];
  const unit = jmhUnit(trial.mode, option('unit') as TimeUnit);
  const sampled = trial.mode === 'sample' && forks.some((fork) => fork.iterations.some((it) => it.histogram !== null));
  const primary =
    trial.score === null
      ? null
      : sampled
        ? sampleMetric(trial, unit, nsPerUnit)
        : iterationMetric(
            forks.map((fork) => fork.iterations.map((it) => it.score ?? Number.NaN)),
            unit,
          );
  const time = (key: string) => (trial.mode === 'ss' || !number(key, 0) ? 'single-shot' : timeText(number(key, 0)));
  const secondary =
    primary === null ? {} : { ...(sampled ? samplePercentiles(primary) : {}), ...groupMetrics(trial, unit, nsPerUnit) };
  return {
    trial,
    name,
    threads: forks[0]?.iterations[0]?.threads?.length ?? 1,
    forks: number('forks', trial.forks.length),
    nodeArgs: forks[0]?.runtime?.execArgv ?? [],
    // Until steady: what the longest fork took.
    warmupIterations: number('warmupIterations', Math.max(0, ...trial.forks.map((fork) => fork.warmup.length))),
    warmupTime: time('warmupTimeMs'),
    warmupBatchSize: number('warmupBatchSize', 1),
    iterations: number('iterations', forks[0]?.iterations.length ?? 0),
    iterationTime: time('iterationTimeMs'),
    batchSize: number('batchSize', 1),
    params: Object.fromEntries(Object.entries(trial.params).map(([key, value]) => [key, String(value)])),
    primary,
    secondary: Object.fromEntries(Object.entries(secondary).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Every trial of a result as JMH would have described it, in order. Those without a score have `primary` null. */
export function jmhBenchmarks(result: Pick<RunResult, 'trials'>): JmhBenchmark[] {
  const names = jmhNames(result.trials);
  return result.trials.map((trial, i) => describe(trial, names[i]!));
}
