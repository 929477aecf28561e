/** How many forks an adaptive run needs: pure functions of the rule and of the forks so far. */
import type { Fork, Score, StopOutcome, StopRule, TimeUnit, Trial } from '../../result/model.js';
import { meanInterval } from '../../stats/mean-interval.js';
import { mean } from '../../stats/moments.js';
import { type Look, steinCount, steinInterval, widthRule } from '../../stats/stopping.js';
import { forkScore, forkScores } from '../score.js';

/** Forks between two looks of the width rule, and looks running that must meet the target. */
export const LOOK_EVERY = 5;
export const LOOKS = 2;

interface Wish {
  /** Forks in all, Infinity when no number that can be counted is enough; null when the rule cannot say (a mean that is not positive). */
  readonly wanted: number | null;
  readonly looks: readonly Look[];
}

/** Relative half-width of the interval of the first n values. */
function relativeWidth(values: readonly number[], n: number, confidence: number): number | null {
  const { mean: center, halfWidth } = meanInterval(values.slice(0, n), confidence);
  return halfWidth === null || !(center > 0) ? null : halfWidth / center;
}

/** What the rule asks for, given the scores of the forks so far in the order in which they ran; without the cap. */
export function wish(values: readonly number[], { rule, target, confidence, pilot }: StopRule): Wish {
  if (values.length < pilot) return { wanted: pilot, looks: [] };
  const first = values.slice(0, pilot);
  if (!(mean(first) > 0)) return { wanted: null, looks: [] };
  // The target is relative to the mean of the first stage, so that it is fixed before the second.
  if (rule === 'stein') {
    const count = steinCount(first, target * mean(first), confidence);
    return { wanted: count.status === 'out-of-reach' ? Infinity : count.n, looks: [] };
  }
  const looks: Look[] = [];
  for (let n = pilot; n <= values.length; n += LOOK_EVERY) {
    looks.push({ n, halfWidth: relativeWidth(values, n, confidence) });
    const decision = widthRule(looks, { target, minimum: pilot, every: LOOK_EVERY, consecutive: LOOKS });
    if (decision.stop) return { wanted: n, looks };
  }
  return { wanted: pilot + looks.length * LOOK_EVERY, looks };
}

/**
 * The rule for one trial: its own precision, where its options tell one; the rule's where they tell nothing, as in results of before. Null for a trial
 * without precision in a run in which others have one.
 */
export function ruleFor(rule: StopRule, { options }: Trial): StopRule | null {
  const own = options.precision?.value;
  if (own === undefined) return rule;
  return typeof own === 'number' ? { ...rule, target: own } : null;
}

/** Benchmarks of a suite with a baseline are compared with it, so they stop together. */
function groupKeys(trials: readonly Trial[]): (string | null)[] {
  const key = ({ file, suite, mode, params }: Trial) => JSON.stringify([file, suite, mode, params]);
  const compared = new Set(trials.filter((trial) => trial.baseline).map(key));
  return trials.map((trial) => (compared.has(key(trial)) ? key(trial) : null));
}

const wallMs = (forks: readonly Fork[]): number => forks.reduce((sum, fork) => sum + fork.wallMs, 0);

/** Would one more round of all trials end after the budget? Its length is taken from the mean of each trial's forks. */
function exhausted(trials: readonly Trial[], budgetMs: number | null): boolean {
  if (budgetMs === null) return false;
  const spent = trials.reduce((sum, { forks }) => sum + wallMs(forks), 0);
  const round = trials.reduce((sum, { forks }) => sum + (forks.length > 0 ? wallMs(forks) / forks.length : 0), 0);
  return spent + round > budgetMs;
}

/**
 * Forks that each trial should have, in all. A trial with a failed fork, and one whose mean is not positive, gets no more; trials that are compared with each
 * other get as many as the one that needs most; when the budget is spent, nobody gets more.
 */
export function forksWanted(rule: StopRule, trials: readonly Trial[]): number[] {
  const have = trials.map(({ forks }) => forks.length);
  const begun = trials.every((trial, i) => ruleFor(rule, trial) === null || have[i]! >= rule.pilot);
  if (begun && exhausted(trials, rule.budgetMs)) return have;
  const alone = trials.map((trial, i) => {
    if (trial.forks.some((fork) => fork.status === 'failed')) return have[i]!;
    const own = ruleFor(rule, trial);
    if (own === null) return have[i]!;
    const { wanted } = wish(forkScores(trial), own);
    return Math.min(rule.cap, Math.max(have[i]!, wanted ?? have[i]!));
  });
  const groups = groupKeys(trials);
  return alone.map((own, i) =>
    groups[i] === null ? own : Math.max(...alone.filter((_, j) => groups[j] === groups[i])),
  );
}

/** How the rule ended for a trial of a run that is over. */
export function stopOutcome(trial: Trial, rule: StopRule, status: 'complete' | 'interrupted'): StopOutcome {
  const values = forkScores(trial);
  const { wanted, looks } = wish(values, rule);
  const score = stopScore(trial, rule);
  const halfWidth = score?.error == null || !(score.value > 0) ? null : score.error / score.value;
  const failed = trial.forks.some((fork) => fork.status === 'failed') || wanted === null;
  const outcome = failed
    ? 'unfinished'
    : values.length >= wanted
      ? 'reached'
      : status === 'interrupted'
        ? 'unfinished'
        : values.length >= rule.cap
          ? 'cap'
          : 'budget';
  // Infinity is no JSON number.
  return { outcome, wanted: wanted === Infinity ? null : wanted, halfWidth, looks };
}

/**
 * The headline under a stop rule. Stein's interval has the standard deviation and the degrees of freedom of the first stage, which is what makes its level exact;
 * under the width rule it is the usual one. Null leaves the score as it is.
 */
export function stopScore(trial: Trial, rule: StopRule): Score | null {
  const { score } = trial;
  if (score === null || rule.rule !== 'stein') return score;
  const values = trial.forks
    .map((fork) => forkScore(fork, trial.mode, (trial.options.unit?.value ?? 'ns') as TimeUnit))
    .filter((value) => value !== null);
  if (values.length < rule.pilot) return score;
  const interval = steinInterval(values, rule.pilot, rule.confidence);
  if (interval.halfWidth === null) return score;
  return {
    ...score,
    error: interval.halfWidth,
    interval: [interval.low, interval.high],
    confidence: rule.confidence,
    method: `Stein's two stages on fork scores, spread of the first ${rule.pilot}`,
  };
}
