/** tscope/adapters/mitata: our clock and counters in mitata's `measure` (1.0). */
import { hotClock } from '../clock/index.js';
import { type FailedEvent, open, type Refusal } from '../counters/index.js';

/**
 * `measure(fn, { now: now() })`: ns with fractions. mitata's `bench()` and `run()` do not hand it on, only `measure` does; and its decision
 * how to warm up and batch uses its own clock even there.
 */
export function now(): () => number {
  const { read, slot, nsPerTick } = hotClock();
  return () => {
    read();
    return slot[0]! * nsPerTick;
  };
}

/** Counts of one event per op over the samples of a measurement. */
export interface EventStats {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly total: number;
}

/** What mitata takes in its internal slot for counters, `measure(fn, { $counters })`. */
export interface CountersSlot {
  init(): void;
  before(): void;
  after(): void;
  translate(opsPerSample: number, samples: number): Record<string, EventStats>;
  deinit(): void;
  /** Events that are counted. */
  readonly names: readonly string[];
  /** Events that were asked for and cannot be had here, with the reason. */
  readonly failed: readonly FailedEvent[];
}

/**
 * Counters for mitata's `$counters` slot, read right outside of its clock reads; the result carries them under `counters`, per op, with
 * nothing taken off. The slot is not documented by mitata.
 *
 * @returns The slot, or why nothing can be counted here.
 * @throws TypeError for an unknown event.
 */
export function counters(names: readonly string[]): { readonly ok: true; readonly slot: CountersSlot } | Refusal {
  const opened = open(names);
  if (!opened.ok) return opened;
  const group = opened.counters;
  const buffer = new Float64Array(group.names.length + 2);
  const fresh = () => group.names.map(() => ({ min: Infinity, max: -Infinity, total: 0 }));
  let sums = fresh();
  const slot: CountersSlot = {
    names: group.names,
    failed: group.failed,
    init() {
      sums = fresh();
    },
    before: () => group.begin(),
    after() {
      group.end(buffer);
      for (let i = 0; i < sums.length; i++) {
        const count = buffer[i]!;
        const sum = sums[i]!;
        sum.total += count;
        if (count < sum.min) sum.min = count;
        if (count > sum.max) sum.max = count;
      }
    },
    translate: (ops, samples) =>
      Object.fromEntries(
        sums.map(({ min, max, total }, i) => [
          group.names[i]!,
          { min: min / ops, max: max / ops, avg: total / samples / ops, total },
        ]),
      ),
    // mitata never reaches this call; a measurement may be repeated, so nothing is closed here either.
    deinit() {},
  };
  return { ok: true, slot };
}
