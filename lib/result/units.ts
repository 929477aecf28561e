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

/** JMH's spellings of the long ones beside ours. */
const NS_OF_NAME = new Map<string, number>([
  ...Object.entries(NS_PER),
  ['min', 6e10],
  ['hr', 3.6e12],
  ['day', 8.64e13],
]);

/** A score's unit taken apart: `us/op` is 1e3 ns per op, `ops/s` counts ops per 1e9 ns. Null when it is neither. */
export function parseScoreUnit(unit: string): { readonly rate: boolean; readonly ns: number } | null {
  const rate = unit.startsWith('ops/');
  const name = rate ? unit.slice(4) : unit.endsWith('/op') ? unit.slice(0, -3) : '';
  const ns = NS_OF_NAME.get(name);
  return ns === undefined ? null : { rate, ns };
}

/** What a score in `from` must be multiplied by to be in `to`; null when the two measure different things. */
export function unitFactor(from: string, to: string): number | null {
  if (from === to) return 1;
  const [a, b] = [parseScoreUnit(from), parseScoreUnit(to)];
  if (a === null || b === null || a.rate !== b.rate) return null;
  return a.rate ? b.ns / a.ns : a.ns / b.ns;
}
