import { goodForks } from '../trial-series.js';
import { duration, share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Forks timed without the addon. */
export const noAddon: FindingRule = {
  id: 'no-addon',
  severity: 'warning',
  check(trial) {
    const good = goodForks(trial);
    const without = good.filter((fork) => fork.runtime?.clock.backend === 'hrtime');
    if (without.length === 0) return null;
    const { reason, readNs } = without[0]!.runtime!.clock;
    const why = (reason ?? 'no reason recorded').replace(/[.\s]+$/, '');
    // The kernel's account of waiting needs no addon where /proc has it.
    const seen = without.some((fork) => fork.iterations.some(({ aware }) => Boolean(aware)));
    const watch = seen
      ? 'and with a watch on interference that sees only how long the thread waited for a CPU'
      : 'and without a watch on interference';
    return {
      id: this.id,
      severity: this.severity,
      message: `${share(without.length, good.length, 'fork')} used process.hrtime, at ${duration(readNs)} a read, without pinning ${watch}, because the addon is not in use (${why}): install or build it.`,
      data: { forks: without.length },
      ...forksField(
        without.map((fork) => fork.index),
        good.length,
      ),
    };
  },
};
