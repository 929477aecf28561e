/** What the runner is asked to do and what it tells while doing it. Plain data, so that a plan can be stored and taken up again. */
import type { ForkPlan, LoaderPlan } from '../protocol/messages.js';
import type { Environment, Finding, Fork, Mode, Params, ResolvedOptions, StopRule, Trial } from '../result/model.js';

/** What the runner itself fills into a {@link ForkPlan}, fork by fork. */
type FilledIn =
  | 'kind'
  | 'protocol'
  | 'token'
  | 'seed'
  | 'blackholeCost'
  | 'spawnedAtMs'
  | 'pinCpus'
  | 'helperCpus'
  | 'loader'
  | 'file'
  | 'suite'
  | 'benchmark'
  | 'params'
  | 'mode';

/** One trial: which benchmark, how often, under which options. */
export interface TrialPlan {
  readonly id: string;
  /** Absolute path of the benchmark file. */
  readonly file: string;
  /** The path as results show it: relative to the working directory, with `/`. */
  readonly fileLabel: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly baseline: boolean;
  /** Function to call when it is not the one named `benchmark`: a polluted trial has a name of its own. */
  readonly method?: string;
  readonly counters?: Trial['counters'];
  /** Options after merging, for the record; `pin: false` is the only one the runner reads here. */
  readonly options: ResolvedOptions;
  readonly fork: Omit<ForkPlan, FilledIn>;
  /** Measured forks, at least 1. */
  readonly forks: number;
  /** Forks run first and discarded. */
  readonly warmupForks: number;
  /** Limit of a whole fork, ms from spawn to exit; then SIGTERM, then SIGKILL. */
  readonly forkTimeoutMs: number;
  /** Arguments for the node executable, as the user gave them. */
  readonly nodeArgs: readonly string[];
  readonly nodeExecutable: string;
  /** The file was described and loads no TypeScript. Default false: not known. */
  readonly plain?: boolean;
  /** What describing the file brought up; copied into the trial. */
  readonly descriptionFindings: readonly Finding[];
}

/** CPUs of a run, see chooseCpus. */
export interface CpuPlan {
  /** CPUs for measuring threads, in order of use; null = no pinning. */
  readonly measured: readonly number[] | null;
  /** CPUs for the host and for V8's and libuv's threads; null = leave them. */
  readonly helpers: readonly number[] | null;
}

/** A whole run. */
export interface RunPlan {
  readonly id: string;
  /** Seed of the order and of everything random in the forks, 32-bit unsigned. */
  readonly seed: number;
  readonly trials: readonly TrialPlan[];
  /** `random`: rounds of one fork of each trial, shuffled; `sequential`: all forks of a trial back to back. */
  readonly order: 'random' | 'sequential';
  readonly environment: Environment;
  readonly command: readonly string[];
  /** Folder of the journal, `.tscope/runs/<id>`. */
  readonly runDir: string;
  readonly toolVersion: string;
  readonly pin: CpuPlan;
  /** Stop the run at the first failure (JMH's -foe). */
  readonly failFast: boolean;
  /** At most this many forks of a trial are run again because their canaries strayed; default 0: none. */
  readonly strayReruns?: number;
  readonly loader: LoaderPlan;
  /** Working directory of the forks. Default: the host's. */
  readonly cwd?: string;
  /** Names of environment variables that forks keep beside the few they always get. */
  readonly keepEnv?: readonly string[];
  /** Decides how many forks follow the planned ones; needs order `random`. */
  readonly stop?: StopRule;
}

/** What happens to forks, as it happens; `T` is how a trial is named. Nothing is sent while a fork measures. */
export type ForkEvent<T> =
  | {
      readonly type: 'fork-started';
      readonly trial: T;
      /** 0-based among the measured forks; null for a discarded one. */
      readonly fork: number | null;
      readonly round: number;
      readonly position: number;
      /** What is started, first attempt and later ones: the executable and its arguments. */
      readonly command: readonly string[];
    }
  | { readonly type: 'fork-finished'; readonly trial: T; readonly fork: Fork; readonly discarded: boolean }
  | {
      readonly type: 'progress';
      /** Forks. */
      readonly done: number;
      readonly total: number;
      readonly elapsedMs: number;
      /** Expected rest, ms; null before the first fork ended. */
      readonly etaMs: number | null;
    };

/** What happens during a run. */
export type RunEvent =
  | ForkEvent<TrialPlan>
  /** No fork of this trial is left to run. Scores are still null. */
  | { readonly type: 'trial-finished'; readonly trial: Trial }
  | { readonly type: 'warning'; readonly finding: Finding };

/** Time as the runner needs it; a fake in tests. */
export interface Clock {
  /** Monotonic, ms with fraction. */
  now(): number;
  /** Milliseconds since the epoch, with fraction. */
  epochMs(): number;
  /** Calls `action` once after `ms`; the returned function cancels. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => performance.timeOrigin + performance.now(),
  after(ms, action) {
    // A longer delay than a timer can hold would fire at once.
    const timer = setTimeout(action, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
