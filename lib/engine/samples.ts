/**
 * Sampled times of one iteration. Sums are exact; the distribution is a log-linear histogram (0.1 %), never halved, so
 * that rare long times keep their weight. Gaps between samples are random and uniform on [0, 2 x mean].
 */
import type { Histogram } from '../histogram/histogram.js';
import type { HistogramData } from '../result/model.js';
import type { LoopCells } from './loops.js';
import type { EngineClock } from './types.js';

/**
 * About one sample in this time, ns: more would measure the clock (two reads are about 25 ns), and 5e5 samples a second
 * are enough for a percentile of 99.99 in 100 ms. Longer ops are all sampled.
 */
const SAMPLE_EVERY_NS = 2000;
const MAX_MEAN_GAP = 1 << 20;

export class SampleRecorder {
  readonly histogram: Histogram;
  readonly #spent: Float64Array;
  readonly #clock: EngineClock;

  constructor(histogram: Histogram, cells: LoopCells, clock: EngineClock) {
    this.histogram = histogram;
    this.#spent = cells.spent;
    this.#clock = clock;
    this.aim(0);
  }

  reset(): void {
    this.histogram.reset();
    this.#spent[1] = 0;
    this.#spent[2] = 0;
  }

  /** Sets the mean gap for turns of this length, ns; 0 = unknown, every turn is sampled. */
  aim(turnNs: number): void {
    this.#spent[3] = gapLimit(turnNs);
  }

  get count(): number {
    return this.#spent[2]!;
  }

  get elapsedNs(): number {
    return this.#spent[1]! * this.#clock.nsPerTick;
  }

  /** Per op; an op is `1 / opsPerSample` of a sample. */
  data(opsPerSample: number): HistogramData | null {
    if (this.count === 0) return null;
    const plain = this.histogram.toJSON();
    return {
      unit: 'ns',
      buckets: plain.buckets.map(([edge, count]) => [edge / opsPerSample, count] as const),
      min: plain.min / opsPerSample,
      max: plain.max / opsPerSample,
      total: plain.total,
    };
  }
}

/** Gaps are drawn uniformly from the whole numbers below this, so that their mean is (limit - 1) / 2. */
export function gapLimit(turnNs: number): number {
  if (!(turnNs > 0)) return 1;
  const mean = Math.min(MAX_MEAN_GAP, Math.floor(SAMPLE_EVERY_NS / turnNs));
  return 2 * mean + 1;
}
