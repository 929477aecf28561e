import { correct } from './correct.js';
import { highestOf, indexOf, type Layout, layoutOf, lengthFor, MAX_VALUE, sameLayout } from './layout.js';
import { bucketsOf, countAtOrBelow, meanOf, type PercentileDefinition, rankOf, valueAtRank } from './read.js';

/**
 * What has been done about coordinated omission already. Correcting twice invents samples, so every correction is remembered
 * and a second one is refused.
 * - `none`: values as measured;
 * - `planned-start`: measured from the planned start, so stalls are in the values already;
 * - `expected-interval`: samples were added for the calls a stall kept from being made.
 */
export type Correction = 'none' | 'planned-start' | 'expected-interval';

/** Range and precision of a histogram. */
export interface HistogramOptions {
  /** Significant decimal digits, 1 to 5. Default 3: a bucket is at most 0.1 % of its values wide. */
  readonly digits?: number;
  /** Smallest difference worth keeping. Default 1. */
  readonly lowest?: number;
  /** Values up to here have room from the start; nothing is allocated while recording below it. Default 2^42 (73 minutes in ns). */
  readonly highest?: number;
  /** Grow for values above `highest` (one allocation per growth) instead of throwing. Default true. */
  readonly autoRange?: boolean;
  /** What the values already account for. Default `none`. */
  readonly correction?: Correction;
}

/** A histogram as plain data: [lowest value of the bucket, count], ascending, buckets with a count only. */
export interface HistogramBuckets {
  readonly unit: 'ns';
  readonly buckets: readonly (readonly [number, number])[];
  readonly min: number;
  readonly max: number;
  readonly total: number;
}

const FAST_END = 0x80000000;
const HEAD = 3;
const EMPTY = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/**
 * Log-linear histogram of whole numbers from 0 to 2^53-1 (a fraction is cut off), with counts up to 2^53-1.
 *
 * Bucket layout as in HdrHistogram (Tene): with the same digits both put a value into the same bucket. Min, max and count are exact;
 * everything else is exact to the bucket. Values have no unit here; tscope records ns.
 */
export class Histogram {
  /** Precision and lowest value: what the buckets are. */
  readonly layout: Layout;
  /** Does it grow when a value is beyond its range? */
  readonly autoRange: boolean;
  /** See {@link Correction}. */
  readonly correction: Correction;
  // Total, min, max and then the counts, so that record() touches one array (4.5 ns instead of 5.2 with two).
  private cells: Float64Array;
  // Views of cells.
  private state: Float64Array;
  private counts: Float64Array;
  // For record(): values below `fast` take the 32-bit path.
  private readonly fast: number;
  private readonly base: number;
  private readonly mask: number;
  private readonly unit: number;
  private readonly halfBits: number;

  /** An empty histogram. @throws RangeError for options out of range. */
  constructor(options: HistogramOptions = {}) {
    const { digits = 3, lowest = 1, highest = 2 ** 42, autoRange = true, correction = 'none' } = options;
    if (!Number.isSafeInteger(highest) || highest < 1) {
      throw new RangeError(`histogram: highest must be a whole number from 1 to 2^53-1, not ${highest}`);
    }
    this.layout = layoutOf(digits, lowest);
    this.autoRange = autoRange;
    this.correction = correction;
    const { bits, unit } = this.layout;
    this.cells = new Float64Array(HEAD + lengthFor(this.layout, highest));
    this.state = this.cells.subarray(0, HEAD);
    this.counts = this.cells.subarray(HEAD);
    this.state.set(EMPTY);
    this.fast = bits + unit < 31 ? FAST_END : 0;
    this.base = 32 - bits - unit;
    this.mask = this.fast ? 2 ** (bits + unit) - 1 : 0;
    this.unit = unit;
    this.halfBits = bits - 1;
  }

  /**
   * Records one value. Allocates nothing unless the range has to grow.
   * @throws RangeError for NaN, a negative or infinite value, one above 2^53-1, or above the range with `autoRange: false`.
   */
  record(value: number): void {
    const cells = this.cells;
    if (value >= 0 && value < this.fast) {
      const v = value | 0;
      const e = this.base - Math.clz32(v | this.mask);
      const index = (e << this.halfBits) + (v >> (e + this.unit)) + HEAD;
      if (index < cells.length) {
        cells[index]!++;
        cells[0]!++;
        if (v < cells[1]!) cells[1] = v;
        if (v > cells[2]!) cells[2] = v;
        return;
      }
    }
    this.recordCount(value, 1);
  }

