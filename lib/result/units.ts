import type { TimeUnit } from './model.js';

/** Nanoseconds in a unit. */
export const NS_PER: Readonly<Record<TimeUnit, number>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};
