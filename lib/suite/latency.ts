import type { Duration, ParamLists, ParamValues } from './types.js';

/** A rate: events per second as a number, or text with the unit: `20000/s`, `50/ms`, `0.5/us`. */
export type Rate = number | string;

/**
 * How the gaps between planned starts are drawn. Every process has the given rate as its mean.
 * - `constant`: equal gaps;
 * - `poisson`: independent exponential gaps, what many independent clients make;
 * - `uniform`: independent gaps uniform in [0, 2 / rate);
 * - `burst`: constant spacing during `on`, nothing during `off`, faster inside `on` so that the mean is the rate;
 * - `ramp`: the rate goes linearly from `from` to `to` over a run; `rate` must be left out (the mean is half their sum);
 * - `trace`: gaps in ns, repeated from the start when they run out; `rate` must be left out (the mean of the gaps gives it).
 */
export type Arrivals =
  | 'constant'
  | 'poisson'
  | 'uniform'
  | { readonly kind: 'burst'; readonly on: Duration; readonly off: Duration }
  | { readonly kind: 'ramp'; readonly from: Rate; readonly to: Rate }
  | { readonly kind: 'trace'; readonly gaps: readonly number[] };

/**
 * What happens to an event whose planned start has passed:
 * - `catch-up`: it starts at once, however many wait;
 * - `capped`: at most `cap` times the planned rate while catching up;
 * - `skip`: it is dropped and counted when the next one is due as well; the run is marked as partial.
 */
export type LatePolicy = 'catch-up' | 'capped' | 'skip';

/** One planned event, as the task gets it. */
export interface LatencyEvent<I, N extends string> {
  /** Planned start, ns on the clock of {@link now}. */
  readonly startNs: number;
  /** 0-based number of the event within its run (or within the warm-up). */
  readonly seq: number;
  /** The prepared input, in turn. */
  readonly input: I;
  /** True while warming up; nothing of it is kept. */
  readonly warmup: boolean;
  /** Now, ns; the same clock as {@link startNs}. */
  now(): number;
  /**
   * The event is done. Without an argument its end is now; with one, `ns` is its response time, measured by the task.
   * Needed only when the end is not the return (or the settling of the promise) of `run`.
   */
  sample(ns?: number): void;
  /** Records ns for a stage, one function per declared probe: `event.probe.parse(1200)`. */
  readonly probe: { readonly [K in N]: (ns: number) => void };
}

/** What a run was, as `runComplete` gets it. */
export interface RunInfo {
  /** 1-based. */
  readonly run: number;
  readonly runs: number;
  /** Events done in this run. */
  readonly done: number;
}

