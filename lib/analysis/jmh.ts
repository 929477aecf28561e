/** Trials as JMH describes benchmarks: dotted names, params as text, times as `1 s`, metrics pooled. */
import type { Mode, RunResult, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import { iterationMetric, type JmhMetric, sampleMetric } from './jmh/metric.js';
import { secondaryMetrics } from './jmh/secondary.js';
import { goodForks } from './trial-series.js';

export type { JmhMetric } from './jmh/metric.js';

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
  return {
    trial,
    name,
    threads: forks[0]?.iterations[0]?.threads?.length ?? 1,
    forks: number('forks', trial.forks.length),
    nodeArgs: String(option('nodeArgs') ?? '')
      .split(' ')
      .filter(Boolean),
    // Until steady: what the longest fork took.
    warmupIterations: number('warmupIterations', Math.max(0, ...trial.forks.map((fork) => fork.warmup.length))),
    warmupTime: time('warmupTimeMs'),
    warmupBatchSize: number('warmupBatchSize', 1),
    iterations: number('iterations', forks[0]?.iterations.length ?? 0),
    iterationTime: time('iterationTimeMs'),
    batchSize: number('batchSize', 1),
    params: Object.fromEntries(Object.entries(trial.params).map(([key, value]) => [key, String(value)])),
    primary,
    secondary: primary === null ? {} : secondaryMetrics(trial, primary, unit, nsPerUnit),
  };
}

/** Every trial of a result as JMH would have described it, in order. Those without a score have `primary` null. */
export function jmhBenchmarks(result: Pick<RunResult, 'trials'>): JmhBenchmark[] {
  const names = jmhNames(result.trials);
  return result.trials.map((trial, i) => describe(trial, names[i]!));
}
