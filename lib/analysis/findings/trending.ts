import { percent } from '../words.js';
import { type FindingRule, longerWarmup } from './rule.js';

/** Drift over the measured iterations below which a trend, however certain, moves no verdict: half the default effect. */
export const DRIFT_FLOOR = 0.005;

/** Levels are equivalent, and yet the measured iterations go one way. */
export const trending: FindingRule = {
  id: 'trending',
  severity: 'warning',
  check(trial, { steadiness, flags }) {
    const { state, drift, pooled } = steadiness;
    if (state !== 'trending' || drift === null || Math.abs(drift) < DRIFT_FLOOR) return null;
    const p = pooled?.trend.status === 'ok' ? pooled.trend.p : null;
    const cause = drift < 0 ? 'it is still warming up' : 'something grows with every op (a cache, a list, the heap)';
    return {
      id: this.id,
      severity: this.severity,
      message: `Measured iterations get ${drift < 0 ? 'faster' : 'slower'} by ${percent(Math.abs(drift))} from the first to the last in a fork, so ${cause}: ${drift < 0 ? longerWarmup(trial, flags) : 'reset it in setupIteration'}, or the score depends on how long was measured.`,
      data: { drift, p },
    };
  },
};
