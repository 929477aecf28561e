/**
 * Times reads made from JavaScript with the clock itself. Called again and again while the frequency is fitted, so that the
 * loop is optimised by the time the last (and smallest) figures are taken.
 */
export interface ReadCost {
  /** Runs one batch; returns nothing, keeps the figures. */
  batch(): void;
  /** Ticks per read (lower quartile of the latest batches) and smallest real difference of two reads in a row. */
  result(): { readonly readTicks: number; readonly floorTicks: number };
}

const READS = 64;
const KEPT = 64;

/** `granularity` in ticks: differences below it are no time, but the counter's way of never repeating itself. */
export function readCost(read: () => void, slot: Float64Array, granularity: number): ReadCost {
  const costs: number[] = [];
  // A rounded step may be a tick short.
  const smallest = Math.max(granularity - 1, 1);
  let floor = Infinity;
  return {
    batch() {
      read();
      const start = slot[0]!;
      for (let i = 1; i < READS; i++) read();
      costs.push((slot[0]! - start) / (READS - 1));
      if (costs.length > KEPT) costs.shift();
      for (let i = 0; i < 16; i++) {
        read();
        const first = slot[0]!;
        read();
        const difference = slot[0]! - first;
        if (difference >= smallest && difference < floor) floor = difference;
      }
    },
    result() {
      const sorted = costs.toSorted((a, b) => a - b);
      const readTicks = sorted[Math.floor(sorted.length / 4)] ?? 0;
      return { readTicks, floorTicks: Math.max(Number.isFinite(floor) ? floor : readTicks, granularity) };
    },
  };
}
