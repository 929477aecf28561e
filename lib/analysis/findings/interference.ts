import { unexplainedNs } from '../aware.js';
import { goodForks, measured, spanNs, total } from '../trial-series.js';
import { duration, percent } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Share of the measured time from which on its loss is told: the default minimum effect of interest. */
export const INTERFERENCE_SHARE = 0.01;

/** Time taken from the measuring thread by something outside it, as far as it was recorded, and gaps that nothing explains. */
export const interference: FindingRule = {
  id: 'interference',
  severity: 'warning',
  check(trial) {
    const elapsed = total(trial, spanNs);
    const taken = total(trial, (iteration) => iteration.aware?.excludedNs ?? 0);
    const lost = unexplainedNs(trial);
    if (!(elapsed > 0 && (taken + lost) / elapsed > INTERFERENCE_SHARE)) return null;
    const hit = measured(trial).filter(({ iteration }) => iteration.gaps.lostNs > 0 || iteration.aware?.excludedNs);
    const worst = Math.max(...hit.map(({ iteration }) => iteration.gaps.worstNs));
    const switches = total(trial, (iteration) => iteration.involuntarySwitches ?? 0);
    // Without the addon nothing counts the switches, but the waiting is known.
    const waited = hit.some(({ iteration }) => iteration.aware?.log?.some(({ cause }) => cause === 'switch'));
    const by =
      switches > 0 || waited
        ? `the kernel gave the CPU to something else${switches > 0 ? ` ${switches} times` : ''}`
        : 'the virtual CPU stood still';
    const recorded = `${percent(taken / elapsed)} of the measured time was taken from the thread (${by}, worst gap ${duration(worst)}), which the interference-aware score leaves out`;
    const kept = `gaps took ${percent(lost / elapsed)} of the measured time (worst ${duration(worst)}) and no counter tells why (interrupts, the hypervisor, or pauses of the program itself), so they stay in every score`;
    const [told, unknown] = [taken / elapsed > INTERFERENCE_SHARE, lost / elapsed > INTERFERENCE_SHARE];
    const fact = told && unknown ? `${recorded}; besides, ${kept}` : unknown || !told ? capital(kept) : recorded;
    return {
      id: this.id,
      severity: this.severity,
      message: `${fact}: ${told || !unknown ? 'stop what else runs on this machine' : 'look at what else runs on the host'}, or measure when it is quiet.`,
      data: {
        share: (taken + lost) / elapsed,
        takenNs: taken,
        unexplainedNs: lost,
        worstNs: worst,
        involuntarySwitches: switches,
      },
      ...forksField(
        hit.map(({ fork }) => fork.index),
        goodForks(trial).length,
      ),
    };
  },
};

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
