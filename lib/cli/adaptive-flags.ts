import type { StopRule } from '../result/model.js';
import { UsageError } from '../runner/usage-error.js';
import { DURATION_HINT, parseDuration } from '../suite/duration.js';
import { shareFlag } from './compare-flags.js';

/** Flags of adaptive runs, as commander hands them over. */
export interface AdaptiveFlags {
  readonly precision?: string;
  readonly precisionRule?: string;
  readonly maxForks?: string;
  readonly budget?: string;
}

/** Forks of a trial at most, unless asked otherwise: beyond, a rule that asks for more is asking for another machine. */
export const DEFAULT_CAP = 200;

/** `--budget` in ms; null without it. */
export function budgetMs({ budget }: AdaptiveFlags): number | null {
  if (budget === undefined) return null;
  const ms = parseDuration(budget, 's');
  if (ms !== null && ms > 0) return ms;
  throw new UsageError(`--budget: "${budget}" is not a time; ${DURATION_HINT} (a bare number is seconds).`);
}

/**
 * The stop rule that `--precision` asks for; null without it.
 *
 * @param pilot Forks of the trial that has fewest, as planned: the first stage.
 */
export function stopRule(flags: AdaptiveFlags, pilot: number, order: string, confidence: number): StopRule | null {
  const { precision, precisionRule = 'stein', maxForks } = flags;
  if (precision === undefined) {
    for (const [flag, value] of [
      ['--precision-rule', flags.precisionRule],
      ['--max-forks', maxForks],
    ] as const)
      if (value !== undefined) throw new UsageError(`${flag} belongs to --precision, which is not given.`);
    return null;
  }
  const target = shareFlag('--precision', precision);
  if (precisionRule !== 'stein' && precisionRule !== 'width')
    throw new UsageError(`--precision-rule: "${precisionRule}" is not one of stein, width.`);
  if (order !== 'random')
    throw new UsageError('--precision needs --order random: forks that are added later must fall on all trials alike.');
  const least = precisionRule === 'stein' ? 3 : 10;
  if (pilot < least) {
    throw new UsageError(
      `--precision: rule ${precisionRule} needs at least ${least} forks to begin with, not ${pilot}; give -f ${least} or more (10 are better).`,
    );
  }
  const cap = maxForks === undefined ? Math.max(DEFAULT_CAP, pilot) : Number(maxForks);
  if (!Number.isSafeInteger(cap) || cap < pilot)
    throw new UsageError(
      `--max-forks: "${maxForks}" is not a whole number of at least ${pilot}, the forks to begin with.`,
    );
  return { rule: precisionRule, target, confidence, pilot, cap, budgetMs: budgetMs(flags) };
}
