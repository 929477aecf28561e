import type { Histogram } from '../histogram/histogram.js';
import { CAUSES, EVIDENCE, type JitterTotals, type JitterResult as NativeResult } from '../native/surface/jitter.js';
import { toHistogram } from '../recorder/recorder.js';

/** Why time was taken; see docs/jitter.md for how each is told. */
export type Cause = (typeof CAUSES)[number];
/** What the sampling thread itself noticed about one gap. */
export type Evidence = (typeof EVIDENCE)[number];
export { CAUSES };

/** Gaps and the time they took. */
export interface Lost {
  readonly gaps: number;
  readonly lostNs: number;
}

/** What a sampler found. Times in ns unless the name says otherwise; `atNs` counts on the time line of `tscope/clock`. */
export interface JitterResult {
  readonly kind: 'spin' | 'sleep';
  /** null = was not pinned. */
  readonly cpu: number | null;
  readonly fifo: boolean;
  /** The longest gaps in order of time; arrays of equal length. `wallMs` is ms since 1970 if nobody set the clock during the run. */
  readonly gaps: {
    readonly atNs: Float64Array;
    readonly wallMs: Float64Array;
    readonly lenNs: Float64Array;
    /** Index into {@link evidence}. */
    readonly evidence: Uint8Array;
  };
  /** Names of the numbers in `gaps.evidence`. */
  readonly evidence: readonly Evidence[];
  /** All gaps, and those of them that `gaps` had no room for (never the longest). */
  readonly gapCount: number;
  readonly dropped: number;
  /**
   * `spin`: length of every gap. `sleep`: lateness of every wake-up, with the wake-ups that a long lateness swallowed filled in (its
   * `correction` says so). ns, 2 digits (a bucket is at most 0.8 % wide).
   */
  readonly histogram: Histogram;
  /** Sum of all gaps, its part in each second since the start (the last one may be partial), and its share of the duration. */
  readonly lostNs: number;
  readonly lostPerSecond: Float64Array;
  readonly share: number;
  readonly causes: Readonly<Record<Cause, Lost>>;
  /** How far the machine's counters moved during the run; null = not readable here. */
  readonly counters: JitterTotals;
  /** Windows of 100 ms that causes were told in. */
  readonly windows: number;
  /** `spin`: median time of a turn of the loop. `sleep`: median lateness beyond the interval. From a rehearsal. */
  readonly loopNs: number;
  readonly thresholdNs: number;
  /** Turns of the loop or wake-ups. */
  readonly turns: number;
  /** Time spent on handling gaps; a gap inside that and shorter than it can go unseen. */
  readonly blindNs: number;
  readonly startNs: number;
  readonly startWallMs: number;
  readonly durationNs: number;
  /** Ended by `stop()` and not by its duration. */
  readonly stopped: boolean;
}

/** @param about What was asked for. */
export function toResult(native: NativeResult, about: Pick<JitterResult, 'kind' | 'cpu' | 'fifo'>): JitterResult {
  const durationNs = native.endNs - native.startNs;
  const causes = Object.fromEntries(
    CAUSES.map((name, i) => [name, { gaps: native.causes[2 * i]!, lostNs: native.causes[2 * i + 1]! }]),
  ) as Record<Cause, Lost>;
  return {
    ...about,
    gaps: { atNs: native.atNs, wallMs: native.wallMs, lenNs: native.lenNs, evidence: native.evidence },
    evidence: EVIDENCE,
    gapCount: native.gapCount,
    dropped: native.dropped,
    histogram: toHistogram(native.histogram, about.kind === 'sleep' ? 'expected-interval' : 'none'),
    lostNs: native.lostNs,
    lostPerSecond: native.lostPerSecondNs,
    share: durationNs > 0 ? native.lostNs / durationNs : 0,
    causes,
    counters: native.totals,
    windows: native.windows,
    loopNs: native.loopMedianNs,
    thresholdNs: native.thresholdNs,
    turns: native.turns,
    blindNs: native.blindNs,
    startNs: native.startNs,
    startWallMs: native.wallStartMs,
    durationNs,
    stopped: native.stopped,
  };
}
