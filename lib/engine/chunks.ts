/**
 * Chunk times of one iteration, in flat memory: when the buffer is full, neighbours are merged in pairs and from then
 * on twice as many chunks make one entry. Sums are exact whatever is merged.
 */
import type { ChunkStats } from '../result/model.js';

/** Entries kept: 2^14 chunks of 50 us are 0.8 s without any merging. More memory at the start would start the collector. */
const CAPACITY = 1 << 14;

export class ChunkRecorder {
  readonly #ns: Float64Array;
  readonly #invocations: Float64Array;
  readonly #capacity: number;
  #count = 0;
  /** Chunks per entry, and what the entry being filled holds so far. */
  #merge = 1;
  #parts = 0;
  #partNs = 0;
  #partInvocations = 0;
  elapsedNs = 0;
  invocations = 0;
  chunks = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
    this.#ns = new Float64Array(capacity);
    this.#invocations = new Float64Array(capacity);
  }

  reset(): void {
    this.#count = 0;
    this.#merge = 1;
    this.#parts = 0;
    this.#partNs = 0;
    this.#partInvocations = 0;
    this.elapsedNs = 0;
    this.invocations = 0;
    this.chunks = 0;
  }

  add(ns: number, invocations: number): void {
    this.elapsedNs += ns;
    this.invocations += invocations;
    this.chunks++;
    this.#partNs += ns;
    this.#partInvocations += invocations;
    if (++this.#parts < this.#merge) return;
    if (this.#count === this.#capacity) this.#halve();
    // After a halving the entry just filled is one chunk of the new, twice as long entries.
    if (this.#parts < this.#merge) return;
    this.#ns[this.#count] = this.#partNs;
    this.#invocations[this.#count++] = this.#partInvocations;
    this.#parts = 0;
    this.#partNs = 0;
    this.#partInvocations = 0;
  }

  #halve(): void {
    for (let i = 0; i + 1 < this.#count; i += 2) {
      this.#ns[i >> 1] = this.#ns[i]! + this.#ns[i + 1]!;
      this.#invocations[i >> 1] = this.#invocations[i]! + this.#invocations[i + 1]!;
    }
    this.#count >>= 1;
    this.#merge *= 2;
  }

  /** Whole times of the entries, ns, in order. A view: valid until the next add. */
  times(): Float64Array {
    return this.#ns.subarray(0, this.#count);
  }

  /** Invocations of the entries, in order. A view, as above. */
  sizes(): Float64Array {
    return this.#invocations.subarray(0, this.#count);
  }

  /** Chunks that make one entry. */
  get merged(): number {
    return this.#merge;
  }

  /** ns per invocation of every entry, in order. */
  perInvocation(): Float64Array {
    const values = new Float64Array(this.#count);
    for (let i = 0; i < values.length; i++) values[i] = this.#ns[i]! / this.#invocations[i]!;
    return values;
  }
}

/** Value at `p` of sorted values: the one that at least p of them do not exceed (nearest rank); NaN when there are none. */
export function rank(sorted: Float64Array, p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

/** Middle value, halfway between the two middle ones of an even count. */
export function middle(sorted: Float64Array): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Statistics per op; null without chunks. `opsPerInvocation` may be a fraction (ops per batch). */
export function chunkStats(recorder: ChunkRecorder, opsPerInvocation: number, keep: boolean): ChunkStats | null {
  const values = recorder.perInvocation();
  if (values.length === 0) return null;
  for (let i = 0; i < values.length; i++) values[i] = values[i]! / opsPerInvocation;
  const sorted = values.slice().sort();
  return {
    count: recorder.chunks,
    invocations: middle(recorder.sizes().slice().sort()) / recorder.merged,
    minNs: sorted[0]!,
    medianNs: middle(sorted),
    p90Ns: rank(sorted, 0.9),
    maxNs: sorted[sorted.length - 1]!,
    values: keep ? Array.from(values) : null,
  };
}
