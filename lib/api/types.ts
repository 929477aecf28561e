/** Types of {@link run}. Nothing here exists at run time, so that benchmark files which import this package stay light. */
import type { Environment, Finding, Mode, Params, ParamValue, RunResult, Trial } from '../result/model.js';
import type { ForkEvent } from '../runner/types.js';
import type { RunOptions, Suite, WholeRunOptions } from '../suite/types.js';

/**
 * What can be run: the path or URL of a benchmark file, a folder, a glob, or a suite whose functions are self-contained.
 *
 * Forks are processes and functions cannot be sent to a process. A file is imported there. A suite that is given as an object is written
 * to a module of its own from the source text of its functions; a function that uses a variable from around it therefore fails, with a
 * sentence that names the variable.
 */
export type RunInput = string | URL | Suite;

/** Options of one call of {@link run}: every option of a suite, above all other layers, and what concerns the whole run. */
export interface RunSettings extends RunOptions, WholeRunOptions {
  /** Replaces values of params. */
  readonly params?: Readonly<Record<string, ParamValue | readonly ParamValue[]>>;
  /** Keeps benchmarks whose full name (`Suite.benchmark`) matches one of these; a string is a regular expression. */
  readonly only?: string | RegExp | readonly (string | RegExp)[];
  /** Leaves out benchmarks whose full name matches one of these. */
  readonly exclude?: string | RegExp | readonly (string | RegExp)[];
  /** Seed of the fork order, 0 to 4294967295. Default random, always recorded. */
  readonly seed?: number;
  /** `random`: rounds of one fork of each trial, shuffled; `sequential`: trial by trial. Default `random`. */
  readonly order?: 'random' | 'sequential';
  /** Stop at the first failure. Default false. */
  readonly failFast?: boolean;
  /** Ids of findings to silence. */
  readonly allow?: readonly string[];
  /** Node executable of the forks. Default the one that runs this process. */
  readonly node?: string;
  /** How TypeScript is loaded. Default `strip`. */
  readonly loader?: 'strip' | 'native' | 'none';
  /** Keep the time of every chunk in the result. Default false. */
  readonly keepChunks?: boolean;
  /** Time the canary loops beside iterations. Default true. */
  readonly canaries?: boolean;
  /** At most this many forks of a trial are run again because their canaries strayed. Default 0. */
  readonly strayReruns?: number;
  /** Check that time grows with work. Default true. */
  readonly linearity?: boolean;
  /** Folder that paths and the run folder are relative to, and in which forks run. Default the working directory. */
  readonly cwd?: string;
  /** Config file; `false` = none. Default the nearest `tscope.config.*`, as on the command line. */
  readonly config?: string | false;
  /** Keep the journal and the result below `.tscope/runs/<id>`. Default true; false removes them when the run is over. */
  readonly keep?: boolean;
  /**
   * Move the threads of this process off the measured CPUs during the run, and back afterwards. Default true: a host that shares a CPU with
   * a fork takes time from it.
   */
  readonly moveHost?: boolean;
  /**
   * Stops the run. Before the first fork the result is rejected with the signal's reason; later it is fulfilled with `status: 'interrupted'`
   * and every fork that had finished.
   */
  readonly signal?: AbortSignal;
}

/** Which trial an event is about. */
export interface TrialName {
  readonly id: string;
  readonly file: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly params: Params;
  readonly mode: Mode;
}

/** What happens during a run. Nothing is sent while a fork measures. */
export type RunEvent =
  /** Everything is known and nothing measured yet. */
  | {
      readonly type: 'planned';
      readonly id: string;
      /** Folder of the journal. */
      readonly runDir: string;
      /** Forks of the whole run, discarded ones included. */
      readonly forks: number;
      readonly trials: readonly TrialName[];
      readonly environment: Environment;
    }
  | ForkEvent<TrialName>
  /** No fork of this trial is left: score and findings are there. */
  | { readonly type: 'trial-finished'; readonly trial: Trial }
  | { readonly type: 'finding'; readonly finding: Finding };

/** A run that has begun. Iterate over it for its events, from the first one whenever one begins; leaving the loop does not stop the run. */
export interface Run extends AsyncIterable<RunEvent> {
  /**
   * The result. A benchmark that fails fails its trial (`trial.failure`), not the run. Rejected with a UsageError when something cannot be
   * measured as asked (no such file, a mistake in a suite), a TypeError for settings of the wrong type.
   */
  readonly result: Promise<RunResult>;
}
