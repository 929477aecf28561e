/** Follows the tiers of loop and body through an iteration by looking between chunks. */
import type { Tier, TierInfo } from '../result/model.js';
import type { TierProbe, TierState } from './types.js';

const RANK: Readonly<Record<Tier, number>> = {
  unknown: -1,
  interpreter: 0,
  baseline: 1,
  maglev: 2,
  optimized: 3,
  turbofan: 3,
  inlined: 3,
};

export class TierWatch {
  readonly #of: ((fn: unknown) => TierState) | null;
  readonly #loop: unknown;
  readonly #body: unknown;
  #lastLoop: Tier = 'unknown';
  #lastBody: Tier = 'unknown';
  #pending = false;
  /** Rises (compiled) and falls (deoptimised) since {@link begin}. */
  rises = 0;
  falls = 0;

  constructor(probe: TierProbe, loop: unknown, body: unknown) {
    this.#of = probe.of;
    this.#loop = loop;
    this.#body = body;
  }

  begin(): void {
    if (!this.#of) return;
    this.rises = 0;
    this.falls = 0;
    this.#lastLoop = this.#of(this.#loop).tier;
    this.#lastBody = this.#of(this.#body).tier;
  }

  look(): void {
    if (!this.#of) return;
    const loop = this.#of(this.#loop);
    const body = this.#of(this.#body);
    this.#compare(this.#lastLoop, loop.tier);
    this.#compare(this.#lastBody, body.tier);
    this.#lastLoop = loop.tier;
    this.#lastBody = body.tier;
    this.#pending = loop.pending || body.pending;
  }

  #compare(before: Tier, after: Tier): void {
    if (RANK[after] > RANK[before] && before !== 'unknown') this.rises++;
    else if (RANK[after] < RANK[before] && after !== 'unknown') this.falls++;
  }

  get visible(): boolean {
    return this.#of !== null;
  }

  get pending(): boolean {
    return this.#pending;
  }

  /** What an iteration records; null when the VM does not tell. */
  info(): TierInfo | null {
    if (!this.#of) return null;
    // Its own code is not the top one although the loop's is and nothing is pending: the loop does not call it, it contains it.
    const contained =
      RANK[this.#lastLoop] === 3 && RANK[this.#lastBody] >= 0 && RANK[this.#lastBody] < 3 && !this.#pending;
    return {
      loop: this.#lastLoop,
      body: contained ? 'inlined' : this.#lastBody,
      changed: this.rises + this.falls > 0,
      deopts: this.falls,
    };
  }
}
