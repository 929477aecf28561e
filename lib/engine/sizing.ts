/**
 * Chunk sizes: long enough that two clock reads do not matter (10 us against about 20 ns), short enough that a gap
 * stands out (100 us).
 */
export const CHUNK_MIN_NS = 10_000;
export const CHUNK_MAX_NS = 100_000;
export const CHUNK_TARGET_NS = 50_000;
/** More invocations than this are never put in one chunk, however fast the clock says they are. */
export const CHUNK_MAX_INVOCATIONS = 1 << 24;

/** Invocations for a chunk of the target length at a speed, at least 1. */
export function invocationsFor(nsPerInvocation: number): number {
  if (!(nsPerInvocation > 0)) return CHUNK_MAX_INVOCATIONS;
  return Math.min(CHUNK_MAX_INVOCATIONS, Math.max(1, Math.round(CHUNK_TARGET_NS / nsPerInvocation)));
}

/**
 * Finds the size while the code still changes speed. It moves by factors of two in both directions and never stops
 * listening, so that a cold first call (1 ms for what later takes 10 ns) decides nothing; a single long chunk is
 * taken for a gap, two in a row for the truth.
 */
export class ChunkSizer {
  size = 1;
  #tooLong = 0;

  /** Learns from a chunk of `size` invocations that took `ns`. */
  saw(ns: number): void {
    if (ns < CHUNK_MIN_NS) {
      this.#tooLong = 0;
      this.size = Math.min(CHUNK_MAX_INVOCATIONS, this.size * 2);
    } else if (ns > CHUNK_MAX_NS && this.size > 1) {
      this.#tooLong++;
      if (this.#tooLong >= 2) {
        this.#tooLong = 0;
        this.size = Math.max(1, this.size >>> 1);
      }
    } else {
      this.#tooLong = 0;
    }
  }

  /** Settles on the size for a speed that was seen over a whole window. */
  settle(nsPerInvocation: number): void {
    this.size = invocationsFor(nsPerInvocation);
    this.#tooLong = 0;
  }
}
