import { ARITHMETIC_STRAY, MEMORY_STRAY } from '../../protocol/canary.js';
import { ascending, quantile7Of } from '../../stats/series.js';
import { goodForks, measured } from '../trial-series.js';
import { percent, share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Canary runs needed to know what is usual: their lower quartile, which a busy half does not reach. */
const ENOUGH = 5;
/** Share of stray iterations from which on the score itself is in doubt; fewer are told as a note. */
export const STRAY_COMMON = 0.1;

/** A fixed piece of work beside the iterations ran slow: the machine, not the benchmark, changed its speed. */
export const canaryStray: FindingRule = {
  id: 'canary-stray',
  severity: 'warning',
  check(trial) {
    const all = measured(trial).flatMap(({ fork, iteration }) =>
      iteration.canary === null ? [] : [{ fork, ...iteration.canary }],
    );
    if (all.length < ENOUGH) return null;
    const usual = (of: (entry: (typeof all)[number]) => number) => quantile7Of(ascending(all.map(of)), 0.25);
    const [arithmetic, memory] = [usual((entry) => entry.arithmeticNs), usual((entry) => entry.memoryNs)];
    if (!(arithmetic > 0 && memory > 0)) return null;
    const slow = all.filter((entry) => entry.arithmeticNs > arithmetic * (1 + ARITHMETIC_STRAY));
    const starved = all.filter((entry) => entry.memoryNs > memory * (1 + MEMORY_STRAY));
    const stray = [...new Set([...slow, ...starved])];
    if (stray.length === 0) return null;
    const worst = Math.max(...stray.map((e) => Math.max(e.arithmeticNs / arithmetic, e.memoryNs / memory))) - 1;
    const cause =
      slow.length === 0
        ? 'a neighbour used caches or memory'
        : starved.length === 0
          ? 'the CPU slowed down (frequency, hypervisor or a sibling thread)'
          : 'CPU and memory both slowed down (frequency, hypervisor or neighbours)';
    return {
      id: this.id,
      severity: stray.length < STRAY_COMMON * all.length ? 'info' : this.severity,
      message: `Beside ${share(stray.length, all.length, 'iteration')} a fixed piece of work ran up to ${percent(worst)} slower than usual, so ${cause}: compare only with arms measured in the same rounds, or run on a quieter machine.`,
      data: { arithmetic: slow.length, memory: starved.length, of: all.length, worst },
      ...forksField(
        stray.map((entry) => entry.fork.index),
        goodForks(trial).length,
      ),
    };
  },
};
