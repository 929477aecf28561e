/**
 * Optimisation tiers of the measured functions, read with `%GetOptimizationStatus`.
 *
 * The bits differ between V8 versions: up to 13.6 interpreted is bit 7, in 14.x everything from bit 2 on moved down by
 * one. Which layout holds is found by asking about a function that has just run once: it must be interpreted or
 * baseline, and each layout would read the other's answer as turbofan without optimised, which cannot be. An answer
 * that fits neither layout means that nothing is claimed.
 * Source: runtime.h of V8 11.3, 12.4, 13.6 and 14.6; checked by running all four.
 */
import type { Tier } from '../result/model.js';
import type { TierProbe, TierState } from './types.js';

const { setFlagsFromString } = process.getBuiltinModule('node:v8');

/** Bit positions in the layout up to V8 13.x. */
const OPTIMIZED = 4;
const MAGLEV = 5;
const TURBOFAN = 6;
const INTERPRETED = 7;
const PENDING = [8, 9, 10] as const; // marked, marked for concurrent compilation, compiling concurrently
const BASELINE = 15;

/** How far the bits moved down: 0 up to V8 13.x, 1 in 14.x; null when the answer fits neither. */
export function layoutOf(ranOnce: number): 0 | 1 | null {
  const fits = ([0, 1] as const).filter((shift) => {
    const has = (bit: number) => (ranOnce & (1 << (bit - shift))) !== 0;
    return (
      (ranOnce & 1) === 1 && !has(OPTIMIZED) && !has(TURBOFAN) && !has(MAGLEV) && has(INTERPRETED) !== has(BASELINE)
    );
  });
  return fits.length === 1 ? fits[0]! : null;
}

/** Meaning of a status under a layout. */
export function decodeStatus(status: number, shift: 0 | 1): TierState {
  const has = (bit: number) => (status & (1 << (bit - shift))) !== 0;
  let tier: Tier = 'unknown';
  if (has(TURBOFAN)) tier = 'turbofan';
  else if (has(MAGLEV)) tier = 'maglev';
  else if (has(OPTIMIZED)) tier = 'optimized';
  else if (has(BASELINE)) tier = 'baseline';
  else if (has(INTERPRETED)) tier = 'interpreter';
  return { tier, pending: PENDING.some(has) };
}

/** Probe for this process. Switches natives syntax on for one tiny function made here and off again. */
export function tierProbe(): TierProbe {
  let status: (fn: unknown) => number;
  try {
    setFlagsFromString('--allow-natives-syntax');
    status = new Function('fn', 'return %GetOptimizationStatus(fn)') as typeof status;
    status(tierProbe); // parsed lazily: the body must be compiled while the syntax is allowed
  } catch (error) {
    return { of: null, why: `natives syntax is not available: ${(error as Error).message}` };
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
  const once = new Function('return 1') as () => number;
  once();
  const raw = status(once);
  const shift = layoutOf(raw);
  if (shift === null) {
    return { of: null, why: `optimisation status ${raw} of V8 ${process.versions.v8} is not understood` };
  }
  return { of: (fn) => decodeStatus(status(fn), shift), why: null };
}
