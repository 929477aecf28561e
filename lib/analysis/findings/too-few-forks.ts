import { FEW_VALUES, MIN_VALUES } from '../../stats/mean-interval.js';
import { goodForks } from '../trial-series.js';
import { count } from '../words.js';
import type { FindingRule } from './rule.js';

/** Forks below which an interval over forks is not printed, and below which it is too wide to rely on. */
export const NO_INTERVAL_BELOW = MIN_VALUES;
export const WEAK_INTERVAL_BELOW = FEW_VALUES;

export const tooFewForks: FindingRule = {
  id: 'too-few-forks',
  severity: 'warning',
  check(trial, { flags }) {
    const n = goodForks(trial).length;
    if (n === 0 || n >= WEAK_INTERVAL_BELOW) return null;
    const fact =
      n < NO_INTERVAL_BELOW
        ? `With ${count(n, 'fork')} there is no error to give, because processes differ from each other by more than iterations do`
        : `With ${count(n, 'fork')} the error is itself very uncertain, because it rests on ${count(n - 1, 'degree')} of freedom`;
    const advice = flags.has('--quick')
      ? 'leave out --quick'
      : `use at least ${WEAK_INTERVAL_BELOW} forks (--forks, default 10)`;
    return {
      id: this.id,
      severity: this.severity,
      message: `${fact}: ${advice} before believing a difference.`,
      data: { forks: n },
    };
  },
};
