import { goodForks, measured, total } from '../trial-series.js';
import { duration, percent } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Share of the measured time lost in gaps from which on it is told: the default minimum effect of interest. */
export const INTERFERENCE_SHARE = 0.01;

/** Time taken from the measuring thread by something outside it. */
export const interference: FindingRule = {
  id: 'interference',
  severity: 'warning',
  check(trial) {
    const elapsed = total(trial, (iteration) => iteration.elapsedNs);
    const lost = total(trial, (iteration) => iteration.gaps.lostNs);
    if (!(elapsed > 0 && lost / elapsed > INTERFERENCE_SHARE)) return null;
    const hit = measured(trial).filter(({ iteration }) => iteration.gaps.lostNs > 0);
    const worst = Math.max(...hit.map(({ iteration }) => iteration.gaps.worstNs));
    const switches = total(trial, (iteration) => iteration.involuntarySwitches ?? 0);
    const cause =
      switches > 0
        ? `the kernel gave the CPU to something else ${switches} times; stop what else runs on it`
        : 'no switch by the kernel was seen, so look at interrupts and the hypervisor';
    return {
      id: this.id,
      severity: this.severity,
      message: `Gaps took ${percent(lost / elapsed)} of the measured time (worst ${duration(worst)}): ${cause}, or trust the interference-aware score rather than the plain one.`,
      data: { share: lost / elapsed, lostNs: lost, worstNs: worst, involuntarySwitches: switches },
      ...forksField(
        hit.map(({ fork }) => fork.index),
        goodForks(trial).length,
      ),
    };
  },
};
