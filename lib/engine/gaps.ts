/**
 * Gaps: chunks much longer than the iteration's median. What took the time (another process, the hypervisor, a stop
 * signal, a collection of the program itself) is not known here, only that it was not the usual work; what the kernel
 * recorded of it is in interference.ts.
 */
import { type ChunkRecorder, middle, rank } from './chunks.js';

/** A gap is longer than this many times the median chunk... */
const FACTOR = 2;
/** ...beyond the spread that nine chunks in ten have, times this... */
const SPREAD = 3;
/** ...and at least this long on top of the median, ns: below it lies what an interrupt takes. */
const FLOOR_NS = 10_000;
/** With fewer chunks than this the median of the iteration says nothing; the speed of earlier iterations is used. */
const ENOUGH = 5;

export interface Gaps {
  readonly count: number;
  readonly lostNs: number;
  readonly worstNs: number;
}

/**
 * Finds the gaps of an iteration.
 * @param recorder Its chunks.
 * @param usualNs ns per invocation seen before, used when there are too few chunks; null = unknown.
 * @param betweenNs Longest time between two chunks, ns: a gap there cost no score but is one.
 */
export function findGaps(recorder: ChunkRecorder, usualNs: number | null, betweenNs = 0): Gaps {
  const per = recorder.perInvocation();
  const times = recorder.times();
  const sizes = recorder.sizes();
  const sorted = per.slice().sort();
  const few = sorted.length < ENOUGH;
  const median = few ? usualNs : middle(sorted);
  let [count, lostNs, worstNs] = [0, 0, 0];
  if (median !== null && sorted.length > 0) {
    const spread = few ? 0 : SPREAD * (rank(sorted, 0.9) - median);
    for (let i = 0; i < times.length; i++) {
      const expected = median * sizes[i]!;
      const lost = times[i]! - expected;
      if (lost < Math.max((FACTOR - 1) * expected, spread * sizes[i]!, FLOOR_NS)) continue;
      count++;
      lostNs += lost;
      worstNs = Math.max(worstNs, lost);
    }
  }
  const usualChunk = sorted.length > 0 ? middle(times.slice().sort()) : 0;
  if (betweenNs >= Math.max(FLOOR_NS * 10, usualChunk)) {
    count++;
    lostNs += betweenNs;
    worstNs = Math.max(worstNs, betweenNs);
  }
  return { count, lostNs, worstNs };
}
