import { goodForks, measured } from '../trial-series.js';
import { share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Share of the measured iterations with a deoptimisation from which on it is told: a single one in ten forks is an accident. */
export const DEOPT_SHARE = 0.05;

/** Optimised code was thrown away while it was measured. */
export const deoptInside: FindingRule = {
  id: 'deopt-inside',
  severity: 'warning',
  check(trial) {
    if (trial.mode === 'ss') return null;
    const all = measured(trial);
    const hit = all.filter(({ iteration }) => (iteration.tier?.deopts ?? 0) > 0 || iteration.tags.includes('deopt'));
    if (hit.length === 0 || hit.length / all.length <= DEOPT_SHARE) return null;
    return {
      id: this.id,
      severity: this.severity,
      message: `The measured code was deoptimised in ${share(hit.length, all.length, 'iteration')}, so the score mixes tiers: something it meets changes type or shape, which node --trace-deopt names; if that is over at some time, warm up longer.`,
      data: { iterations: hit.length, of: all.length },
      ...forksField(
        hit.map(({ fork }) => fork.index),
        goodForks(trial).length,
      ),
    };
  },
};
