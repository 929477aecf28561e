/** What was seen beside the events of a run, and which of it goes with which event. Pure. */
import type { HistogramBuckets } from '../histogram/index.js';
import type { JitterSummary, LatencyInterval, WorstSample } from './model.js';
import type { RecordedRun } from './recorder.js';
import type { WorstEntry } from './worst.js';

/** Times are ns after t0. */
export interface Observed {
  readonly gc: readonly { readonly atNs: number; readonly ns: number }[];
  /** Involuntary switches counted up to `atNs` since the entry before; null when unknown. */
  readonly switches: readonly { readonly atNs: number; readonly count: number }[] | null;
  /** Largest event-loop delay up to `atNs` since the entry before; null when unknown. */
  readonly loopDelay: readonly { readonly atNs: number; readonly maxNs: number }[] | null;
  readonly jitter: readonly JitterSummary[];
}

export const NOTHING_OBSERVED: Observed = { gc: [], switches: null, loopDelay: null, jitter: [] };

const within = (atNs: number, interval: { startNs: number; lengthNs: number }) =>
  atNs >= interval.startNs && atNs < interval.startNs + interval.lengthNs;

/**
 * The time from which each reading counts: that of the one before. A reading is made just after an interval has ended and tells of that
 * one; sorted by when it was made, the first second of every run would be unknown and all others told one second late.
 */
function since<T extends { readonly atNs: number }>(readings: readonly T[] | null): (T & { sinceNs: number })[] | null {
  return readings?.map((reading, i) => ({ ...reading, sinceNs: i === 0 ? 0 : readings[i - 1]!.atNs })) ?? null;
}

/** Puts what was read about once a second into the intervals it tells of. */
export function intervalsOf(run: RecordedRun, seen: Observed): LatencyInterval[] {
  const [allSwitches, allDelays] = [since(seen.switches), since(seen.loopDelay)];
  return run.intervals.map(({ startNs, lengthNs, response }, i) => {
    const last = i === run.intervals.length - 1;
    // Readings made while the run was wound up belong to its last interval.
    const mine = (atNs: number) => within(atNs, { startNs, lengthNs: last ? Number.POSITIVE_INFINITY : lengthNs });
    const gc = seen.gc.filter(({ atNs }) => mine(atNs));
    const switches = allSwitches?.filter(({ sinceNs }) => mine(sinceNs)) ?? null;
    const delays = allDelays?.filter(({ sinceNs }) => mine(sinceNs)) ?? null;
    return {
      startNs,
      lengthNs,
      response: response.toJSON() as HistogramBuckets,
      gc: { count: gc.length, ns: gc.reduce((sum, { ns }) => sum + ns, 0) },
      involuntarySwitches: switches && switches.length > 0 ? switches.reduce((sum, { count }) => sum + count, 0) : null,
      loopDelayMaxNs: delays && delays.length > 0 ? Math.max(...delays.map(({ maxNs }) => maxNs)) : null,
    };
  });
}

const ms = (ns: number) => (ns >= 1e6 ? `${(ns / 1e6).toFixed(2)} ms` : `${(ns / 1000).toFixed(1)} us`);

/** Gaps and GC pauses that overlap the time from an event's planned start to its end, largest first, at most three. */
export function causesOf(event: WorstEntry, seen: Observed): string[] {
  const overlaps = (atNs: number, ns: number) => atNs < event.endNs && atNs + ns > event.plannedNs;
  const gaps = seen.jitter.flatMap(({ cpu, worst }) =>
    worst
      .filter(({ atNs, gapNs }) => overlaps(atNs, gapNs))
      .map(({ gapNs, cause }) => ({ ns: gapNs, text: `a gap of ${ms(gapNs)} on CPU ${cpu ?? '?'} (${cause})` })),
  );
  const pauses = seen.gc
    .filter(({ atNs, ns }) => overlaps(atNs, ns))
    .map(({ ns }) => ({ ns, text: `a GC pause of ${ms(ns)}` }));
  return [...gaps, ...pauses]
    .sort((a, b) => b.ns - a.ns)
    .slice(0, 3)
    .map(({ text }) => text);
}

export function worstOf(run: RecordedRun, seen: Observed): WorstSample[] {
  return run.worst.map((entry) => ({ ...entry, causes: causesOf(entry, seen) }));
}
