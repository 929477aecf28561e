/** `tscope run --baseline <name>`: the new run against a saved one, in the same breath. */
import {
  type ComparedRun,
  type CompareOptions,
  type Comparison,
  comparedRun,
  compareRuns,
  gate,
  unlike,
} from '../../analysis/compare/index.js';
import { isBaselineName, keepFolder, saveBaseline } from '../../history/index.js';
import { compareLines } from '../../report/compare.js';
import type { RunResult } from '../../result/model.js';
import { UsageError } from '../../runner/usage-error.js';
import { gateCode, loadBaseline, refuseUnlike } from '../commands/compare.js';
import type { CompareFlags } from '../compare-flags.js';
import type { Io } from '../io.js';

/** Flags of `run` that judge what it measured. */
export interface JudgeFlags extends CompareFlags {
  readonly baseline?: string;
  readonly saveBaseline?: string;
  readonly force?: boolean;
  readonly strict?: boolean;
}

/** What to do with the run when it is over. */
export interface Judging {
  /** Text to show and exit code; null when there is nothing to compare with. */
  judge(result: RunResult): { readonly text: string; readonly code: number } | null;
}

/** Only trials that the new run has: what was filtered out is no gap. */
const restricted = (run: ComparedRun, keys: ReadonlySet<string>): ComparedRun => ({
  ...run,
  arms: run.arms.filter((arm) => keys.has(arm.key)),
});

/**
 * Checks everything that can be checked before measuring: that the baseline exists, has something in common with what will run, and was measured
 * alike.
 *
 * @param head The run before its first fork; null when it is not known yet (a run that is taken up again).
 * @throws UsageError
 */
export function prepareJudging(
  flags: JudgeFlags,
  options: CompareOptions,
  head: RunResult | null,
  cwd: string,
): Judging {
  if (flags.saveBaseline !== undefined && !isBaselineName(flags.saveBaseline))
    throw new UsageError(`--save-baseline: "${flags.saveBaseline}" is not a name (letters, digits, . _ -).`);
  if (flags.baseline === undefined) return { judge: () => null };
  if (options.method === 'paired')
    throw new UsageError('--method paired needs both arms in one run; a saved baseline is another run.');
  const before = loadBaseline(flags.baseline, cwd);
  if (head !== null) {
    const planned = comparedRun(head, 'this run');
    const baseline = restricted(before, new Set(planned.arms.map((arm) => arm.key)));
    if (baseline.arms.length === 0) {
      throw new UsageError(
        `--baseline: the run saved as "${flags.baseline}" has none of these trials (same file, benchmark, mode and params); it has: ${[...new Set(before.arms.map((arm) => arm.name))].slice(0, 5).join(', ')}.`,
      );
    }
    refuseUnlike(baseline, planned, flags.force === true);
  }
  return {
    judge(result) {
      const candidate = comparedRun(result, 'this run');
      const baseline = restricted(before, new Set(candidate.arms.map((arm) => arm.key)));
      const comparison: Comparison = compareRuns(baseline, candidate, options, unlike(baseline, candidate));
      return {
        text: `${compareLines(comparison).join('\n')}\n`,
        code: gateCode(gate(comparison), flags.strict === true),
      };
    },
  };
}

/** Gives the run its name, if it has earned it; otherwise says why not. */
export function nameRun(flags: JudgeFlags, result: RunResult, io: Io): boolean {
  const name = flags.saveBaseline;
  if (name === undefined) return true;
  if (result.status !== 'complete' || result.trials.some((trial) => trial.failure !== null)) {
    io.err(`tscope: not saved as "${name}": a baseline needs a run in which nothing failed and nothing is missing.\n`);
    return false;
  }
  try {
    saveBaseline(keepFolder(io.cwd), name, result.id, new Date().toISOString());
    return true;
  } catch (error) {
    io.err(`tscope: not saved as "${name}": ${(error as Error).message}.\n`);
    return false;
  }
}
