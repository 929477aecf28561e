import { goodForks, measured } from '../trial-series.js';
import { duration, share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** The measuring clock and the kernel's disagreed: times of such an iteration are wrong, by how much nobody knows. */
export const clockJump: FindingRule = {
  id: 'clock-jump',
  severity: 'error',
  check(trial) {
    const all = measured(trial);
    const hit = all.filter(({ iteration }) => iteration.clock.discontinuity);
    if (hit.length === 0) return null;
    const worst = Math.max(...hit.map(({ iteration }) => Math.abs(iteration.clock.driftNs ?? 0)));
    return {
      id: this.id,
      severity: this.severity,
      message: `The clock jumped in ${share(hit.length, all.length, 'measured iteration')}${worst > 0 ? ` (by up to ${duration(worst)})` : ''}, as after a suspended machine or a moved virtual one, so their times are wrong: run this benchmark again.`,
      data: { iterations: hit.length, worstNs: worst },
      ...forksField(
        hit.map(({ fork }) => fork.index),
        goodForks(trial).length,
      ),
    };
  },
};
