/** The plan: planned start of event i = t0 + sum of the first i gaps, in whole ns, from a seed alone. Nothing that happens in a run can move it. */
import { type Random, xoshiro128 } from '../stats/index.js';
import type { ArrivalPlan } from '../suite/latency-options.js';

/** Planned starts in order, as whole ns after t0. */
export interface Plan {
  /** Writes the next `target.length` offsets. */
  fill(target: Float64Array): void;
}

/**
 * Adds gaps with the whole ns and the rest apart: the sum stays exact to 1 ns over 1e8 gaps of a third of a ns fraction, where
 * adding rounded gaps drifts (JLBH: 300,000/s planned as 3,333 ns is 300,030/s).
 */
function sumOf(gap: () => number): Plan {
  let whole = 0;
  let rest = 0;
  let first = true;
  return {
    fill(target) {
      for (let i = 0; i < target.length; i++) {
        if (first) first = false;
        else {
          rest += gap();
          const step = Math.floor(rest);
          whole += step;
          rest -= step;
        }
        target[i] = whole;
      }
    },
  };
}

/** Offsets that have a formula of the index. */
function formula(offset: (index: number) => number): Plan {
  let index = 0;
  return {
    fill(target) {
      for (let i = 0; i < target.length; i++) target[i] = Math.floor(offset(index++));
    },
  };
}

/** Uniform in [0, 1) with 53 bits, so that exponential gaps have their tail. */
const uniform = (random: Random) => (random.u32() * 2097152 + (random.u32() >>> 11)) / 9007199254740992;

/** `index / rate` in ns with the whole part exact: index * 1e9 leaves 2^53 after 9 million events. */
function constantAt(perSec: number): (index: number) => number {
  const gap = 1e9 / perSec;
  const step = Math.floor(gap);
  // What a whole step leaves out, per event, from the division's remainder and not from the rounded quotient.
  const rest = (1e9 - step * perSec) / perSec;
  return (index) => index * step + index * rest;
}

function burst(perSec: number, onNs: number, offNs: number): Plan {
  const cycle = onNs + offNs;
  const within = constantAt(perSec * (cycle / onNs));
  return formula((index) => {
    const at = within(index);
    const bursts = Math.floor(at / onNs);
    return bursts * cycle + (at - bursts * onNs);
  });
}

/** Solves from t + (to - from) t^2 / 2T = i for t, in the form that also holds for from = to. */
function ramp(from: number, to: number, events: number): Plan {
  const length = (2 * events) / (from + to);
  return formula((index) =>
    index === 0 ? 0 : (2e9 * index) / (from + Math.sqrt(from * from + (2 * (to - from) * index) / length)),
  );
}

function trace(gaps: readonly number[]): Plan {
  let at = 0;
  return sumOf(() => {
    const gap = gaps[at]!;
    at = at + 1 === gaps.length ? 0 : at + 1;
    return gap;
  });
}

export interface PlanInput {
  readonly arrivals: ArrivalPlan;
  /** Mean events per second. */
  readonly ratePerSec: number;
  /** Events of the run; a ramp is stretched over them. */
  readonly events: number;
  readonly seed: number;
}

/** The highest rate that is planned for longer than a moment, per second: that of a burst, or of the steep end of a ramp. */
export function peakRate({ arrivals, ratePerSec }: Pick<PlanInput, 'arrivals' | 'ratePerSec'>): number {
  if (arrivals.kind === 'burst') return (ratePerSec * (arrivals.onNs + arrivals.offNs)) / arrivals.onNs;
  return arrivals.kind === 'ramp' ? Math.max(arrivals.from, arrivals.to) : ratePerSec;
}

/** The plan of a run, always from its start. Two plans of equal input are equal. */
export function planOf({ arrivals, ratePerSec, events, seed }: PlanInput): Plan {
  const mean = 1e9 / ratePerSec;
  switch (arrivals.kind) {
    case 'constant':
      return formula(constantAt(ratePerSec));
    case 'poisson': {
      const random = xoshiro128(seed);
      return sumOf(() => -Math.log(1 - uniform(random)) * mean);
    }
    case 'uniform': {
      const random = xoshiro128(seed);
      return sumOf(() => 2 * mean * uniform(random));
    }
    case 'burst':
      return burst(ratePerSec, arrivals.onNs, arrivals.offNs);
    case 'ramp':
      return ramp(arrivals.from, arrivals.to, events);
    case 'trace':
      return trace(arrivals.gaps);
  }
}

/** Seed of one run: runs differ, and a run of a measurement can be planned again on its own. */
export const seedOfRun = (seed: number, run: number): number => (Math.imul(run, 0x9e3779b9) ^ seed) | 0;

/** All offsets of a plan at once, ns after t0. */
export function offsetsOf(input: PlanInput): Float64Array {
  const offsets = new Float64Array(input.events);
  planOf(input).fill(offsets);
  return offsets;
}
