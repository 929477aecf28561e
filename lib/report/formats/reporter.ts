import type { Comparison } from '../../analysis/compare/index.js';
import type { RunResult } from '../../result/model.js';

/** One format of results. It only formats: every number exists before, in the result or in lib/analysis. */
export interface Reporter {
  /** Name after `-rf`. */
  readonly id: string;
  /** Of files, without the dot. */
  readonly extension: string;
  /** What it is and who reads it, for help. */
  readonly about: string;
  /** File it goes to when none is named; `-` = standard output. */
  readonly defaultTarget: string;
  /** Environment variable that names the file when nothing else does; text is added to that file. */
  readonly variable?: string;
  /** The whole file. `comparison`: its benchmarks against the baselines of their suites. */
  format(result: RunResult, comparison: Comparison): string;
  /** What of this result has no place in this format, one sentence each; absent = it takes everything. */
  leavesOut?(result: RunResult): string[];
}
