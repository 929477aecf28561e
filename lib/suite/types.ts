/**
 * What users write. Types flow from left to right: params into shared, setup and inputs; what these return into the
 * benchmarks. The definition is plain data and functions; nothing is registered anywhere.
 */
import type { DeclaredOptions } from '../protocol/messages.js';
import type { Mode, ParamValue, TimeUnit } from '../result/model.js';

/** Declared params: a name and the list of its values. */
export type ParamLists = Readonly<Record<string, readonly ParamValue[]>>;

/** Numbers and booleans lose their literal type (arithmetic on them must compile); strings keep it, so that `switch` narrows. */
type Widened<V> = V extends number ? number : V extends boolean ? boolean : V;

/** One combination: each param with one of its values. */
export type ParamValues<P> = { readonly [K in keyof P]: P[K] extends readonly (infer V)[] ? Widened<V> : never };

/** Keeps results alive when a benchmark has several; a single result is simply returned. */
export interface Blackhole {
  /** Makes `value` observable, so that the optimiser must compute it. About 1 ns; see the result header for the cost measured. */
  consume(value: unknown): void;
  /** Burns CPU time linear in `tokens` without touching memory (JMH's consumeCPU). */
  consumeCPU(tokens: number): void;
}

/** The thread a benchmark runs on. */
export interface ThreadInfo {
  /** 0-based index among all threads of the fork. */
  readonly index: number;
  readonly count: number;
  /** Name of the group method, if in a group. */
  readonly group: string | null;
  /** 0-based copy of the group that the thread belongs to, and how many copies run (JMH's group index and count); 0 of 1 outside of groups. */
  readonly copy: number;
  readonly copies: number;
}

/** Lets a spinning benchmark see that the iteration is over (JMH's Control). */
export interface Control {
  /** True from the moment all threads measure. */
  readonly start: boolean;
  /** True when the iteration should end; spin loops must check it. */
  readonly stop: boolean;
}

/** What a benchmark gets beside its state. Most need only the state. */
export interface Harness<C extends string = string> {
  readonly blackhole: Blackhole;
  /** Declared counters; add to them, they are zeroed at each iteration. */
  readonly counters: Record<C, number>;
  readonly thread: ThreadInfo;
  readonly control: Control;
}

/** `(state, harness, input) => result`. The result is consumed; a promise is awaited. */
export type BenchmarkFunction<S, I, C extends string = string> = (state: S, harness: Harness<C>, input: I) => unknown;

/** Time as milliseconds, or text like `200ms`, `1.5s`, `2m`. */
export type Duration = number | string;

/**
 * Options of a run as a whole. They can be set on the command line, by environment variables, in the config file and in a call of `run()`; not
 * in a suite, because they are about all trials together.
 */
export interface WholeRunOptions {
  /** `stein` (default): two stages, the level is exact; `width`: looks at the width every five forks. */
  readonly precisionRule?: 'stein' | 'width';
  /** Forks of a trial at most, with `precision`. Default 200. */
  readonly maxForks?: number;
  /** Time for the whole run: planned for the narrowest intervals, or the limit of `precision`. */
  readonly budget?: Duration;
  /**
   * Names of environment variables that forks get beside the few they always have. Their environment is built, not inherited. `NODE_OPTIONS` and
   * what else steers Node is refused. Runs that keep different names are unlike.
   */
  readonly keepEnv?: readonly string[];
}

