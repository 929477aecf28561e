/**
 * The result model, version 1: what a run leaves behind, as plain JSON data.
 *
 * Raw data are kept per fork and iteration, so that everything derived (scores, intervals, findings, verdicts) can be
 * recomputed later. Rules: times are ns unless the field name says otherwise; wall-clock instants are ISO 8601 strings;
 * a value that could not be had is `null`, never a made-up number; non-finite numbers do not occur.
 */

/** Version of this model as `major.minor`; a reader refuses an unknown major and accepts any minor. */
export const RESULT_VERSION = '1.0';

/** A parameter value as users write it. */
export type ParamValue = string | number | boolean | null;
/** One combination of params. */
export type Params = Readonly<Record<string, ParamValue>>;

/** JMH's modes: operations per time, time per op, sampled time per op, single shot. */
export type Mode = 'thrpt' | 'avgt' | 'sample' | 'ss';
/** Time units a score can be given in. */
export type TimeUnit = 'ns' | 'us' | 'ms' | 's' | 'm' | 'h';

/** One run of the tool: many trials, one environment, one seed. */
export interface RunResult {
  readonly format: 'tscope-result';
  readonly version: string;
  /** Sortable id, also the folder name under `.tscope/runs`. */
  readonly id: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly tool: { readonly name: 'tscope'; readonly version: string };
  /** `complete` = every planned fork ran (failed ones included); `interrupted` = stopped on request or killed; resumable. */
  readonly status: 'complete' | 'interrupted';
  /** Seed of the fork order (32-bit unsigned). */
  readonly seed: number;
  readonly environment: Environment;
  /** Command line as typed (without the node executable), for the record. */
  readonly command: readonly string[];
  readonly trials: readonly Trial[];
  /** What concerns the run as a whole (no addon, busy machine...). */
  readonly findings: readonly Finding[];
  /** How the numbers of forks were decided while the run went on; absent when they were fixed before. */
  readonly stop?: StopRule;
}

/** When an adaptive run has enough forks. Decided before the first one, from widths only, never from the estimate. */
export interface StopRule {
  /** `stein`: two stages, the second planned from the spread of the first; `width`: looks at the width at planned numbers of forks. */
  readonly rule: 'stein' | 'width';
  /** Half-width of the score's interval to reach, relative to the score: the narrowest of the trials' own (their option `precision`). */
  readonly target: number;
  readonly confidence: number;
  /** Forks of the first stage, or before the first look. */
  readonly pilot: number;
  /** No trial gets more forks than this. */
  readonly cap: number;
  /** Time all forks together may take, ms; null = no limit. */
  readonly budgetMs: number | null;
}

/** How a stop rule ended for one trial. */
export interface StopOutcome {
  /** `reached`: as many forks as the rule asks for; `cap`, `budget`: it would have asked for more; `unfinished`: stopped from outside, or failed. */
  readonly outcome: 'reached' | 'cap' | 'budget' | 'unfinished';
  /** Forks that the rule asks for, in all; null when it cannot say. */
  readonly wanted: number | null;
  /** Relative half-width at the end, by the rule's own interval; null without one. */
  readonly halfWidth: number | null;
  /** Looks of the width rule. */
  readonly looks: readonly { readonly n: number; readonly halfWidth: number | null }[];
}

