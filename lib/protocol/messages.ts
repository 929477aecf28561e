/**
 * What the host and a fork say to each other.
 *
 * Host to fork: one JSON document on stdin (a {@link ForkPlan} or {@link DescribeRequest}), then end of input.
 * Fork to host: lines on stdout, `\x1e` + token + ` ` + JSON + `\n`. Everything else on stdout is the user's own output.
 * The token is random per fork, so that a user's print cannot be taken for a message.
 */
import type {
  BlackholeCost,
  ClockInfo,
  Failure,
  Finding,
  ForkRuntime,
  Iteration,
  Linearity,
  Mode,
  Overhead,
  Params,
  ParamValue,
  TimeUnit,
} from '../result/model.js';

/** Version of the protocol; host and fork come from the same package, so a mismatch is a mixed installation. */
export const PROTOCOL_VERSION = 1;

/** How user files are loaded in a fork: where the host's cache of stripped sources is and whether a miss may be filled in. */
export interface LoaderPlan {
  readonly cacheDir: string;
  readonly mode: 'strip' | 'native' | 'none';
}

/** Ask a process to load a file and say which suites and trials it holds. Runs before any measurement. */
export interface DescribeRequest {
  readonly kind: 'describe';
  readonly protocol: number;
  readonly token: string;
  /** Absolute path. */
  readonly file: string;
  /** `-p name=v1,v2`: replaces the values of that param where the suite has it; strings still to be matched to the declared type. */
  readonly paramOverrides: Readonly<Record<string, readonly string[]>>;
  readonly loader: LoaderPlan;
}

/**
 * What a fork warms: `indi` its own benchmark; `bulk` all of the suite in declared order, its own at its place and not again afterwards;
 * `bulk_indi` as `indi`, and once more in other forks with the others warmed before its own.
 */
export type WarmupMode = 'indi' | 'bulk' | 'bulk_indi';

/** Options as a suite or benchmark declares them: every field optional, already validated. */
export interface DeclaredOptions {
  /** Modes to measure in. */
  readonly mode?: Mode | 'all' | readonly Mode[];
  /** Unit of the score. */
  readonly unit?: TimeUnit;
  /** Measured forks. */
  readonly forks?: number;
  /** Forks run first and discarded. */
  readonly warmupForks?: number;
  /** Exactly so many warm-up iterations. */
  readonly warmupIterations?: number;
  /** What is warmed before the measured benchmark. */
  readonly warmupMode?: WarmupMode;
  /** Length of a warm-up iteration, ms. */
  readonly warmupTimeMs?: number;
  /** Measured iterations per fork. */
  readonly iterations?: number;
  /** Length of a measured iteration, ms. */
  readonly iterationTimeMs?: number;
  /** Invocations that make one op in ss and one sample in sample mode. */
  readonly batchSize?: number;
  /** Batch size of warm-up iterations. */
  readonly warmupBatchSize?: number;
  /** Ops that one invocation performs. */
  readonly opsPerInvocation?: number;
  /** JS threads that run the benchmark. */
  readonly threads?: number | 'max' | 'half';
  /** Limit of one iteration or fixture, ms. */
  readonly timeoutMs?: number;
  /** Promises kept in flight. */
  readonly inflight?: number;
  /** Pin the measuring thread. */
  readonly pin?: boolean;
  /** Call through one megamorphic site. */
  readonly opaque?: boolean;
  /** Collect garbage before each iteration. */
  readonly gc?: boolean;
  /** Start and stop threads together. */
  readonly syncIterations?: boolean;
  /** Half-width of the score's interval to reach, as a share of the score. */
  readonly precision?: number;
  /** Extra arguments for node. */
  readonly nodeArgs?: readonly string[];
}

export interface BenchmarkDescription {
  readonly name: string;
  readonly baseline: boolean;
  readonly options: DeclaredOptions;
  /** Groups: method names and their thread counts. */
  readonly group: Readonly<Record<string, number>> | null;
}

