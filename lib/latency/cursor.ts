import { type PlanInput, planOf } from './plan.js';

/** Up to here a plan is computed whole before the run (32 MB); a longer one comes in blocks small enough not to be seen. */
const WHOLE = 4_194_304;
const BLOCK = 16;

/** Planned offsets one at a time, without allocating. */
export interface Cursor {
  /** Offset of the next event, ns after t0; Infinity after the last. */
  next(): number;
  /** Writes it to `into[index]` instead: nothing is allocated. */
  load(into: Float64Array, index: number): void;
}

export function cursorOf(input: PlanInput): Cursor {
  const plan = planOf(input);
  const block = new Float64Array(Math.min(input.events, input.events <= WHOLE ? input.events : BLOCK));
  plan.fill(block);
  let at = 0;
  let left = input.events;
  const one = new Float64Array(1);
  const load = (into: Float64Array, index: number): void => {
    if (left === 0) {
      into[index] = Number.POSITIVE_INFINITY;
      return;
    }
    left--;
    if (at === block.length) {
      plan.fill(block);
      at = 0;
    }
    into[index] = block[at++]!;
  };
  return {
    load,
    next() {
      load(one, 0);
      return one[0]!;
    },
  };
}

/** Planned start of the last event, ns after t0. */
export function lengthOf(input: PlanInput): number {
  const plan = planOf(input);
  const block = new Float64Array(Math.min(input.events, 4096));
  let left = input.events;
  while (left > block.length) {
    plan.fill(block);
    left -= block.length;
  }
  const rest = block.subarray(0, left);
  plan.fill(rest);
  return rest[left - 1]!;
}
