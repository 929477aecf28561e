import type { Histogram } from './histogram.js';
import { indexOf, lowestOf } from './layout.js';

/**
 * Adds value - interval, value - 2 interval, ... (each at least interval) to `target`, `count` times each. Whole buckets are
 * filled by division, so that an hour at an interval of 1 ns costs as many steps as there are buckets, not 3.6e12.
 */
export function correct(target: Histogram, value: number, count: number, interval: number): void {
  let missing = value - interval;
  while (missing >= interval) {
    const bottom = Math.max(lowestOf(target.layout, indexOf(target.layout, missing)), interval);
    const steps = Math.floor((missing - bottom) / interval) + 1;
    target.recordCount(missing, count * steps);
    missing -= steps * interval;
  }
}
