import type { AwareScore, Fork, Mode, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import { betterOf, DEFAULT_CONFIDENCE, scoreOf, scoreUnit } from './score.js';
import { measured, total } from './trial-series.js';

/**
 * Interference-aware score of one fork in the trial's unit, made as the plain one is: ops over what is left of the time of its
 * iterations. Null when the fork failed, an iteration has none, or the mode knows none (sample, ss).
 */
export function forkAware(fork: Fork, mode: Mode, unit: TimeUnit): number | null {
  if (fork.status !== 'ok' || fork.iterations.length === 0 || (mode !== 'avgt' && mode !== 'thrpt')) return null;
  let [ops, ns, scores, threaded] = [0, 0, 0, false];
  for (const { aware, ops: more, elapsedNs, threads } of fork.iterations) {
    if (aware === null || aware.score === null) return null;
    ops += more;
    ns += elapsedNs - aware.excludedNs;
    scores += aware.score;
    threaded ||= threads !== null;
  }
  // Over threads the iterations' own scores hold JMH's sum or mean.
  if (threaded) return scores / fork.iterations.length;
  if (!(ops > 0) || !(ns > 0)) return null;
  return mode === 'thrpt' ? (ops * NS_PER[unit]) / ns : ns / ops / NS_PER[unit];
}

/** Interference-aware score of a trial with its interval over forks; null unless every fork has one. */
export function awareOf(trial: Trial, confidence = DEFAULT_CONFIDENCE): AwareScore | null {
  const unit = trial.options.unit?.value as TimeUnit;
  const values = trial.forks.map((fork) => forkAware(fork, trial.mode, unit));
  if (values.length === 0 || values.some((value) => value === null)) return null;
  const score = scoreOf(values as number[], scoreUnit(trial.mode, unit), betterOf(trial.mode), confidence);
  const excludedNs = total(trial, (iteration) => iteration.aware!.excludedNs);
  const elapsedNs = total(trial, (iteration) => iteration.elapsedNs);
  return score === null || !(elapsedNs > 0) ? null : { score, share: excludedNs / elapsedNs, excludedNs };
}

/** What was lost in gaps and is neither left out nor garbage collection, ns: nothing recorded says what took it. */
export function unexplainedNs(trial: Trial): number {
  return measured(trial).reduce(
    (sum, { iteration: { gaps, gc, aware } }) => sum + Math.max(0, gaps.lostNs - gc.ns - (aware?.excludedNs ?? 0)),
    0,
  );
}
