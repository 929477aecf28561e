import { chose, measured, spanNs, total } from '../trial-series.js';
import { percent, share } from '../words.js';
import type { FindingRule } from './rule.js';

/** Share of the measured time in garbage collection from which on it is told. */
export const GC_SHARE = 0.05;

/** Garbage collection is part of what the program costs: it is told, and stays in the score. */
export const gcInside: FindingRule = {
  id: 'gc-inside',
  severity: 'info',
  check(trial, { flags }) {
    const elapsed = total(trial, spanNs);
    const pauses = total(trial, (iteration) => iteration.gc.ns);
    if (!(elapsed > 0 && pauses / elapsed > GC_SHARE)) return null;
    const all = measured(trial);
    const hit = all.filter(({ iteration }) => iteration.gc.count > 0).length;
    const advice = chose(trial, flags, 'gc', '--gc')
      ? 'allocate less per op if it should not'
      : 'allocate less per op, or start every iteration from a collected heap with --gc';
    return {
      id: this.id,
      severity: this.severity,
      message: `Garbage collection took ${percent(pauses / elapsed)} of the measured time, in ${share(hit, all.length, 'iteration')}, because the benchmark allocates; it stays in the score as a cost of the program: ${advice}.`,
      data: { share: pauses / elapsed, iterations: hit },
    };
  },
};