  /**
   * {@link record} of `values[index]`: for loops whose values lie in a typed array, since a number handed over as an argument is allocated
   * wherever the call is not inlined.
   * @throws RangeError as {@link record}.
   */
  recordFrom(values: Float64Array, index: number): void {
    const cells = this.cells;
    const value = values[index]!;
    if (value >= 0 && value < this.fast) {
      const v = value | 0;
      const e = this.base - Math.clz32(v | this.mask);
      const at = (e << this.halfBits) + (v >> (e + this.unit)) + HEAD;
      if (at < cells.length) {
        cells[at]!++;
        cells[0]!++;
        if (v < cells[1]!) cells[1] = v;
        if (v > cells[2]!) cells[2] = v;
        return;
      }
    }
    this.recordCount(value, 1);
  }

  /**
   * Records `value` `count` times.
   * @throws RangeError as {@link record}, and for a count that is not a whole number from 0 or would take the total above 2^53-1.
   */
  recordCount(value: number, count: number): void {
    if (!(value >= 0 && value <= MAX_VALUE)) {
      throw new RangeError(`histogram: cannot record ${value}; values must be from 0 to 2^53-1`);
    }
    if (!Number.isSafeInteger(count) || count < 0 || this.count + count > MAX_VALUE) {
      throw new RangeError(`histogram: cannot add ${count} to a count of ${this.count}; counts end at 2^53-1`);
    }
    if (count === 0) return;
    const v = Math.floor(value);
    const index = indexOf(this.layout, v);
    this.reserve(index, v);
    this.counts[index]! += count;
    this.state[0]! += count;
    if (v < this.state[1]!) this.state[1] = v;
    if (v > this.state[2]!) this.state[2] = v;
  }

  private reserve(index: number, value: number): void {
    if (index < this.counts.length) return;
    if (!this.autoRange) {
      const end = highestOf(this.layout, this.counts.length - 1);
      throw new RangeError(
        `histogram: ${value} is above the range, which ends at ${end}; raise highest or use autoRange`,
      );
    }
    const grown = new Float64Array(HEAD + lengthFor(this.layout, value));
    grown.set(this.cells);
    this.hold(grown);
  }

  private hold(cells: Float64Array): void {
    this.cells = cells;
    this.state = cells.subarray(0, HEAD);
    this.counts = cells.subarray(HEAD);
  }

  /** Number of recorded values. */
  get count(): number {
    return this.state[0]!;
  }
  /** Smallest recorded value, exact; NaN when empty. */
  get min(): number {
    return this.count === 0 ? Number.NaN : this.state[1]!;
  }
  /** Largest recorded value, exact; NaN when empty. */
  get max(): number {
    return this.count === 0 ? Number.NaN : this.state[2]!;
  }
  /** Mean of the bucket middles (as HdrHistogram), off by at most half a bucket; NaN when empty. */
  get mean(): number {
    return meanOf(this.layout, this.counts, this.count).mean;
  }
  /** Population standard deviation of the bucket middles about {@link mean}; NaN when empty. */
  get stdDeviation(): number {
    return meanOf(this.layout, this.counts, this.count).deviation;
  }
  /** Memory held, bytes. */
  get byteLength(): number {
    return this.cells.byteLength;
  }

  /**
   * Value at a percentile: the smallest bucket with at least `p` percent of all samples at or below it (nearest rank, ceil(p n / 100)).
   * 0 gives the min, 100 the max, both exact; the result is never outside them.
   * @param p 0 to 100.
   * @param definition Which value of the bucket; see {@link PercentileDefinition}. Default `highest` as in HdrHistogram.
   * @returns NaN when empty. @throws RangeError for p outside 0..100.
   */
  percentile(p: number, definition: PercentileDefinition = 'highest'): number {
    return this.percentiles([p], definition)[0]!;
  }

  /** {@link percentile} for many levels in any order, in one pass. @throws RangeError for a level outside 0..100. */
  percentiles(levels: readonly number[], definition: PercentileDefinition = 'highest'): number[] {
    const bad = levels.find((p) => !(p >= 0 && p <= 100));
    if (bad !== undefined) throw new RangeError(`histogram: a percentile must be from 0 to 100, not ${bad}`);
    const result = new Array<number>(levels.length).fill(Number.NaN);
    if (this.count === 0) return result;
    const order = levels.map((_, i) => i).sort((a, b) => levels[a]! - levels[b]!);
    const scan = valueAtRank(this.layout, this.counts, definition);
    for (const i of order) {
      const p = levels[i]!;
      const value = p === 0 ? this.min : p === 100 ? this.max : scan(rankOf(p, this.count));
      result[i] = Math.min(Math.max(value, this.min), this.max);
    }
    return result;
  }

  /**
   * Share of samples at or below `value`, 0 to 1; samples of the same bucket count as at or below. NaN when empty.
   * @throws RangeError for NaN.
   */
  cdf(value: number): number {
    return this.count === 0 ? Number.NaN : this.countAtOrBelow(value) / this.count;
  }

