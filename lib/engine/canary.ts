/**
 * Two fixed pieces of work timed beside every iteration: one that only computes, one that only waits for memory. A neighbour that uses
 * the caches, or a CPU that slowed down, moves them and no counter of the guest; what the benchmark does cannot move them.
 */
import { type CanaryTimes, strays } from '../protocol/canary.js';
import { middle } from './chunks.js';
import type { EngineClock } from './types.js';

/** Bytes walked by the memory canary: beyond the second-level cache of current CPUs, so that it meets the shared one or memory. */
const BYTES = 8 << 20;
/** Ints in a cache line: each step goes to a line of its own. */
const LINE = 16;
/** Steps of one run: 17 us of dependent arithmetic and 95 us of dependent loads where these were chosen. */
const ARITHMETIC_STEPS = 16_000;
const MEMORY_STEPS = 500;
/** Runs whose median is the result: single ones are hit by gaps, which are told elsewhere. */
const RUNS = 5;
/** Time given to the optimiser before the first result counts, ns. */
const WARM_NS = 4e6;

export interface CanaryLoops {
  readonly arithmetic: (steps: number) => number;
  readonly memory: (steps: number) => number;
}

/** The two pieces of work; made once a fork, when the first iteration is over (8 MiB, about 5 ms). */
export function canaryLoops(): CanaryLoops {
  const next = chain(BYTES >> 2, LINE);
  let at = 0;
  let seed = 1;
  return {
    arithmetic(steps) {
      let x = seed;
      for (let i = 0; i < steps; i++) x = (Math.imul(x, 1_103_515_245) + 12_345) | 0;
      seed = x;
      return x;
    },
    memory(steps) {
      let p = at;
      for (let i = 0; i < steps; i++) p = next[p]!;
      at = p;
      return p;
    },
  };
}

/** One cycle through every `stride`-th of `length` places in an order no prefetcher guesses (Sattolo), seeded. */
export function chain(length: number, stride: number): Int32Array {
  const count = Math.floor(length / stride);
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let seed = 0x2545_f491;
  for (let i = count - 1; i > 0; i--) {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    const j = (seed >>> 0) % i;
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }
  const next = new Int32Array(length);
  for (let i = 0; i < count; i++) next[order[i]! * stride] = order[(i + 1) % count]! * stride;
  return next;
}

export class Canaries {
  readonly #clock: EngineClock;
  readonly #make: () => CanaryLoops;
  #loops: CanaryLoops | null = null;
  #bestArithmetic = Number.POSITIVE_INFINITY;
  #bestMemory = Number.POSITIVE_INFINITY;

  constructor(clock: EngineClock, make: () => CanaryLoops = canaryLoops) {
    this.#clock = clock;
    this.#make = make;
  }

  /** Times both. Blocks for about 0.6 ms; the first time for about 15 ms more, to make and warm them. */
  run(): CanaryTimes {
    if (this.#loops === null) {
      this.#loops = this.#make();
      this.#warm(this.#loops);
    }
    const { arithmetic, memory } = this.#loops;
    const times = {
      arithmeticNs: this.#median(arithmetic, ARITHMETIC_STEPS),
      memoryNs: this.#median(memory, MEMORY_STEPS),
    };
    this.#bestArithmetic = Math.min(this.#bestArithmetic, times.arithmeticNs);
    this.#bestMemory = Math.min(this.#bestMemory, times.memoryNs);
    return times;
  }

  /** Slower than the quickest of this fork so far? */
  strays(times: CanaryTimes): boolean {
    return strays(times, { arithmeticNs: this.#bestArithmetic, memoryNs: this.#bestMemory });
  }

  #warm({ arithmetic, memory }: CanaryLoops): void {
    for (const [loop, steps] of [
      [arithmetic, ARITHMETIC_STEPS],
      [memory, MEMORY_STEPS],
    ] as const) {
      const begin = this.#now();
      // A fixed count bounds it where the clock stands still.
      for (let i = 0; i < 1000 && this.#now() - begin < WARM_NS; i++) loop(steps);
    }
  }

  #now(): number {
    this.#clock.read();
    return this.#clock.slot[0]! * this.#clock.nsPerTick;
  }

  #median(loop: (steps: number) => number, steps: number): number {
    const series = new Float64Array(RUNS);
    for (let k = 0; k < RUNS; k++) {
      const begin = this.#now();
      loop(steps);
      series[k] = this.#now() - begin;
    }
    return middle(series.sort());
  }
}
