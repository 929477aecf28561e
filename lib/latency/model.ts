/** What a latency measurement leaves behind: plain JSON, histograms included, so that every number of a report can be computed again. */
import type { HistogramBuckets } from '../histogram/index.js';
import type { ClockInfo, Environment, Failure, Finding, ForkRuntime, Params } from '../result/model.js';
import type { LatencyConfig } from '../suite/latency-options.js';

/** Version of the latency result, `major.minor`. */
export const LATENCY_VERSION = '1.0';

/** One measurement with one set of params: all its forks. Times are ns unless a name says otherwise. */
export interface LatencyData {
  readonly format: 'tscope-latency';
  readonly version: string;
  readonly createdAt: string;
  readonly tool: { readonly name: 'tscope'; readonly version: string };
  /** The machine before the first fork; null when it was not looked at. */
  readonly environment: Environment | null;
  /** Path as given, with `/`. */
  readonly file: string;
  readonly name: string;
  readonly params: Params;
  readonly config: LatencyConfig;
  /** Names of environment variables that forks were given on request; absent = none. */
  readonly keepEnv?: readonly string[];
  /** `ok`; `partial` = stopped on request; `failed` = a fork failed. What was measured is here in every case. */
  readonly status: 'ok' | 'partial' | 'failed';
  readonly forks: readonly LatencyFork[];
}

/** One process: its warm-up, its runs, and why it failed if it did. */
export interface LatencyFork {
  readonly index: number;
  readonly status: 'ok' | 'partial' | 'failed';
  readonly failure: Failure | null;
  readonly runtime: ForkRuntime | null;
  readonly clock: ClockInfo | null;
  /** Who issued the events, and why not the usual one (null = as asked or as usual). */
  readonly driver: DriverInfo | null;
  readonly warmup: WarmupInfo | null;
  /** Jitter of the CPU under test before the first run; null = not sampled (see findings). */
  readonly floor: JitterSummary | null;
  readonly runs: readonly LatencyRun[];
  readonly findings: readonly Finding[];
  /** Last part of what the user's code printed. */
  readonly output: { readonly stdout: string; readonly stderr: string };
}

/** Who issued the events, and how it was pinned. */
export interface DriverInfo {
  readonly kind: 'spin' | 'pacer' | 'timer';
  /** Why another driver than the preferred one is used; null when it is not. */
  readonly fallback: string | null;
}

/** How warm-up went and what ended it. */
export interface WarmupInfo {
  readonly events: number;
  readonly ns: number;
  /** `count` or `time` as asked, `steady` = times settled, `cap` = they did not within the limit, `none`. */
  readonly end: 'none' | 'count' | 'time' | 'steady' | 'cap';
}

/** One run. Counts obey issued = done + lost + failed + (in flight when stopped); planned = issued + skipped for a complete run. */
export interface LatencyRun {
  /** 1-based within the fork. */
  readonly run: number;
  /** Wall clock at t0, ISO 8601. */
  readonly startedAt: string;
  /** False when it was stopped or failed on the way. */
  readonly complete: boolean;
  readonly plannedEvents: number;
  /** Planned start of the last event, ns after t0. */
  readonly plannedNs: number;
  /** From t0 to the end of the last event, ns. */
  readonly elapsedNs: number;
  readonly issued: number;
  readonly done: number;
  /** Not done within the timeout; in the histograms as at least that. */
  readonly lost: number;
  /** Threw or rejected; in no response histogram. */
  readonly failed: number;
  /** Dropped by `late: 'skip'`. */
  readonly skipped: number;
  /** sample() calls on events that were done already. */
  readonly sampledTwice: number;
  /** Done after having been given up as lost; not recorded again. */
  readonly afterTimeout: number;
  /** Events that the pacer's ring had no room for. */
  readonly overflow: number;
  /** Differences that came out negative because the clock went backwards; recorded as 0. */
  readonly clockBackwards: number;
  readonly maxInFlight: number;
  /** Completions per second, over the plan or up to the last of them, whichever is longer. */
  readonly achievedPerSec: number;
  /** Completions per second in the best interval. */
  readonly bestPerSec: number;
  /**
   * Smallest backlog in each quarter of the plan: events in flight plus events due and not started (at the mean rate, as if the plan went on), at each start. Where it comes down to
   * (nearly) nothing again and again, the rate is kept; where even its smallest value grows, it is not.
   */
  readonly minBacklog: readonly [number, number, number, number];
  /** End - planned start (with coordinatedOmission: false, end - actual start). */
  readonly response: HistogramBuckets;
  /** End - actual start. */
  readonly service: HistogramBuckets;
  /** Actual start - planned start: all reasons. */
  readonly lateness: HistogramBuckets;
  /** The part of lateness that the driver made: it could have started the event earlier, and did not. */
  readonly driverDelay: HistogramBuckets;
  readonly probes: Readonly<Record<string, HistogramBuckets>>;
  readonly intervals: readonly LatencyInterval[];
  readonly worst: readonly WorstSample[];
  readonly jitter: readonly JitterSummary[];
  /** Flat [planned, start, end] of every event in the order they ended, ns after t0; null unless kept. */
  readonly samples: readonly number[] | null;
  readonly findings: readonly Finding[];
}

/** What happened beside the events, per interval (1 s, longer in runs above two minutes). */
export interface LatencyInterval {
  /** Start after t0 and length, ns. */
  readonly startNs: number;
  readonly lengthNs: number;
  /** Events that ended in it. */
  readonly response: HistogramBuckets;
  readonly gc: { readonly count: number; readonly ns: number };
  /** Involuntary context switches of the measuring thread; null when unknown. */
  readonly involuntarySwitches: number | null;
  /** Largest event-loop delay, ns; null when unknown (the spin driver does not let the loop run). */
  readonly loopDelayMaxNs: number | null;
}

/** One of the slowest events, with what happened on the machine meanwhile. */
export interface WorstSample {
  readonly seq: number;
  /** ns after t0. */
  readonly plannedNs: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly responseNs: number;
  readonly causes: readonly string[];
}

/** Gaps seen by a spinning sampler on one CPU. */
export interface JitterSummary {
  readonly cpu: number | null;
  /** `floor` = before the runs on the CPU under test; `run` = beside a run. */
  readonly when: 'floor' | 'run';
  readonly thresholdNs: number;
  readonly elapsedNs: number;
  readonly lostNs: number;
  readonly gaps: HistogramBuckets;
  /** Largest gaps, with their start on the run's clock (ns after t0; for the floor, after its own start) and a cause. */
  readonly worst: readonly { readonly atNs: number; readonly gapNs: number; readonly cause: string }[];
}