/** Options that the command line can override. */
export interface LatencyOptions {
  /** Planned events per second. Required unless `arrivals` is a ramp or a trace. */
  readonly rate?: Rate;
  /** Default `constant`. */
  readonly arrivals?: Arrivals;
  /** Seed of the arrivals and thereby of the whole plan, a whole number. Default 1. */
  readonly seed?: number;
  /** Events per run. Default: as many as fit `duration`. Give one of the two. */
  readonly iterations?: number;
  /** Planned length of a run. Default 10 s. */
  readonly duration?: Duration;
  /** Measured runs in one process, at least 1. Default 3. */
  readonly runs?: number;
  /** Processes, at least 1; each does all runs. Default 1. */
  readonly forks?: number;
  /** Events (a number), a time (text such as `2s`), or `steady` = until times settle, at most 20 s. 0 = none. Default `steady`. */
  readonly warmup?: number | string;
  /** Pause between warm-up and the first run. Default 0. */
  readonly pauseAfterWarmup?: Duration;
  /** Default `catch-up`. */
  readonly late?: LatePolicy;
  /** Largest multiple of the planned rate (in bursts that of the burst, in ramps the highest) while catching up with `late: 'capped'`, above 1. Default 2. */
  readonly cap?: number;
  /** When an event counts as lost: it enters the histograms as at least this long. Default 10 s. */
  readonly timeout?: Duration;
  /**
   * What ends an event: `return` = the return of `run` or the settling of its promise (unless it called `sample` before);
   * `sample` = only `sample()`, on any later tick. Default `return`.
   */
  readonly done?: 'return' | 'sample';
  /**
   * Who issues the events: `spin` = the JS thread itself waits for each planned start (for tasks that finish before they return);
   * `pacer` = a native thread releases them into the event loop (for async tasks); `timer` = the event loop polls, where there is no
   * addon. Default: `spin` for a task that returns no promise and has `done: 'return'`, else `pacer`.
   */
  readonly driver?: 'spin' | 'pacer' | 'timer';
  /** False measures each event from its actual start and delays the plan instead: JLBH's other mode. Labelled wherever it is used. Default true. */
  readonly coordinatedOmission?: boolean;
  /** Pin the measuring thread to one CPU. Default true where possible. */
  readonly pin?: boolean;
  /** Watch the machine's own jitter before and during runs (needs the addon). Default true. */
  readonly jitter?: boolean;
  /** Keep planned start, start and end, by the clock, of every event that ended (24 bytes each, not those of lost ones). Default false. */
  readonly keepSamples?: boolean;
  /** Extra arguments for node. */
  readonly nodeArgs?: readonly string[];
}

/** Everything a latency measurement declares. Hooks run in this order: setup, inputs, (warm-up), warmedUp, run..., runComplete, teardown. */
export interface LatencyDefinition<P extends ParamLists, S, I, N extends string> extends LatencyOptions {
  /** Named values to measure over; the cross product is taken. */
  readonly params?: P;
  /** Keeps a combination when it returns true. */
  readonly where?: (params: ParamValues<P>) => boolean;
  /** Names of stages. Each has its own table; they are functions of `event.probe`. */
  readonly probes?: readonly N[];
  /** Once per process, before warm-up. What it returns (or resolves to) is the state; without setup, the params are. */
  readonly setup?: (params: ParamValues<P>) => S;
  /** Prepared inputs, handed to events in turn. */
  readonly inputs?: (params: ParamValues<P>, state: Awaited<S>) => readonly I[] | Promise<readonly I[]>;
  /** The task: one event. See {@link LatencyOptions.done} for what ends it. */
  readonly run: (state: Awaited<S>, event: LatencyEvent<I, N>) => unknown;
  /** After warm-up (and its pause), before the first run. */
  readonly warmedUp?: (state: Awaited<S>) => unknown;
  /** After each run, when every event is done or lost. */
  readonly runComplete?: (state: Awaited<S>, info: RunInfo) => unknown;
  /** At the end, failure included, once setup succeeded. */
  readonly teardown?: (state: Awaited<S>, params: ParamValues<P>) => unknown;
}

/** A latency measurement with its types erased. */
// biome-ignore lint/suspicious/noExplicitAny: the user's own types are erased on purpose; the driver never looks inside them.
export type AnyLatencyDefinition = LatencyDefinition<any, any, any, any>;

/** What `latency()` returns and a file exports by default. */
export interface Latency {
  readonly kind: 'latency';
  readonly name: string;
  readonly definition: AnyLatencyDefinition;
}

/**
 * Declares a latency measurement at a planned rate. Export it (or an array of them) as the default of a `*.latency.ts` file.
 * Nothing is checked here, so that a fork loads in milliseconds; `tscope latency` reports every mistake before it measures.
 *
 * @param name Name in results, unique within the file.
 * @param definition Rate, run lengths, hooks and the task; see {@link LatencyDefinition}.
 */
export function latency<
  const P extends ParamLists = Record<never, never>,
  S = ParamValues<P>,
  I = undefined,
  const N extends string = never,
>(name: string, definition: LatencyDefinition<P, S, I, N>): Latency {
  return { kind: 'latency', name, definition };
}