export interface SuiteDescription {
  readonly name: string;
  readonly options: DeclaredOptions;
  /** Declared param values, after overrides. */
  readonly params: Readonly<Record<string, readonly ParamValue[]>>;
  /** The cross product in declared order, thinned by `where`; one empty object when there are no params. */
  readonly combinations: readonly Params[];
  readonly benchmarks: readonly BenchmarkDescription[];
  /** Fixture levels the suite defines, for warnings. */
  readonly fixtures: readonly string[];
  readonly counters: Readonly<Record<string, 'operations' | 'events'>>;
}

/** One fork's work: one benchmark, one set of params, one mode. Every option is resolved; the fork decides nothing. */
export interface ForkPlan {
  readonly kind: 'fork';
  readonly protocol: number;
  readonly token: string;
  readonly file: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly unit: TimeUnit;
  /** null = until steady (see warmupMinMs, warmupMaxMs); a number = exactly that many of warmupTimeMs each. */
  readonly warmupIterations: number | null;
  readonly warmupTimeMs: number;
  readonly warmupMinMs: number;
  readonly warmupMaxMs: number;
  readonly iterations: number;
  readonly iterationTimeMs: number;
  readonly batchSize: number;
  readonly warmupBatchSize: number;
  readonly opsPerInvocation: number;
  readonly threads: number;
  readonly group: Readonly<Record<string, number>> | null;
  readonly inflight: number;
  /** Time limit of one iteration or fixture, ms; the host also limits the whole fork. */
  readonly timeoutMs: number;
  /** CPUs the JS threads are pinned to, one each in order; null = no pinning. */
  readonly pinCpus: readonly number[] | null;
  /** CPUs V8's and libuv's helpers are moved to; null = leave them. */
  readonly helperCpus: readonly number[] | null;
  readonly opaque: boolean;
  readonly gcBeforeIteration: boolean;
  readonly syncIterations: boolean;
  /** Names of benchmarks of the same suite to warm first (profile pollution); empty = none. */
  readonly pollute: readonly string[];
  /** The same between the warm-up of the benchmark itself and its first measured iteration. */
  readonly polluteLast: readonly string[];
  readonly keepChunks: boolean;
  readonly canaries: boolean;
  readonly linearityCheck: boolean;
  /** Time the black hole once everything is measured. The host asks one fork of each Node, so that a run pays for it once. */
  readonly blackholeCost: boolean;
  readonly seed: number;
  /** Date.now() of the host right before the spawn, ms since the epoch with fraction. */
  readonly spawnedAtMs: number;
  readonly loader: LoaderPlan;
}

/** Messages of a fork, in the order they come. */
export type ForkMessage =
  | { readonly type: 'hello'; readonly protocol: number; readonly pid: number }
  | {
      readonly type: 'described';
      readonly suites: readonly SuiteDescription[];
      readonly loader: ForkRuntime['loader'];
      /** Versions of the node that runs the forks, which need not be the host's. */
      readonly node: string;
      readonly v8: string;
    }
  | { readonly type: 'runtime'; readonly runtime: ForkRuntime; readonly spawnToEntryMs: number }
  | { readonly type: 'loaded'; readonly loadMs: number }
  | {
      readonly type: 'ready';
      readonly setupMs: number;
      readonly spawnToFirstInvocationMs: number;
      readonly resultKind: string;
      readonly async: boolean;
    }
  | { readonly type: 'warmup'; readonly iteration: Iteration }
  | {
      readonly type: 'warm';
      readonly end: 'steady' | 'fixed' | 'cap';
      readonly linearity: Linearity | null;
      readonly overhead: Overhead;
    }
  | { readonly type: 'iteration'; readonly iteration: Iteration }
  /** After the last iteration of a fork that was asked for it. */
  | { readonly type: 'blackhole'; readonly cost: BlackholeCost }
  | { readonly type: 'finding'; readonly finding: Finding }
  /** A failure; the fork ends after it with exit code 1. What was measured before is kept, the trial is marked failed. */
  | { readonly type: 'failed'; readonly failure: Pick<Failure, 'phase' | 'message' | 'stack'> }
  /** Everything ran, teardown included. Without it, an exit with code 0 is a failure too (process.exit in user code). */
  | { readonly type: 'done'; readonly clock: ClockInfo };
