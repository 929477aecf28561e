import { goodForks } from '../trial-series.js';
import { duration, share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** The optimiser removed the work. */
export const eliminated: FindingRule = {
  id: 'eliminated',
  severity: 'error',
  check(trial) {
    const good = goodForks(trial);
    const hit = good.filter((fork) => fork.linearity?.eliminated === true);
    if (hit.length === 0) return null;
    const { oneNs, emptyNs, ratio } = hit[0]!.linearity!;
    return {
      id: this.id,
      severity: this.severity,
      message: `The optimiser removed the work in ${share(hit.length, good.length, 'fork')} (${duration(oneNs)} with the body, ${duration(emptyNs)} without it), so the score is that of an empty loop: return the result, and compute it from state or inputs rather than constants.`,
      data: { forks: hit.length, oneNs, emptyNs, ratio },
      ...forksField(
        hit.map((fork) => fork.index),
        good.length,
      ),
    };
  },
};
