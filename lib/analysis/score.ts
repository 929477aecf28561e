import type { Fork, Mode, Score, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import { meanInterval } from '../stats/mean-interval.js';

/** Level of the intervals in tables. */
export const DEFAULT_CONFIDENCE = 0.95;

/** The unit of a score as printed: `ns/op`, `ops/s`. */
export const scoreUnit = (mode: Mode, unit: TimeUnit): string => (mode === 'thrpt' ? `ops/${unit}` : `${unit}/op`);

export const betterOf = (mode: Mode): Score['better'] => (mode === 'thrpt' ? 'higher' : 'lower');

/**
 * Score of one fork in the trial's unit: total over its iterations, so that thrpt is the exact reciprocal of avgt. Null when the fork failed
 * or measured nothing. With several threads the iterations' own scores are averaged, since they already hold JMH's sum or mean
 * over threads; sample mode averages all sampled ops.
 */
export function forkScore(fork: Fork, mode: Mode, unit: TimeUnit): number | null {
  if (fork.status !== 'ok' || fork.iterations.length === 0) return null;
  if (mode === 'ss' || mode === 'sample' || fork.iterations.some((iteration) => iteration.threads !== null)) {
    const scores = fork.iterations.map((iteration) => iteration.score);
    if (scores.some((score) => score === null)) return null;
    if (mode !== 'sample') return scores.reduce<number>((sum, score) => sum + score!, 0) / scores.length;
    const weights = fork.iterations.map((iteration) => iteration.histogram?.total ?? 0);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return total > 0 ? scores.reduce<number>((sum, score, i) => sum + score! * weights[i]!, 0) / total : null;
  }
  const ops = fork.iterations.reduce((sum, iteration) => sum + iteration.ops, 0);
  const ns = fork.iterations.reduce((sum, iteration) => sum + iteration.elapsedNs, 0);
  if (ops === 0 || ns === 0) return null;
  return mode === 'thrpt' ? (ops * NS_PER[unit]) / ns : ns / ops / NS_PER[unit];
}

/** Scores of all forks that have one, in fork order. */
export function forkScores(trial: Pick<Trial, 'forks' | 'mode' | 'options'>): number[] {
  const unit = trial.options.unit?.value as TimeUnit;
  return trial.forks.map((fork) => forkScore(fork, trial.mode, unit)).filter((score) => score !== null);
}

/**
 * Mean of fork values with a Student t interval over forks (Georges et al. 2007): the fork is the unit of replication, whatever
 * happened inside it is averaged. Null without values.
 */
export function scoreOf(
  values: readonly number[],
  unit: string,
  better: Score['better'],
  confidence = DEFAULT_CONFIDENCE,
): Score | null {
  if (values.length === 0) return null;
  const mean = meanInterval(values, confidence);
  return {
    value: mean.mean,
    unit,
    better,
    error: mean.halfWidth,
    interval: mean.halfWidth === null ? null : [mean.low, mean.high],
    confidence,
    method: 'Student t on fork scores',
    level: 'fork',
    n: mean.n,
    min: Math.min(...values),
    max: Math.max(...values),
    status: mean.status === 'too-few' ? 'too-few-forks' : mean.status,
  };
}

/** The headline of a trial; null when a fork failed (a trial is never averaged around a failure) or nothing was measured. */
export function trialScore(trial: Trial, confidence = DEFAULT_CONFIDENCE): Score | null {
  if (trial.status === 'failed' || trial.forks.some((fork) => fork.status === 'failed')) return null;
  const unit = trial.options.unit?.value as TimeUnit;
  return scoreOf(forkScores(trial), scoreUnit(trial.mode, unit), betterOf(trial.mode), confidence);
}
