import type { BenchmarkDescription, SuiteDescription } from '../../protocol/messages.js';
import type { Finding, Mode, Params } from '../../result/model.js';
import type { TrialPlan } from '../types.js';
import { type Layer, mergeOptions, modesOf } from './merge.js';
import type { TrialOptions } from './table.js';

/** A described file: where it is and what it holds. */
export interface DescribedFile {
  /** Absolute path. */
  readonly file: string;
  /** Path relative to the working directory, with `/`. */
  readonly label: string;
  readonly suites: readonly SuiteDescription[];
  /** Neither the file nor what it imports is TypeScript. Default false: not known. */
  readonly plain?: boolean;
}

/** What the trials of a run depend on beside the files. */
export interface TrialSettings {
  /** Layers above the suite: config, environment, command line. */
  readonly layers: readonly Layer[];
  /** Full names (`Suite.benchmark`) to keep; null = all. */
  readonly include: readonly RegExp[];
  readonly exclude: readonly RegExp[];
  /** CPUs this process may use, for threads `max` and `half`. */
  readonly cpus: number;
  readonly nodeExecutable: string;
  readonly keepChunks: boolean;
  readonly canaries: boolean;
  readonly linearityCheck: boolean;
}

/** Forks of a run at most: each is an entry in the order of the run and a process of a tenth of a second or more. */
export const MAX_FORKS = 1_000_000;