/** All forks of one benchmark with one set of params, in one mode. */
export interface Trial {
  /** Stable key inside and across runs: `file:suite.benchmark:mode:{"param":value}`. */
  readonly id: string;
  /** Path relative to the working directory of the run, with `/`. */
  readonly file: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly baseline: boolean;
  /** Every option after merging, with where each value came from. */
  readonly options: ResolvedOptions;
  readonly status: 'ok' | 'failed' | 'partial';
  /** Why it failed (first failure), when it did. */
  readonly failure: Failure | null;
  readonly forks: readonly Fork[];
  /** The headline: null when no fork succeeded. */
  readonly score: Score | null;
  /** Named additional scores: counters, group methods, percentiles. */
  readonly secondary: Readonly<Record<string, Score>>;
  /** Declared counters and what they count; absent = none. `operations` are rates like the primary score, `events` sums. */
  readonly counters?: Readonly<Record<string, 'operations' | 'events'>>;
  /** The headline without time that was taken from the measuring thread, and its share; absent when nothing could be told. */
  readonly aware?: AwareScore;
  readonly findings: readonly Finding[];
  /** Of an adaptive run: how its stop rule ended here. */
  readonly stop?: StopOutcome;
}

/** Interference-aware score of a trial, from the same forks as the headline. */
export interface AwareScore {
  readonly score: Score;
  /** Time left out over all time measured. */
  readonly share: number;
  readonly excludedNs: number;
}

/** A point estimate with its interval; the level and the method are part of the number. */
export interface Score {
  readonly value: number;
  /** For example `ns/op`, `ops/s`, `#`. */
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  /** Half-width of the interval; null when there is none (status says why). */
  readonly error: number | null;
  readonly interval: readonly [low: number, high: number] | null;
  /** Confidence level of the interval, for example 0.95. */
  readonly confidence: number;
  /** For example `t on fork means`. */
  readonly method: string;
  /** What `n` counts. */
  readonly level: 'fork' | 'iteration' | 'sample';
  readonly n: number;
  readonly min: number;
  readonly max: number;
  /** `ok`, or why there is no interval. */
  readonly status: 'ok' | 'too-few-forks' | 'constant';
}

/** Something worth knowing about a trial or a run: fact, cause, next action in one sentence. */
export interface Finding {
  /** Stable id, for example `eliminated`, `no-addon`, `not-top-tier`; `--allow <id>` silences it. */
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Numbers behind it, for machines. */
  readonly data?: Readonly<Record<string, number | string | boolean | null>>;
  /** Fork indexes concerned; absent = all. */
  readonly forks?: readonly number[];
}

