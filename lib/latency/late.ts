import type { LatePolicy } from '../suite/latency.js';

/** Answer of {@link LateGate.at}: the event is dropped. Otherwise the answer is the earliest time at which it may start. */
export const SKIP = -1;

/**
 * Decides when an event may start. Times are ns on one clock; only `capped` has state (the last start).
 * - catch-up: at its planned start, or at once;
 * - capped: as catch-up, but a late event keeps `1 / (cap x peak)` from the start before it (wrk2 does so with a cap of 2). A cap on the
 *   mean rate would hold late events of a burst below their own plan: one stall of 0.1 ms made the median of a burst plan 17 ms late;
 * - skip: dropped when the next event is due as well. The last event of a plan is never dropped.
 */
export class LateGate {
  /** Events are never held back or dropped: {@link at} is the planned start. */
  readonly plain: boolean;
  private readonly policy: LatePolicy;
  private readonly minGapNs: number;
  private lastStart = Number.NEGATIVE_INFINITY;

  /** @param peakPerSec Highest planned rate, events per second. */
  constructor(policy: LatePolicy, peakPerSec: number, cap: number) {
    this.policy = policy;
    this.plain = policy === 'catch-up';
    this.minGapNs = 1e9 / (peakPerSec * cap);
  }

  /** @param next Planned start of the event after this one; Infinity for the last. */
  at(now: number, planned: number, next: number): number {
    if (now <= planned || this.policy === 'catch-up') return planned;
    if (this.policy === 'skip') return next <= now ? SKIP : planned;
    return Math.max(planned, this.lastStart + this.minGapNs);
  }

  started(start: number): void {
    this.lastStart = start;
  }
}
