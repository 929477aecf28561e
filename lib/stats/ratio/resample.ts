import type { Random } from '../prng.js';
import { selectQuantile } from '../select.js';

/** What is compared: the mean of the group means, or a quantile of all values together. */
export type Statistic = 'mean' | { readonly quantile: number };

/**
 * `top`: groups are drawn with replacement and keep their values. `all`: the values inside each drawn group are drawn again too, which
 * counts their noise twice.
 */
export type Resample = 'top' | 'all';

/** One side of a hierarchical sample, flat, with everything a replicate needs allocated once. */
export class Sampler {
  readonly groups: number;
  readonly #values: Float64Array;
  readonly #start: Int32Array;
  readonly #means: Float64Array;
  readonly #drawn: Int32Array;
  readonly #buffer: Float64Array;
  readonly #statistic: Statistic;

  constructor(groups: ArrayLike<ArrayLike<number>>, statistic: Statistic) {
    const n = groups.length;
    this.groups = n;
    this.#statistic = statistic;
    this.#start = new Int32Array(n + 1);
    let longest = 0;
    for (let g = 0; g < n; g++) {
      this.#start[g + 1] = this.#start[g]! + groups[g]!.length;
      longest = Math.max(longest, groups[g]!.length);
    }
    this.#values = new Float64Array(this.#start[n]!);
    for (let g = 0; g < n; g++) this.#values.set(Array.from(groups[g]!), this.#start[g]!);
    this.#means = new Float64Array(n);
    for (let g = 0; g < n; g++) {
      let sum = 0;
      for (let i = this.#start[g]!; i < this.#start[g + 1]!; i++) sum += this.#values[i]!;
      this.#means[g] = sum / groups[g]!.length;
    }
    this.#drawn = new Int32Array(n);
    this.#buffer = new Float64Array(longest * n);
  }

  /** The statistic of the data themselves, or without group `left`. */
  estimate(left = -1): number {
    for (let k = 0; k < this.groups; k++) this.#drawn[k] = k;
    let count = this.groups;
    if (left >= 0) this.#drawn[left] = this.#drawn[--count]!;
    return this.#statistic === 'mean' ? this.#meanOfDrawn(count) : this.#quantileOfDrawn(count);
  }

  /** The statistic of one resample. Draws: the group indices first, then (mode `all`) the values of each drawn group in turn. */
  replicate(rng: Random, resample: Resample): number {
    const F = this.groups;
    for (let k = 0; k < F; k++) this.#drawn[k] = rng.below(F);
    if (resample === 'top') return this.#statistic === 'mean' ? this.#meanOfDrawn(F) : this.#quantileOfDrawn(F);
    return this.#statistic === 'mean' ? this.#meanOfValues(rng) : this.#quantileOfValues(rng);
  }

  #meanOfDrawn(count: number): number {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += this.#means[this.#drawn[k]!]!;
    return sum / count;
  }

  #quantileOfDrawn(count: number): number {
    let n = 0;
    for (let k = 0; k < count; k++) {
      const g = this.#drawn[k]!;
      for (let i = this.#start[g]!; i < this.#start[g + 1]!; i++) this.#buffer[n++] = this.#values[i]!;
    }
    return selectQuantile(this.#buffer, n, (this.#statistic as { quantile: number }).quantile);
  }

  #meanOfValues(rng: Random): number {
    let sum = 0;
    for (let k = 0; k < this.groups; k++) {
      const first = this.#start[this.#drawn[k]!]!;
      const size = this.#start[this.#drawn[k]! + 1]! - first;
      let inner = 0;
      for (let i = 0; i < size; i++) inner += this.#values[first + rng.below(size)]!;
      sum += inner / size;
    }
    return sum / this.groups;
  }

  #quantileOfValues(rng: Random): number {
    let n = 0;
    for (let k = 0; k < this.groups; k++) {
      const first = this.#start[this.#drawn[k]!]!;
      const size = this.#start[this.#drawn[k]! + 1]! - first;
      for (let i = 0; i < size; i++) this.#buffer[n++] = this.#values[first + rng.below(size)]!;
    }
    return selectQuantile(this.#buffer, n, (this.#statistic as { quantile: number }).quantile);
  }
}
