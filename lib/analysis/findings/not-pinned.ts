import { goodForks } from '../trial-series.js';
import { share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Pinning was wanted and did not happen. Without the addon there is none, which `no-addon` says. */
export const notPinned: FindingRule = {
  id: 'not-pinned',
  severity: 'warning',
  check(trial) {
    if (trial.options.pin?.value === false) return null;
    const good = goodForks(trial);
    const loose = good.filter(
      ({ runtime }) => runtime !== null && runtime.clock.backend === 'addon' && runtime.pinnedCpu === null,
    );
    if (loose.length === 0) return null;
    return {
      id: this.id,
      severity: this.severity,
      message: `${share(loose.length, good.length, 'fork')} ran unpinned, so the measuring thread may have moved between CPUs: allow this process a CPU of its own (taskset, cpuset), or say --pin false if that is meant.`,
      data: { forks: loose.length },
      ...forksField(
        loose.map((fork) => fork.index),
        good.length,
      ),
    };
  },
};
