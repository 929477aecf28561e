/** Runs chunks until an iteration's time is over. Nothing here depends on the benchmark; the loop is handed in. */
import type { ChunkRecorder } from './chunks.js';
import type { InterferenceWatch } from './interference.js';
import type { LaneLoop, LoopCells } from './loops.js';
import type { Rendezvous } from './rendezvous.js';
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
  /** Where threads meet; null on a single thread. */
  readonly meet: Rendezvous | null;
  /** Told when calls are made that are not measured. */
  readonly quiet: (quiet: boolean) => void;
  /** Told of chunks that took long; null = nothing can be told, or nobody asks. */
  readonly watch: InterferenceWatch | null;
}

/** When a run began and ended, ns since the clock's base, and the longest time between two of its chunks. */
export interface RunSpan {
  readonly startNs: number;
  readonly wallNs: number;
  readonly betweenNs: number;
}

const turnsOf = ({ size }: ChunkRun) => (typeof size === 'number' ? size : size.size);

/** Length of a stretch of unmeasured calls, ns: time limits are set for each, so that waiting has none and a stuck call has. */
const IDLE_NS = 50e6;

/** Unmeasured calls for a while; false when there is nothing left to wait for. */
export function idle(run: ChunkRun, loop: (n: number) => number, waits: () => boolean): boolean {
  const { clock, meet } = run;
  clock.read();
  const end = clock.slot[0]! + IDLE_NS / clock.nsPerTick;
  run.quiet(true);
  let more = waits();
  while (more) {
    loop(turnsOf(run));
    meet?.beat();
    more = waits();
    clock.read();
    if (clock.slot[0]! >= end) break;
  }
  run.quiet(false);
  return more;
}

/** Synchronous chunks: two clock reads each. At least one chunk is run; all chunks are whole. */
export function runChunks(run: ChunkRun, loop: (n: number) => number): RunSpan {
  const { clock, recorder, limitNs, spent, watch } = run;
  const { slot, nsPerTick } = clock;
  const pauseTicks = watch?.pauseTicks ?? Number.POSITIVE_INFINITY;
  const sizer = typeof run.size === 'number' ? null : run.size;
  let n = sizer ? sizer.size : (run.size as number);
  let untilLook = LOOK_EVERY;
  let between = 0;
  const { meet } = run;
  meet?.onStart();
  let since = watch?.begin() ?? 0;
  clock.read();
  const first = slot[0]!;
  const limit = first + limitNs / nsPerTick;
  let end = first;
  do {
    clock.read();
    let start = slot[0]!;
    while (start - since > pauseTicks) {
      // From the end of the reading on, so that what is taken while reading is told apart as well.
      since = watch!.look(recorder.elapsedNs, since);
      clock.read();
      start = slot[0]!;
    }
    const invocations = loop(n);
    clock.read();
    // A look makes the time between chunks longer by itself, so gaps between chunks are judged with a wide margin.
    if (start - end > between) between = start - end;
    end = slot[0]!;
    recorder.add((spent ? spent[0]! : end - start) * nsPerTick, invocations);
    since = end;
    if (watch?.isLong((end - start) * nsPerTick, invocations)) since = watch.look(recorder.elapsedNs, end);
    if (sizer) {
      sizer.saw((end - start) * nsPerTick);
      n = sizer.size;
    }
    meet?.beat();
    if (--untilLook === 0) {
      untilLook = LOOK_EVERY;
      run.look();
    }
  } while (end < limit && !meet?.stopped);
  meet?.onStop();
  meet?.leave();
  watch?.look(recorder.elapsedNs, since);
  return { startNs: first * nsPerTick, wallNs: (end - first) * nsPerTick, betweenNs: between * nsPerTick };
}

/** Asynchronous chunks: with several lanes nothing is drained between chunks. */
export async function runLanes(
  run: ChunkRun,
  loop: LaneLoop,
  lanes: number,
  onPhase: (idle: boolean) => void = () => {},
): Promise<RunSpan> {
  const { clock, recorder, limitNs, spent, perTurn, watch } = run;
  const { slot, nsPerTick } = clock;
  const sizer = typeof run.size === 'number' ? null : run.size;
  let n = sizer ? sizer.size : (run.size as number);
  let untilLook = LOOK_EVERY;
  let first = 0;
  let start = 0;
  let end = 0;
  let limit = 0;
  let since = 0;
  const pauseTicks = watch?.pauseTicks ?? Number.POSITIVE_INFINITY;
  const { meet } = run;
  let phase: 'waiting' | 'measuring' | 'draining' = meet ? 'waiting' : 'measuring';
  const begin = () => {
    if (spent) spent[0] = 0;
    run.quiet(false);
    since = watch?.begin() ?? 0;
    clock.read();
    first = start = end = slot[0]!;
    limit = first + limitNs / nsPerTick;
  };
  const boundary = () => {
    meet?.beat();
    if (phase === 'waiting') {
      if (meet!.waiting) return n;
      phase = 'measuring';
      onPhase(false);
      meet!.onStart();
      begin();
      return n;
    }
    if (phase === 'draining') return meet!.draining ? n : 0;
    clock.read();
    end = slot[0]!;
    recorder.add((spent ? spent[0]! : end - start) * nsPerTick, n * perTurn);
    since = end;
    if (watch?.isLong((end - start) * nsPerTick, n * perTurn)) since = watch.look(recorder.elapsedNs, end);
    if (end >= limit || meet?.stopped) {
      watch?.look(recorder.elapsedNs, since);
      if (!meet) return 0;
      phase = 'draining';
      onPhase(true);
      meet.onStop();
      run.quiet(true);
      meet.leave();
      return meet.draining ? n : 0;
    }
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
    while (start - since > pauseTicks) {
      since = watch!.look(recorder.elapsedNs, since);
      clock.read();
      start = slot[0]!;
    }
    return n;
  };
  if (meet) {
    onPhase(true);
    run.quiet(true);
    meet.arrive();
  } else begin();
  await loop.run(lanes, n, boundary);
  run.quiet(false);
  return { startNs: first * nsPerTick, wallNs: (end - first) * nsPerTick, betweenNs: 0 };
}