/** Where and how something failed; message and stack come from the user's code where there is any. */
export interface Failure {
  /** For example `load`, `setup`, `setupIteration`, `benchmark`, `teardown`, `timeout`, `exit`, `signal`, `out-of-memory`, `protocol`. */
  readonly phase: string;
  readonly message: string;
  readonly stack: string | null;
  readonly fork: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Every option after merging. `source` of a value: where it was set. */
export type OptionSource = 'default' | 'suite' | 'benchmark' | 'config' | 'environment' | 'command line' | 'call';
/** Every option after merging, each value with where it was set. */
export type ResolvedOptions = Readonly<
  Record<
    string,
    { readonly value: string | number | boolean | null | readonly number[]; readonly source: OptionSource }
  >
>;

/** One fresh process that measured one trial. */
export interface Fork {
  /** 0-based number within the trial. */
  readonly index: number;
  /** Round in which it ran and its position in that round, both 0-based. */
  readonly round: number;
  readonly position: number;
  readonly status: 'ok' | 'failed';
  readonly failure: Failure | null;
  readonly startedAt: string;
  /** Whole life of the process as the host saw it, ms. */
  readonly wallMs: number;
  /** Start-up phases; null where the fork did not get that far. */
  readonly startup: {
    readonly spawnToEntryMs: number | null;
    readonly loadMs: number | null;
    readonly setupMs: number | null;
    readonly spawnToFirstInvocationMs: number | null;
  };
  readonly runtime: ForkRuntime | null;
  readonly warmup: readonly Iteration[];
  /** Why warm-up ended: `steady`, `fixed` (as asked with -wi) or `cap`; null if it did not. */
  readonly warmupEnd: 'steady' | 'fixed' | 'cap' | null;
  readonly iterations: readonly Iteration[];
  /** Kind of the result: number, boolean, string, object, undefined, mixed..., or `blackhole`: nothing is returned, the black hole gets it. */
  readonly resultKind: string | null;
  /** Is the benchmark awaited per invocation? */
  readonly async: boolean | null;
  readonly linearity: Linearity | null;
  /** Cost of the harness measured in this fork, ns. */
  readonly overhead: Overhead | null;
  readonly findings: readonly Finding[];
  /** Last part of what the user's code printed (stdout and stderr, at most 8 KiB each). */
  readonly output: { readonly stdout: string; readonly stderr: string };
}

/** What the harness costs in a fork, ns. */
export interface Overhead {
  /** One turn of the loop with an empty body; null where there is no such loop (asynchronous, single shot). */
  readonly emptyOpNs: number | null;
  readonly clockReadNs: number;
  /** In the first fork of each Node (executable and arguments) that ended well. */
  readonly blackhole?: BlackholeCost;
}

/** Cost of the black hole in ns, over a loop that does the same without it; never below 0. */
export interface BlackholeCost {
  readonly consumeNumberNs: number;
  readonly consumeObjectNs: number;
  /** consumeCPU, per token. */
  readonly tokenNs: number;
}

/** The process as it described itself. */
export interface ForkRuntime {
  readonly pid: number;
  readonly node: string;
  readonly v8: string;
  readonly execArgv: readonly string[];
  /** How the user's file was loaded: `none` (JavaScript), `stripped`, `transformed`. */
  readonly loader: 'none' | 'stripped' | 'transformed';
  readonly clock: ClockInfo;
  /** CPU the JS thread was pinned to; null = not pinned. */
  readonly pinnedCpu: number | null;
  readonly allowedCpus: readonly number[] | null;
}

/** The clock that timed a fork. */
export interface ClockInfo {
  /** `addon` = native ticks, `hrtime` = process.hrtime.bigint (no addon). */
  readonly backend: 'addon' | 'hrtime';
  /** For example `tsc`, `cntvct`, `monotonic-raw`, `hrtime`. */
  readonly source: string;
  readonly hz: number;
  /** Relative uncertainty of hz, ppm; null when not fitted. */
  readonly hzPpm: number | null;
  readonly granularityNs: number;
  readonly readNs: number;
  /** Smallest difference of two reads back to back, ns. */
  readonly floorNs: number;
  /** Why the addon is not used; null when it is. */
  readonly reason: string | null;
}

/** Is time proportional to work? One copy of the body against four. */
export interface Linearity {
  /** Time of four copies over time of one, after the empty loop; null when both are below the floor. */
  readonly ratio: number | null;
  readonly oneNs: number;
  readonly fourNs: number;
  readonly emptyNs: number;
  readonly eliminated: boolean;
}

/** A time- or work-bounded series of chunks in one fork. */
export interface Iteration {
  readonly index: number;
  /** Start since the fork's clock base, ns. */
  readonly startNs: number;
  /** Invocations x opsPerInvocation. */
  readonly ops: number;
  /** Sum of chunk times, ns: what the score is made of. */
  readonly elapsedNs: number;
  /** Wall time from first to last read, ns: elapsed and the harness between chunks. */
  readonly wallNs: number;
  /** Score in the trial's unit; null when it cannot be had (ops = 0). */
  readonly score: number | null;
  readonly chunks: ChunkStats | null;
  /** sample mode: log-linear histogram of op times. */
  readonly histogram: HistogramData | null;
  readonly gc: { readonly count: number; readonly ns: number };
  /** Involuntary context switches of the JS thread; null when unknown. */
  readonly involuntarySwitches: number | null;
  /** Gaps seen inside the iteration: chunks much longer than the median, what they lost. */
  readonly gaps: { readonly count: number; readonly lostNs: number; readonly worstNs: number };
  /** Clock against the kernel's over the iteration. */
  readonly clock: { readonly driftNs: number | null; readonly discontinuity: boolean };
  /** Optimisation tier of the measured loop and body at the end, and whether it changed inside. */
  readonly tier: TierInfo | null;
  /** Tags such as `gc`, `deopt`, `compiled`, `gap`, `clock-jump`, `canary`. */
  readonly tags: readonly string[];
  /** Per-thread ops and ns, when threads > 1. */
  readonly threads:
    | readonly {
        readonly ops: number;
        readonly elapsedNs: number;
        /** Method of the group; null outside of groups. */
        readonly label: string | null;
        /** The thread's own counters; absent when the suite declares none. */
        readonly counters?: Readonly<Record<string, number>>;
      }[]
    | null;
  /** User counters; with threads their sums. */
  readonly counters: Readonly<Record<string, number>> | null;
  /** Canary times, ns: arithmetic and memory-bound. */
  readonly canary: { readonly arithmeticNs: number; readonly memoryNs: number } | null;
  /** Interference-aware score and what it left out; null when nothing could be told. */
  readonly aware: Aware | null;
}

/** An iteration without the time that, as the kernel recorded it, was taken from its thread. */
export interface Aware {
  readonly score: number | null;
  readonly excludedNs: number;
  /** Stretches of chunks from which time was left out. */
  readonly excludedChunks: number;
  /** The first of them, one by one; absent when there are none. */
  readonly log?: readonly ExcludedTime[];
}

/** Time left out of an interference-aware score. */
export interface ExcludedTime {
  /** When it was noticed, whole ns since the iteration began. */
  readonly atNs: number;
  readonly ns: number;
  /** `switch`: the kernel gave the CPU to another thread; `stolen`: the thread's clock stood still without one (hypervisor, interrupts). */
  readonly cause: 'switch' | 'stolen';
}

/** `inlined`: the body has no top-tier code of its own and none is pending, because the optimised loop contains it. */
export type Tier = 'interpreter' | 'baseline' | 'maglev' | 'turbofan' | 'optimized' | 'inlined' | 'unknown';
/** Optimisation tiers of the measured loop and of the benchmark's body. */
export interface TierInfo {
  readonly loop: Tier;
  readonly body: Tier;
  readonly changed: boolean;
  readonly deopts: number | null;
}

/** Times of whole chunks, ns per op, with how many invocations a chunk held. */
export interface ChunkStats {
  readonly count: number;
  readonly invocations: number;
  readonly minNs: number;
  readonly medianNs: number;
  readonly p90Ns: number;
  readonly maxNs: number;
  /** ns per op of every chunk in order, kept when asked for (`--keep-chunks`). */
  readonly values: readonly number[] | null;
}

/** Log-linear histogram as [lower edge ns, count] pairs, ascending. */
export interface HistogramData {
  readonly unit: 'ns';
  readonly buckets: readonly (readonly [number, number])[];
  readonly min: number;
  readonly max: number;
  readonly total: number;
}

/** The machine as found before the run. Unknown values are null. */
export interface Environment {
  readonly host: string;
  readonly platform: string;
  readonly arch: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly cpuCount: number;
  readonly allowedCpus: readonly number[] | null;
  readonly memoryBytes: number;
  readonly hypervisor: boolean | null;
  readonly governor: string | null;
  readonly turbo: string | null;
  readonly smt: string | null;
  readonly isolatedCpus: readonly number[] | null;
  readonly nohzFullCpus: readonly number[] | null;
  readonly clocksource: string | null;
  readonly loadAverage: readonly number[];
  /** PSI cpu `some avg10`, percent. */
  readonly cpuPressure: number | null;
  /** cgroup CPU quota in CPUs; null = none. */
  readonly cpuQuota: number | null;
  readonly node: string;
  readonly v8: string;
  readonly nodeExecutable: string;
  readonly nodeFlags: readonly string[];
  readonly backend: 'addon' | 'hrtime';
  readonly backendReason: string | null;
  readonly clock: ClockInfo | null;
}
