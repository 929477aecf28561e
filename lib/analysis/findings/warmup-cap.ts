import { goodForks } from '../trial-series.js';
import { duration, share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Share of forks whose warm-up ran into its time limit from which on it is told. */
export const CAP_SHARE = 0.1;

/** Warm-up ended because its time was up, not because speed had settled. */
export const warmupCap: FindingRule = {
  id: 'warmup-cap',
  severity: 'info',
  check(trial) {
    const good = goodForks(trial);
    const capped = good.filter((fork) => fork.warmupEnd === 'cap');
    if (capped.length === 0 || capped.length / good.length <= CAP_SHARE) return null;
    const limit = trial.options.warmupMaxMs?.value;
    const after = typeof limit === 'number' ? ` after ${duration(limit * 1e6)}` : '';
    return {
      id: this.id,
      severity: this.severity,
      message: `Warm-up ended at its time limit${after} in ${share(capped.length, good.length, 'fork')}, because speed had not settled by then: give it a fixed length with --warmup-iterations and --warmup-time, or find what keeps it restless.`,
      data: { forks: capped.length },
      ...forksField(
        capped.map((fork) => fork.index),
        good.length,
      ),
    };
  },
};