/** A combination of options that cannot be measured; the message names suite, benchmark and option. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Stable name of a trial, inside a run and across runs. */
export function trialId(label: string, suite: string, benchmark: string, mode: Mode, params: Params): string {
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${label}:${suite}.${benchmark}:${mode}:${JSON.stringify(sorted)}`;
}

/** `max`, `half` or a number as a count of threads. */
function threadsAsked(threads: TrialOptions['threads'], cpus: number): number {
  if (threads === 'max') return cpus;
  return threads === 'half' ? Math.max(1, Math.floor(cpus / 2)) : threads;
}

/** Most threads of a fork: no process can start many more workers, and would die of memory with a sentence that misleads. */
const MAX_THREADS = 1024;

/** Threads of a trial. A group runs in whole copies, as many as hold the threads asked for, as in JMH; rounding up is told. */
function threadCount(
  name: string,
  asked: number,
  group: BenchmarkDescription['group'],
  isSet: boolean,
): { readonly threads: number; readonly findings: readonly Finding[] } {
  if (group === null) return { threads: asked, findings: [] };
  const size = Object.values(group).reduce((sum, count) => sum + count, 0);
  const copies = Math.ceil(asked / size);
  const threads = copies * size;
  if (!isSet || threads === asked) return { threads, findings: [] };
  const message =
    `${name} is a group of ${size} threads and runs in whole copies: the ${asked} asked for ${asked === 1 ? 'was' : 'were'} ` +
    `rounded up to ${threads}, ${copies === 1 ? 'one copy' : `${copies} copies`}.`;
  return { threads, findings: [{ id: 'group-threads', severity: 'info', message, data: { asked, threads, copies } }] };
}

/**
 * Time that a whole fork may take, ms: start-up, fixtures and warm-up with one timeout each to spare, again for each of the `others` that
 * are warmed with it, and the iterations at their length plus one timeout for the longest. Beyond it the fork hangs for sure.
 */
function forkLimitMs(options: TrialOptions, others: number): number {
  const warmup =
    options.warmupIterations === null ? options.warmupMaxMs : options.warmupIterations * options.warmupTimeMs;
  return 30_000 + (1 + others) * 2 * options.timeoutMs + 4 * (warmup + options.iterations * options.iterationTimeMs);
}

function checkCombination(name: string, suite: SuiteDescription, options: TrialOptions): void {
  const invocation = suite.fixtures.filter((f) => f === 'setupInvocation' || f === 'teardownInvocation');
  if (options.mode === 'ss' && options.batchSize > 1 && invocation.length > 0) {
    throw new OptionError(
      `${name}, option "batchSize": a single-shot batch of ${options.batchSize} cannot have ${invocation.join(' and ')}, ` +
        'whose time would be inside the shot; use batchSize 1 or fixtures at iteration level.',
    );
  }
  const operations = Object.keys(suite.counters).filter((counter) => suite.counters[counter] === 'operations');
  if ((options.mode === 'sample' || options.mode === 'ss') && operations.length > 0) {
    throw new OptionError(
      `${name}, counter "${operations[0]}": an "operations" counter is a rate over an iteration and has no meaning in mode ` +
        `${options.mode}; declare it as "events", or measure in thrpt or avgt.`,
    );
  }
  if (options.inflight > 1 && options.mode === 'ss') {
    throw new OptionError(`${name}, option "inflight": single shot runs one call; use inflight 1.`);
  }
}

/** Benchmarks of the suite that a fork runs beside its own, before its warm-up and after it. */
interface Company {
  /** Mark on the name of the benchmark. */
  readonly mark: 'bulk' | 'polluted';
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Names of a trial. One that was not warmed alone is a benchmark of its own wherever results are kept, shown and compared. */
function named(
  label: string,
  suite: string,
  method: string,
  mode: Mode,
  params: Params,
  company: Company | null,
): Pick<TrialPlan, 'id' | 'benchmark' | 'method'> {
  const benchmark = company ? `${method} (${company.mark})` : method;
  return { id: trialId(label, suite, benchmark, mode, params), benchmark, ...(company ? { method } : {}) };
}

/** In the order of JMH a score depends on the place in the suite: code that is compiled keeps what its call sites had seen until then. */
function bulkOrder(name: string, { before, after }: Company): Finding {
  const message =
    `${name} was warmed in declared order, so its code was compiled before ${after.length} of ${before.length + after.length} ` +
    'other benchmarks had run: the score depends on its place in the suite. warmupMode bulk_indi runs all others before it.';
  return { id: 'bulk-order', severity: 'info', message, data: { before: before.length, after: after.length } };
}

/** The companies in which a benchmark is measured; null = alone. Alone only when there is no company to be had, which is said. */
function companiesOf(
  suite: SuiteDescription,
  benchmark: BenchmarkDescription,
  mode: Mode,
  options: TrialOptions,
  findings: Finding[],
): readonly (Company | null)[] {
  if (options.warmupMode === 'indi') return [null];
  const names = (benchmarks: readonly BenchmarkDescription[]) =>
    benchmarks.filter((other) => other.group === null && other !== benchmark).map(({ name }) => name);
  const why =
    mode === 'ss'
      ? 'a single shot measures the first call of a fresh process'
      : benchmark.group !== null || options.threads !== 1
        ? 'the others would run on another thread'
        : names(suite.benchmarks).length === 0
          ? 'the suite has no other benchmark'
          : null;
  if (why !== null) {
    findings.push({
      id: 'not-polluted',
      severity: 'info',
      message: `${suite.name}.${benchmark.name} [${mode}] is measured alone only, although warmupMode is ${options.warmupMode}: ${why}.`,
    });
    return [null];
  }
  if (options.warmupMode === 'bulk_indi')
    return [null, { mark: 'polluted', before: names(suite.benchmarks), after: [] }];
  const at = suite.benchmarks.indexOf(benchmark);
  const [before, after] = [suite.benchmarks.slice(0, at), suite.benchmarks.slice(at)];
  const company: Company = { mark: 'bulk', before: names(before), after: names(after) };
  if (company.after.length > 0) findings.push(bulkOrder(`${suite.name}.${benchmark.name}`, company));
  return [company];
}

function trialsOf(
  file: DescribedFile,
  suite: SuiteDescription,
  benchmark: BenchmarkDescription,
  settings: TrialSettings,
): TrialPlan[] {
  const layers: Layer[] = [
    { source: 'suite', options: suite.options },
    { source: 'benchmark', options: benchmark.options },
    ...settings.layers,
  ];
  const name = `${suite.name}.${benchmark.name}`;
  return modesOf(layers).modes.flatMap((mode) => {
    const { options, resolved } = mergeOptions(mode, layers);
    checkCombination(`${file.label}: suite "${suite.name}", benchmark "${benchmark.name}"`, suite, options);
    const isSet = resolved.threads?.source !== 'default';
    const asked = threadsAsked(options.threads, settings.cpus);
    const { threads, findings: rounded } = threadCount(name, asked, benchmark.group, isSet);
    const findings: Finding[] = [...rounded];
    if (threads > MAX_THREADS) {
      throw new OptionError(
        `${file.label}: suite "${suite.name}", benchmark "${benchmark.name}", option "threads": ${threads} threads are more than ${MAX_THREADS}, each of which is a JavaScript engine of its own; ask for fewer.`,
      );
    }
    const counters = Object.keys(suite.counters).length > 0 ? { counters: suite.counters } : {};
    const plan = (params: Params, company: Company | null): TrialPlan => ({
      ...named(file.label, suite.name, benchmark.name, mode, params, company),
      ...counters,
      file: file.file,
      fileLabel: file.label,
      suite: suite.name,
      params,
      mode,
      baseline: benchmark.baseline && company?.mark !== 'polluted',
      options: resolved,
      fork: {
        unit: options.unit,
        warmupIterations: options.warmupIterations,
        warmupTimeMs: options.warmupTimeMs,
        warmupMinMs: options.warmupMinMs,
        warmupMaxMs: options.warmupMaxMs,
        iterations: options.iterations,
        iterationTimeMs: options.iterationTimeMs,
        batchSize: options.batchSize,
        warmupBatchSize: options.warmupBatchSize,
        opsPerInvocation: options.opsPerInvocation,
        threads,
        group: benchmark.group,
        inflight: options.inflight,
        timeoutMs: options.timeoutMs,
        opaque: options.opaque,
        gcBeforeIteration: options.gc,
        syncIterations: options.syncIterations,
        pollute: company?.before ?? [],
        polluteLast: company?.after ?? [],
        keepChunks: settings.keepChunks,
        canaries: settings.canaries,
        linearityCheck: settings.linearityCheck,
      },
      forks: options.forks,
      warmupForks: options.warmupForks,
      forkTimeoutMs: forkLimitMs(options, company ? company.before.length + company.after.length : 0),
      nodeArgs: options.nodeArgs,
      nodeExecutable: settings.nodeExecutable,
      ...(file.plain ? { plain: true } : {}),
      descriptionFindings: findings,
    });
    const companies = companiesOf(suite, benchmark, mode, options, findings);
    return suite.combinations.flatMap((params) => companies.map((company) => plan(params, company)));
  });
}

/**
 * The trials of a run: every selected benchmark, in every mode, over every combination of params, in the order of the
 * files.
 *
 * @throws OptionError when options cannot go together, or make more than {@link MAX_FORKS} forks.
 */
export function planTrials(files: readonly DescribedFile[], settings: TrialSettings): TrialPlan[] {
  const selected = (name: string) =>
    (settings.include.length === 0 || settings.include.some((r) => r.test(name))) &&
    !settings.exclude.some((r) => r.test(name));
  const trials = files.flatMap((file) =>
    file.suites.flatMap((suite) =>
      suite.benchmarks
        .filter((benchmark) => selected(`${suite.name}.${benchmark.name}`))
        .flatMap((benchmark) => trialsOf(file, suite, benchmark, settings)),
    ),
  );
  const forks = trials.reduce((sum, trial) => sum + trial.forks + trial.warmupForks, 0);
  if (forks > MAX_FORKS) {
    throw new OptionError(
      `option "forks": ${trials.length} trials make ${forks} forks, more than ${MAX_FORKS}; ask for fewer forks or trials.`,
    );
  }
  return trials;
}
