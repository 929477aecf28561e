/**
 * Canary loops: fixed work, timed beside each iteration. When they slow down the machine has changed, not the benchmark.
 * One is arithmetic (clock frequency, a busy sibling thread), one follows pointers through memory beyond the inner
 * caches (contention for cache and memory, which neither steal time nor switches show in a guest).
 */
import type { EngineClock } from './types.js';

export interface CanaryTimes {
  readonly arithmeticNs: number;
  readonly memoryNs: number;
}

/** Dependent multiplications, about 20 us. */
const STEPS = 16_384;
/** Elements of the chain: 4 MiB, beyond the inner caches. */
const CHAIN = 1 << 20;
/** Links followed, each a cache miss. */
const LINKS = 2048;
/** The fastest of so many runs counts, so that one interrupt does not. */
const RUNS = 3;
/** A canary this much slower than the fork's fastest is told. */
export const CANARY_SLOW = 1.25;
/** Runs until the loops are surely compiled. */
const WARM_RUNS = 300;

type Arithmetic = (x: number, n: number) => number;
type Follow = (chain: Int32Array, at: number, n: number) => number;

export class Canary {
  readonly #clock: EngineClock;
  readonly #chain: Int32Array;
  readonly #arithmetic: Arithmetic;
  readonly #follow: Follow;
  #at = 0;
  #x = 1;
  #best: CanaryTimes | null = null;

  constructor(clock: EngineClock) {
    this.#clock = clock;
    this.#chain = chainOf(CHAIN);
    this.#arithmetic = new Function(
      'x',
      'n',
      'for (let i = 0; i < n; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; return x;',
    ) as Arithmetic;
    this.#follow = new Function('chain', 'at', 'n', 'for (let i = 0; i < n; i++) at = chain[at]; return at;') as Follow;
    for (let i = 0; i < WARM_RUNS; i++) {
      this.#x = this.#arithmetic(this.#x, STEPS >> 4);
      this.#at = this.#follow(this.#chain, this.#at, LINKS >> 4);
    }
  }

  #time(run: () => void): number {
    const { read, slot, nsPerTick } = this.#clock;
    let best = Number.POSITIVE_INFINITY;
    for (let k = 0; k < RUNS; k++) {
      read();
      const start = slot[0]!;
      run();
      read();
      best = Math.min(best, slot[0]! - start);
    }
    return best * nsPerTick;
  }

  /** Times both; `slow` when either is well above the fork's fastest so far. */
  run(): { readonly times: CanaryTimes; readonly slow: boolean } {
    const times: CanaryTimes = {
      arithmeticNs: this.#time(() => {
        this.#x = this.#arithmetic(this.#x, STEPS);
      }),
      memoryNs: this.#time(() => {
        this.#at = this.#follow(this.#chain, this.#at, LINKS);
      }),
    };
    const best = this.#best ?? times;
    this.#best = {
      arithmeticNs: Math.min(best.arithmeticNs, times.arithmeticNs),
      memoryNs: Math.min(best.memoryNs, times.memoryNs),
    };
    const slow =
      times.arithmeticNs > CANARY_SLOW * this.#best.arithmeticNs || times.memoryNs > CANARY_SLOW * this.#best.memoryNs;
    return { times, slow };
  }
}

/**
 * One cycle through all elements in an order that prefetchers do not follow: a full-period congruential sequence
 * (Hull and Dobell: odd increment, multiplier 1 modulo 4), so that no shuffling is needed at the start of a fork.
 */
export function chainOf(size: number): Int32Array {
  const chain = new Int32Array(size);
  for (let i = 0; i < size; i++) chain[i] = (Math.imul(i, 1664525) + 1013904223) & (size - 1);
  return chain;
}
