import { Histogram } from '../histogram/index.js';
import type { JitterSummary } from './model.js';

const KEPT = 64;

/** Tells involuntary switches so far; NaN when unknown. */
export type SwitchCount = () => number;

/**
 * Gaps that the spinning driver sees while it waits: it reads the clock all the time, so every gap between two reads was taken from it.
 * It watches the very CPU under test, in the pauses between events, and costs that CPU nothing.
 */
export class LoopGaps {
  readonly thresholdNs: number;
  /** `[0]` is the time watched, ns; the driver adds its waits. */
  readonly watched = new Float64Array(1);
  private lostNs = 0;
  private readonly histogram = new Histogram();
  private readonly rows: { atNs: number; gapNs: number; cause: string }[] = [];
  private readonly switches: SwitchCount;
  private seen: number;

  constructor(thresholdNs: number, switches: SwitchCount) {
    this.thresholdNs = thresholdNs;
    this.switches = switches;
    this.seen = switches();
  }

  /** @param at Start of the gap, ns after t0. */
  add(at: number, gap: number): void {
    this.histogram.record(gap);
    this.lostNs += gap;
    // What caused it costs a system call to find out; shorter gaps are counted only.
    if (gap < 20_000) return;
    const now = this.switches();
    const cause = Number.isNaN(now)
      ? 'cause unknown'
      : now > this.seen
        ? 'preempted'
        : 'not preempted: interrupt, hypervisor or firmware';
    this.seen = now;
    if (this.rows.length < KEPT) this.rows.push({ atNs: at, gapNs: gap, cause });
    else {
      let least = 0;
      for (let i = 1; i < KEPT; i++) if (this.rows[i]!.gapNs < this.rows[least]!.gapNs) least = i;
      if (gap > this.rows[least]!.gapNs) this.rows[least] = { atNs: at, gapNs: gap, cause };
    }
  }

  summary(cpu: number | null): JitterSummary {
    return {
      cpu,
      when: 'run',
      thresholdNs: this.thresholdNs,
      elapsedNs: this.watched[0]!,
      lostNs: this.lostNs,
      gaps: this.histogram.toJSON(),
      worst: [...this.rows].sort((a, b) => b.gapNs - a.gapNs),
    };
  }
}
