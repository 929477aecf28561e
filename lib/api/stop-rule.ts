/** The stop rule that whole-run options ask for. */
import type { OptionSource, StopRule } from '../result/model.js';
import { variableOf } from '../runner/options/environment.js';
import type { MergedWholeRun } from '../runner/options/whole-run.js';
import { UsageError } from '../runner/usage-error.js';
import type { WholeRun } from '../suite/whole-run.js';

/** Forks of a trial at most, unless asked otherwise: beyond, a rule that asks for more is asking for another machine. */
export const DEFAULT_CAP = 200;

/** How users write each option. */
const WRITTEN: { readonly [K in keyof Required<WholeRun>]: readonly [field: string, flag: string] } = {
  precision: ['precision', '--precision'],
  precisionRule: ['precisionRule', '--precision-rule'],
  maxForks: ['maxForks', '--max-forks'],
  budgetMs: ['budget', '--budget'],
  keepEnv: ['keepEnv', '--keep-env'],
};

/** The option as it was written where it was set, for messages. */
export function writtenName(option: keyof WholeRun, source: OptionSource | undefined): string {
  const [field, flag] = WRITTEN[option];
  if (source === 'config') return `config file, field "${field}"`;
  if (source === 'environment') return `environment variable ${variableOf(field)}`;
  return source === 'call' ? `run, setting "${field}"` : flag;
}

/** What a run has planned before the stop rule. */
export interface FirstStage {
  /** Forks of the trial that has fewest: the first stage. */
  readonly pilot: number;
  readonly order: 'random' | 'sequential';
  readonly confidence: number;
}

/**
 * The stop rule; undefined without `precision`. What belongs to `precision` and stands in the config file or the environment waits there for
 * a run that has one.
 *
 * @throws UsageError naming the option as it was written.
 */
export function stopRule(
  { options, sources }: MergedWholeRun,
  { pilot, order, confidence }: FirstStage,
): StopRule | undefined {
  const { precision, precisionRule: rule = 'stein', maxForks, budgetMs = null } = options;
  const name = (option: keyof WholeRun) => writtenName(option, sources[option]);
  if (precision === undefined) {
    for (const option of ['precisionRule', 'maxForks'] as const) {
      const asked = sources[option] === 'command line' || sources[option] === 'call';
      if (asked)
        throw new UsageError(
          `${name(option)} belongs to ${writtenName('precision', sources[option])}, which is not given.`,
        );
    }
    return undefined;
  }
  if (order !== 'random') {
    const random = sources.precision === 'call' ? 'order "random"' : '--order random';
    throw new UsageError(
      `${name('precision')} needs ${random}: forks that are added later must fall on all trials alike.`,
    );
  }
  const least = rule === 'stein' ? 3 : 10;
  if (pilot < least) {
    throw new UsageError(
      `${name('precision')}: rule ${rule} needs at least ${least} forks to begin with, not ${pilot}; set forks (-f) to ${least} or more (10 are better).`,
    );
  }
  const cap = maxForks ?? Math.max(DEFAULT_CAP, pilot);
  if (cap < pilot)
    throw new UsageError(
      `${name('maxForks')}: ${maxForks} is less than ${pilot}, the forks to begin with; raise it, or begin with fewer forks (-f).`,
    );
  return { rule, target: precision, confidence, pilot, cap, budgetMs };
}
