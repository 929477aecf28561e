/** Runs chunks until an iteration's time is over. Nothing here depends on the benchmark; the loop is handed in. */
import type { ChunkRecorder } from './chunks.js';
import type { LaneLoop, LoopCells } from './loops.js';
import type { ChunkSizer } from './sizing.js';
import type { EngineClock } from './types.js';

/** Chunks between two looks at the tiers: a look costs about 0.2 us, outside of the timed part. */
const LOOK_EVERY = 8;

export interface ChunkRun {
  readonly clock: EngineClock;
  readonly recorder: ChunkRecorder;
  /** Turns per chunk (invocations; samples in sample mode), fixed; or a sizer that learns from every chunk. */
  readonly size: number | ChunkSizer;
  /** The iteration ends with the first chunk that ends after this, ns of wall time. */
  readonly limitNs: number;
  /** Called between chunks, now and then. */
  readonly look: () => void;
  /** Where a `timed` loop leaves the ticks inside invocations, which then are the chunk's time; null = the whole chunk is. */
  readonly spent: LoopCells['spent'] | null;
  /** Invocations that one turn of a lane makes. */
  readonly perTurn: number;
}

/** When a run began and ended, ns since the clock's base, and the longest time between two of its chunks. */
export interface RunSpan {
  readonly startNs: number;
  readonly wallNs: number;
  readonly betweenNs: number;
}

/** Synchronous chunks: two clock reads each. At least one chunk is run; all chunks are whole. */
export function runChunks(run: ChunkRun, loop: (n: number) => number): RunSpan {
  const { clock, recorder, limitNs, spent } = run;
  const { slot, nsPerTick } = clock;
  const sizer = typeof run.size === 'number' ? null : run.size;
  let n = sizer ? sizer.size : (run.size as number);
  let untilLook = LOOK_EVERY;
  let between = 0;
  clock.read();
  const first = slot[0]!;
  const limit = first + limitNs / nsPerTick;
  let end = first;
  do {
    clock.read();
    const start = slot[0]!;
    const invocations = loop(n);
    clock.read();
    // A look makes the time between chunks longer by itself, so gaps between chunks are judged with a wide margin.
    if (start - end > between) between = start - end;
    end = slot[0]!;
    recorder.add((spent ? spent[0]! : end - start) * nsPerTick, invocations);
    if (sizer) {
      sizer.saw((end - start) * nsPerTick);
      n = sizer.size;
    }
    if (--untilLook === 0) {
      untilLook = LOOK_EVERY;
      run.look();
    }
  } while (end < limit);
  return { startNs: first * nsPerTick, wallNs: (end - first) * nsPerTick, betweenNs: between * nsPerTick };
}

/** Asynchronous chunks: with several lanes nothing is drained between chunks. */
export async function runLanes(run: ChunkRun, loop: LaneLoop, lanes: number): Promise<RunSpan> {
  const { clock, recorder, limitNs, spent, perTurn } = run;
  const { slot, nsPerTick } = clock;
  const sizer = typeof run.size === 'number' ? null : run.size;
  let n = sizer ? sizer.size : (run.size as number);
  let untilLook = LOOK_EVERY;
  let start = 0;
  let end = 0;
  const boundary = () => {
    clock.read();
    end = slot[0]!;
    recorder.add((spent ? spent[0]! : end - start) * nsPerTick, n * perTurn);
    if (end >= limit) return 0;
    if (sizer) {
      sizer.saw((end - start) * nsPerTick);
      n = sizer.size;
    }
    if (--untilLook === 0) {
      untilLook = LOOK_EVERY;
      run.look();
    }
    if (spent) spent[0] = 0;
    clock.read();
    start = slot[0]!;
    return n;
  };
  if (spent) spent[0] = 0;
  clock.read();
  const first = slot[0]!;
  start = end = first;
  const limit = first + limitNs / nsPerTick;
  await loop.run(lanes, n, boundary);
  return { startNs: first * nsPerTick, wallNs: (end - first) * nsPerTick, betweenNs: 0 };
}
