import { UsageError } from '../runner/usage-error.js';
import { DURATION_HINT, parseDuration } from '../suite/duration.js';
import { readWholeRun, type WholeRun } from '../suite/whole-run.js';

/** Flags of whole-run options, as commander hands them over. */
export interface WholeRunFlags {
  readonly precisionRule?: string;
  readonly maxForks?: string;
  readonly budget?: string;
  readonly keepEnv?: readonly string[];
}

const FLAG = {
  precisionRule: '--precision-rule',
  maxForks: '--max-forks',
  budget: '--budget',
  keepEnv: '--keep-env',
} as const;

/** `--budget` in ms: a bare number is seconds on the command line. */
function budgetMs(text: string): number {
  const ms = parseDuration(text, 's');
  if (ms !== null && ms > 0) return ms;
  throw new UsageError(`--budget: "${text}" is not a time; ${DURATION_HINT} (a bare number is seconds).`);
}

/** Whole-run options of the command line; throws UsageError naming the flag. */
export function wholeRunOptions({ precisionRule, maxForks, budget, keepEnv }: WholeRunFlags): WholeRun {
  const names = (keepEnv ?? []).flatMap((list) => list.split(','));
  const read = readWholeRun({
    precisionRule,
    maxForks: maxForks !== undefined && /^\d+$/.test(maxForks) ? Number(maxForks) : maxForks,
    budget: budget === undefined ? undefined : budgetMs(budget),
    keepEnv: names.length > 0 ? names : undefined,
  });
  if ('problem' in read) throw new UsageError(`${FLAG[read.field]}: ${read.problem}`);
  return read.options;
}
