/**
 * Time that was taken from the measuring thread while a chunk ran, as the kernel recorded it. Its counters are read at the start, after
 * every chunk much longer than usual, after long pauses between chunks, and at the end: 4 us each, never inside of a chunk.
 *
 * What counts is only time in which the thread did not run: between two readings, the wall time less the thread's CPU time. Collecting
 * garbage, compiling and code that was deoptimised run on the thread, so they cannot be left out by this. When the thread also
 * waited by its own will (file access, Atomics.wait, a collection that waits for its helpers), only the time in which it was
 * ready and had to wait for a CPU counts, and nothing where the kernel does not tell that.
 */
import type { ExcludedTime } from '../result/model.js';
import type { EngineClock } from './types.js';

/** A chunk is looked at when it is longer than this many times the usual one... */
const FACTOR = 2;
/** ...and by at least this, ns... */
const BEYOND_NS = 10_000;
/** ...or, whatever is usual, longer than this: a reading costs 0.4 % of it. */
const ALWAYS_NS = 1e6;
/** A pause between chunks, ns, from which on what was taken in it is told apart from what was taken in chunks. */
const PAUSE_NS = 20_000;
/** The readings are not taken at one instant: less than this, ns, that no switch explains is nothing. */
const NOISE_NS = 10_000;
/** Entries kept of the log; the sums have all. */
const LOGGED = 32;

/** The kernel's counters of the calling thread. */
export interface SchedulingCounters {
  /** Fills [involuntary switches, voluntary switches, , , CPU ns]; null = unknown. */
  readonly usage: ((into: Float64Array) => void) | null;
  /** ns waited for a CPU while ready; null = unknown. */
  readonly waited: (() => number) | null;
}

export interface Interference {
  readonly excludedNs: number;
  /** Stretches of chunks from which time was left out. */
  readonly excludedChunks: number;
  readonly log: readonly ExcludedTime[];
}

export class InterferenceWatch {
  readonly #counters: SchedulingCounters;
  readonly #clock: EngineClock;
  readonly #before = new Float64Array(8);
  readonly #after = new Float64Array(8);
  readonly #log: ExcludedTime[] = [];
  #waitedBefore = 0;
  #wallBefore = 0;
  #startTicks = 0;
  #measuredBefore = 0;
  #usualNs: number | null = null;
  #smallest = Number.POSITIVE_INFINITY;
  #excludedNs = 0;
  #stretches = 0;

  constructor(counters: SchedulingCounters, clock: EngineClock) {
    this.#counters = counters;
    this.#clock = clock;
  }

  /** After a pause between chunks longer than this, ticks, the counters are read again. */
  get pauseTicks(): number {
    return PAUSE_NS / this.#clock.nsPerTick;
  }

  /** Can anything be told? */
  get visible(): boolean {
    return this.#counters.usage !== null || this.#counters.waited !== null;
  }

  /** For the next iteration: ns per invocation so far; null = unknown, then the quickest chunk tells what is usual. */
  expect(usualNs: number | null): void {
    this.#usualNs = usualNs;
  }

  /** Begins an iteration; returns the tick of the reading, like {@link look}. */
  begin(): number {
    this.#smallest = Number.POSITIVE_INFINITY;
    this.#excludedNs = 0;
    this.#stretches = 0;
    this.#log.length = 0;
    this.#measuredBefore = 0;
    this.#read(this.#before);
    this.#startTicks = this.#wallBefore;
    return this.#wallBefore;
  }

  /** Is a chunk of `ns` with `invocations` one to look at? */
  isLong(ns: number, invocations: number): boolean {
    if (ns >= ALWAYS_NS) return true;
    const each = this.#usualNs ?? this.#smallest;
    if (this.#usualNs === null && ns < this.#smallest * invocations) this.#smallest = ns / invocations;
    const usual = each * invocations;
    return ns > FACTOR * usual && ns > usual + BEYOND_NS;
  }

  /**
   * Looks at what happened since the last reading.
   * @param measuredNs Time of all chunks of the iteration so far.
   * @param sinceTicks End of the last chunk, or the last reading when that is later: what was taken from there on cost no score.
   * @returns The tick of this reading.
   */
  look(measuredNs: number, sinceTicks: number): number {
    this.#take(measuredNs, sinceTicks);
    return this.#wallBefore;
  }

  /** What was found in the iteration that has ended. */
  result(): Interference {
    return { excludedNs: this.#excludedNs, excludedChunks: this.#stretches, log: [...this.#log] };
  }

  #read(into: Float64Array): void {
    const { usage, waited } = this.#counters;
    this.#clock.read();
    this.#wallBefore = this.#clock.slot[0]!;
    usage?.(into);
    if (waited) this.#waitedBefore = waited();
  }

  #take(measuredNs: number, sinceTicks: number): void {
    const before = this.#before;
    const after = this.#after;
    const { usage, waited } = this.#counters;
    const wall = this.#wallBefore;
    const delay = this.#waitedBefore;
    this.#read(after);
    const waitedNs = waited ? this.#waitedBefore - delay : null;
    const wallNs = (this.#wallBefore - wall) * this.#clock.nsPerTick;
    const pauseNs = (this.#wallBefore - sinceTicks) * this.#clock.nsPerTick;
    const taken = usage
      ? takenNs(wallNs - (after[4]! - before[4]!), after[0]! - before[0]!, after[1]! - before[1]!, waitedNs)
      : { switchNs: waitedNs ?? 0, stolenNs: 0 };
    before.set(after);
    const inChunks = measuredNs - this.#measuredBefore;
    this.#measuredBefore = measuredNs;
    // What was taken in the pause is not in the chunks; the kernel's switches go first, being the usual cause of pauses.
    const switchNs = Math.min(Math.max(0, taken.switchNs - pauseNs), inChunks);
    const rest = Math.max(0, pauseNs - taken.switchNs);
    const stolenNs = Math.min(Math.max(0, taken.stolenNs - rest), inChunks - switchNs);
    if (!(switchNs + stolenNs > 0)) return;
    this.#excludedNs += switchNs + stolenNs;
    this.#stretches++;
    const atNs = (this.#wallBefore - this.#startTicks) * this.#clock.nsPerTick;
    if (switchNs > 0) this.#note(atNs, switchNs, 'switch');
    if (stolenNs > 0) this.#note(atNs, stolenNs, 'stolen');
  }

  #note(atNs: number, ns: number, cause: ExcludedTime['cause']): void {
    if (this.#log.length < LOGGED) this.#log.push({ atNs: Math.round(atNs), ns: Math.round(ns), cause });
  }
}

/**
 * External part of the time a thread did not run, by cause.
 * @param offNs Wall time less CPU time.
 * @param involuntary, voluntary Switches meanwhile.
 * @param waitedNs Time it was ready and not let run; null = unknown.
 */
export function takenNs(
  offNs: number,
  involuntary: number,
  voluntary: number,
  waitedNs: number | null,
): { readonly switchNs: number; readonly stolenNs: number } {
  const off = Math.max(0, offNs);
  const switchNs = waitedNs !== null ? Math.min(waitedNs, off) : voluntary === 0 && involuntary > 0 ? off : 0;
  const rest = off - switchNs;
  return { switchNs, stolenNs: voluntary === 0 && rest >= NOISE_NS ? rest : 0 };
}