/** Options that a suite or a benchmark may set; a command line, the environment or a config file override them. */
export interface RunOptions {
  /** Mode or modes to measure in. Default `avgt`. */
  readonly mode?: Mode | 'all' | readonly Mode[];
  /** Unit of the score. Default `ns`; in thrpt `s` (ops/s). */
  readonly unit?: TimeUnit;
  /** Fresh processes per trial, at least 1. Default 10. */
  readonly forks?: number;
  /** Whole forks run first and discarded (JMH's -wf). Default 0. */
  readonly warmupForks?: number;
  /** Exactly this many warm-up iterations of `warmupTime`, instead of until steady. */
  readonly warmupIterations?: number;
  /**
   * `indi` (default): each fork warms its own benchmark. `bulk`: each fork warms all benchmarks of the suite in declared order, its own at
   * its place, and measures without warming again. `bulk_indi`: each benchmark is measured twice, alone and polluted, that is in forks that
   * run the other benchmarks first and then its own, so that code they share has seen their types too (JMH's -wm).
   */
  readonly warmupMode?: 'indi' | 'bulk' | 'bulk_indi';
  /** Length of a warm-up iteration. Default 100 ms. */
  readonly warmupTime?: Duration;
  /** Measured iterations per fork, at least 1. Default 5. */
  readonly iterations?: number;
  /** Length of a measured iteration. Default 100 ms. */
  readonly iterationTime?: Duration;
  /** Invocations that make one op in ss and one sample in sample mode. Default 1. */
  readonly batchSize?: number;
  /** Batch size of warm-up iterations. Default: `batchSize`. */
  readonly warmupBatchSize?: number;
  /** Ops that one invocation performs. Default 1. */
  readonly opsPerInvocation?: number;
  /** JS threads (workers) that run the benchmark; of a group, whole copies that hold at least so many. Default 1. */
  readonly threads?: number | 'max' | 'half';
  /** Limit of one iteration or fixture. Default 60 s. */
  readonly timeout?: Duration;
  /** Promises kept in flight by an async benchmark. Default 1. */
  readonly inflight?: number;
  /** Pin the measuring thread to one CPU. Default true where possible. */
  readonly pin?: boolean;
  /** Call through one megamorphic call site, in every mode: the same call shape for every benchmark. Default false. */
  readonly opaque?: boolean;
  /** Collect garbage before each iteration. Default false. */
  readonly gc?: boolean;
  /** Synchronise threads at the start and end of iterations. Default true. */
  readonly syncIterations?: boolean;
  /**
   * Measure until the interval of the score is at most ± this share of it: `'1%'` or 0.01; `forks` are then the first stage. Default: the forks
   * that are asked for and no more.
   */
  readonly precision?: number | string;
  /** Extra arguments for the node executable of the forks. */
  readonly nodeArgs?: readonly string[];
}

/** A benchmark with options of its own. */
export interface BenchmarkDefinition<S, I, C extends string = string> extends RunOptions {
  /** The function that is measured. */
  readonly run: BenchmarkFunction<S, I, C>;
  /** The one that the others of the suite are compared with; at most one per suite. */
  readonly baseline?: boolean;
}

/** Everything a suite can declare. */
export interface SuiteDefinition<P extends ParamLists, Sh, S, I, C extends string> extends RunOptions {
  /** Named values to measure over; the cross product is taken. */
  readonly params?: P;
  /** Keeps a combination when it returns true. */
  readonly where?: (params: ParamValues<P>) => boolean;
  /** Once per fork; the result is handed to every thread by structured clone. */
  readonly shared?: (params: ParamValues<P>) => Sh;
  /** Once per thread, before warm-up. What it returns (or resolves to) is the state; without setup, the params are. */
  readonly setup?: (params: ParamValues<P>, shared: Awaited<Sh>) => S;
  /** Once per thread, after the last iteration. */
  readonly teardown?: (state: Awaited<S>, params: ParamValues<P>) => unknown;
  /** Before each iteration, warm-up included; not timed. */
  readonly setupIteration?: (state: Awaited<S>, params: ParamValues<P>) => unknown;
  /** After each iteration, warm-up included; not timed. */
  readonly teardownIteration?: (state: Awaited<S>, params: ParamValues<P>) => unknown;
  /** Before each invocation; its time is excluded at the price of two clock reads per invocation. */
  readonly setupInvocation?: (state: Awaited<S>, params: ParamValues<P>) => unknown;
  /** After each invocation; not timed, as above. */
  readonly teardownInvocation?: (state: Awaited<S>, params: ParamValues<P>) => unknown;
  /** Prepared inputs that the loop walks, one per invocation, handed over as the third argument. */
  readonly inputs?: (params: ParamValues<P>, state: Awaited<S>) => readonly I[] | Promise<readonly I[]>;
  /** Named counters: `operations` become rates, `events` sums. */
  readonly counters?: Readonly<Record<C, 'operations' | 'events'>>;
  /** The benchmarks by name: functions, or functions with options of their own. */
  readonly benchmarks: Readonly<
    Record<string, BenchmarkFunction<Awaited<S>, I, C> | BenchmarkDefinition<Awaited<S>, I, C>>
  >;
  /**
   * Asymmetric groups: `{ queue: { put: 1, take: 3 } }` runs `put` on one thread and `take` on three. With `threads` above 4 several copies
   * of the group run at once, all on the one `shared`; `thread.copy` tells them apart.
   */
  readonly groups?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A suite as the engine and the describer see it: types erased. */
// biome-ignore lint/suspicious/noExplicitAny: the user's own types are erased on purpose; the engine never looks inside them.
export type AnySuiteDefinition = SuiteDefinition<any, any, any, any, any>;

/** What `suite()` returns and a benchmark file exports by default. */
export interface Suite {
  readonly kind: 'suite';
  readonly name: string;
  readonly definition: AnySuiteDefinition;
}

export type { DeclaredOptions };
