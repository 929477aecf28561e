import { count } from '../words.js';
import { type FindingRule, longerWarmup } from './rule.js';

/** Measurement started before the benchmark had settled. The threshold is STEADY_SHARE of `steadiness`. */
export const notSteady: FindingRule = {
  id: 'not-steady',
  severity: 'warning',
  check(trial, { steadiness, flags }) {
    const { state, forks, reason, rule } = steadiness;
    if (trial.mode === 'ss' || (state !== 'not-initialised' && state !== 'fixed-position')) return null;
    const late = forks.filter((fork) => fork.steadyStart === null || fork.steadyStart > fork.measuredFrom);
    const starts = forks.map((fork) => fork.steadyStart).filter((start) => start !== null);
    const known = starts.length === forks.length;
    const wanted = known ? ` (${count(Math.max(...starts), 'iteration')} would have done)` : '';
    const advice = `${longerWarmup(trial, flags)}${wanted}`;
    const label =
      state === 'fixed-position'
        ? 'the score is of this position in the life of a process, not of a steady state'
        : 'the score mixes warm-up with what comes after';
    return {
      id: this.id,
      severity: this.severity,
      message: `Only ${reason} (${rule}), so ${label}: ${advice}${known ? '' : ', and look for work that differs from iteration to iteration'}.`,
      data: { state, settled: forks.length - late.length, forks: forks.length },
      forks: late.map((fork) => fork.fork).sort((a, b) => a - b),
    };
  },
};