  /** Samples at or below `value`, exact to the bucket of `value`. @throws RangeError for NaN. */
  countAtOrBelow(value: number): number {
    if (Number.isNaN(value)) throw new RangeError('histogram: cdf and counts need a number, not NaN');
    if (value < 0) return 0;
    return value >= MAX_VALUE ? this.count : countAtOrBelow(this.counts, indexOf(this.layout, value));
  }

  /** Buckets with a count, ascending: lowest value, highest value, count. */
  buckets(): Generator<readonly [lowest: number, highest: number, count: number]> {
    return bucketsOf(this.layout, this.counts);
  }

  /**
   * Adds every sample of `other`. Same layout: exact. Different layouts: a bucket of `other` lands where its highest value (or `other.max`) does.
   * @throws TypeError when one is corrected for coordinated omission and the other is not: such counts mean different things.
   */
  add(other: Histogram): void {
    if (other.correction !== this.correction && other.count > 0) {
      throw new TypeError(
        `histogram: cannot add a histogram with correction '${other.correction}' to one with '${this.correction}'`,
      );
    }
    if (other.count === 0) return;
    const [count, min, max] = [other.count, other.min, other.max];
    if (this.count + count > MAX_VALUE) throw new RangeError('histogram: the sum of both counts is above 2^53-1');
    if (sameLayout(this.layout, other.layout)) {
      this.reserve(indexOf(this.layout, max), max);
      const from = other.counts;
      const to = this.counts;
      const length = Math.min(from.length, to.length);
      for (let i = 0; i < length; i++) to[i]! += from[i]!;
      this.state[0]! += count;
    } else {
      for (const [, highest, n] of [...other.buckets()]) this.recordCount(Math.min(highest, max), n);
    }
    this.state[1] = Math.min(this.state[1]!, min);
    this.state[2] = Math.max(this.state[2]!, max);
  }

  /** A copy that shares nothing: a snapshot. */
  copy(correction: Correction = this.correction): Histogram {
    const { digits, unit } = this.layout;
    const { autoRange } = this;
    const copy = new Histogram({ digits, lowest: 2 ** unit, highest: 1, autoRange, correction });
    copy.hold(this.cells.slice());
    return copy;
  }

  /**
   * A copy with the samples that a caller kept waiting could not take: for each value v above the interval I also v - I, v - 2I, ... down to I
   * (Tene). For closed loops at a known pace; never for values measured from a planned start.
   * @param interval Expected time between samples, above 0, same unit as the values.
   * @throws TypeError when this histogram is corrected already. @throws RangeError for a bad interval.
   */
  correctedCopy(interval: number): Histogram {
    if (this.correction !== 'none') {
      throw new TypeError(
        this.correction === 'planned-start'
          ? 'histogram: values were measured from a planned start, which already contains every stall; correcting them again would count stalls twice'
          : 'histogram: already corrected for an expected interval; correcting again would count stalls twice',
      );
    }
    if (!(interval >= 1) || !Number.isFinite(interval)) {
      throw new RangeError(`histogram: the expected interval must be a finite number of at least 1, not ${interval}`);
    }
    const copy = this.copy('expected-interval');
    for (const [, highest, count] of this.buckets()) correct(copy, Math.min(highest, this.max), count, interval);
    return copy;
  }

  /** Forgets every sample; keeps the memory. */
  reset(): void {
    this.counts.fill(0);
    this.state.set(EMPTY);
  }

  /** Makes max the highest value of its bucket: what is known when only counts are. */
  coverBuckets(): void {
    if (this.count > 0) this.state[2] = highestOf(this.layout, indexOf(this.layout, this.max));
  }

  /** Plain data, as results store it. Min and max are 0 when empty. */
  toJSON(): HistogramBuckets {
    const buckets = [...this.buckets()].map(([lowest, , count]) => [lowest, count] as const);
    const empty = this.count === 0;
    return { unit: 'ns', buckets, min: empty ? 0 : this.min, max: empty ? 0 : this.max, total: this.count };
  }

  /**
   * Reads {@link toJSON} back. With the digits it was written with, every count returns to its bucket.
   * @throws TypeError for data that contradict themselves.
   */
  static from(data: HistogramBuckets, options: HistogramOptions = {}): Histogram {
    const h = new Histogram(options);
    for (const [lowest, count] of data.buckets) h.recordCount(lowest, count);
    if (h.count !== data.total) {
      throw new TypeError(`histogram: the buckets hold ${h.count} samples, but total says ${data.total}`);
    }
    if (h.count === 0) return h;
    // Buckets may have been wider or narrower than ours; their lowest values tell.
    const second = data.buckets[1]?.[0] ?? Number.POSITIVE_INFINITY;
    if (!(data.min <= data.max && data.min >= h.min && data.min < second && data.max >= h.max)) {
      throw new TypeError(`histogram: min ${data.min} and max ${data.max} do not fit the buckets`);
    }
    h.state[1] = data.min;
    h.state[2] = data.max;
    return h;
  }
}
