/** Scores of one iteration, with JMH's definitions: thrpt = ops per unit, every other mode = unit per op. */
import type { Mode, TimeUnit } from '../result/model.js';

/** ns in one unit. */
export const UNIT_NS: Readonly<Record<TimeUnit, number>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** Score of `ops` in `elapsedNs`; null when there were no ops or no time passed on the clock. */
export function scoreOf(mode: Mode, unit: TimeUnit, ops: number, elapsedNs: number): number | null {
  if (!(ops > 0) || !(elapsedNs > 0)) return null;
  return mode === 'thrpt' ? (ops / elapsedNs) * UNIT_NS[unit] : elapsedNs / ops / UNIT_NS[unit];
}
