/** The stop rule that whole-run options ask for. */
import type { OptionSource, StopRule } from '../result/model.js';
import { variableOf } from '../runner/options/environment.js';
import type { TrialPlan } from '../runner/types.js';
import { UsageError } from '../runner/usage-error.js';
import type { WholeRun } from '../suite/whole-run.js';
import type { Prepared } from './prepare.js';

/** Forks of a trial at most, unless asked otherwise: beyond, a rule that asks for more is asking for another machine. */
export const DEFAULT_CAP = 200;

/** How users write each option. */
const WRITTEN: { readonly [K in keyof Required<WholeRun>]: readonly [field: string, flag: string] } = {
  precisionRule: ['precisionRule', '--precision-rule'],
  maxForks: ['maxForks', '--max-forks'],
  budgetMs: ['budget', '--budget'],
  keepEnv: ['keepEnv', '--keep-env'],
};

type Option = keyof WholeRun | 'precision';

/** The option as it was written where it was set, for messages. */
export function writtenName(option: Option, source: OptionSource | undefined): string {
  const [field, flag] = option === 'precision' ? ['precision', '--precision'] : WRITTEN[option];
  switch (source) {
    case 'suite':
    case 'benchmark':
      return `${source}, option "${field}"`;
    case 'config':
      return `config file, field "${field}"`;
    case 'environment':
      return `environment variable ${variableOf(field)}`;
    case 'call':
      return `run, setting "${field}"`;
    default:
      return flag;
  }
}

/** Trials that are measured until an interval is narrow enough. */
const adaptive = (trials: readonly TrialPlan[]) =>
  trials.flatMap((trial) => {
    const option = trial.options.precision;
    return typeof option?.value === 'number' ? [{ trial, target: option.value, source: option.source }] : [];
  });

/** Does any trial have a precision? A budget is then its limit, not what is planned for. */
export const isAdaptive = (trials: readonly TrialPlan[]): boolean => adaptive(trials).length > 0;

/**
 * The stop rule; undefined when no trial has a `precision`. Its target is the narrowest of them; each trial keeps its own in its options, and
 * trials without one get the forks that were asked for. What belongs to `precision` and stands in the config file or the environment waits
 * there for a run that has one.
 *
 * @throws UsageError naming the option as it was written.
 */
export function stopRule(
  { trials, wholeRun: { options, sources } }: Pick<Prepared, 'trials' | 'wholeRun'>,
  { order, confidence }: { readonly order: 'random' | 'sequential'; readonly confidence: number },
): StopRule | undefined {
  const { precisionRule: rule = 'stein', maxForks, budgetMs = null } = options;
  const asked = adaptive(trials);
  const [first] = asked;
  if (first === undefined) {
    for (const option of ['precisionRule', 'maxForks'] as const) {
      if (sources[option] !== 'command line' && sources[option] !== 'call') continue;
      const precision = writtenName('precision', sources[option]);
      throw new UsageError(`${writtenName(option, sources[option])} belongs to ${precision}, which is not given.`);
    }
    return undefined;
  }
  const name = writtenName('precision', first.source);
  if (order !== 'random') {
    const random = first.source === 'call' ? 'order "random"' : '--order random';
    throw new UsageError(`${name} needs ${random}: forks that are added later must fall on all trials alike.`);
  }
  const pilot = Math.min(...asked.map(({ trial }) => trial.forks));
  const least = rule === 'stein' ? 3 : 10;
  if (pilot < least) {
    throw new UsageError(
      `${name}: rule ${rule} needs at least ${least} forks to begin with, not ${pilot}; set forks (-f) to ${least} or more (10 are better).`,
    );
  }
  const cap = maxForks ?? Math.max(DEFAULT_CAP, pilot);
  if (cap < pilot)
    throw new UsageError(
      `${writtenName('maxForks', sources.maxForks)}: ${maxForks} is less than ${pilot}, the forks to begin with; raise it, or begin with fewer forks (-f).`,
    );
  return { rule, target: Math.min(...asked.map(({ target }) => target)), confidence, pilot, cap, budgetMs };
}
