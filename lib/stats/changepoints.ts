import { isConstant } from './moments.js';
import type { Series } from './series.js';
import { ascending, assertCount, assertSeries, assertWithin, meanOf, squaresOf } from './series.js';

/** Penalty of a change of mean and variance in units of ln n, as Barrett et al. 2017 use it. */
export const PENALTY_PER_LOG_N = 15;
/** Share of the series' own noise that is added to a variance when the timer step is 0: keeps ln finite, moves no change. */
const NUMERIC_FLOOR = 1e-10;
/** Distinct values per value below which a series counts as quantised. */
const QUANTISED_SHARE = 0.9;

/** Penalty, resolution and shortest segment of a search. */
export interface ChangepointOptions {
  /**
   * Timer resolution in the unit of the values; resolution^2 / 12 is added to every segment's variance. `infer` (default)
   * takes the smallest step between distinct values when more than a tenth of the values are ties, else 0.
   */
  readonly resolution?: number | 'infer';
  /** Cost of one change point; default 15 ln n. */
  readonly penalty?: number;
  /** Smallest segment; default 2. */
  readonly minSegment?: number;
}

/** Where a series changes, and the cost of the best segmentation. */
export interface Changepoints {
  /** `constant`: all values equal; `too-short`: no room for two segments. Both have no change points. */
  readonly status: 'ok' | 'constant' | 'too-short';
  /** Number of values before each change, ascending. */
  readonly changepoints: readonly number[];
  /** Sum of segment costs and penalty x number of change points; null for a constant or empty series. */
  readonly total: number | null;
  readonly penalty: number;
  /** What was added to every variance, unit squared. */
  readonly varianceFloor: number;
}

/**
 * Exact search for changes of mean and variance: minimises the sum over segments of m (ln 2pi + ln(v + floor) + 1) plus a
 * penalty per change (PELT, Killick et al. 2012). The floor is added, not substituted: pruning needs
 * cost(a, c) >= cost(a, b) + cost(b, c), and a variance swapped for a constant breaks it.
 * @throws RangeError for values that are not finite and options out of range
 */
export function findChangepoints(values: Series, options: ChangepointOptions = {}): Changepoints {
  assertSeries(values);
  const { resolution = 'infer', minSegment = 2 } = options;
  const n = values.length;
  assertCount(minSegment, 1, 'minSegment');
  const penalty = options.penalty ?? PENALTY_PER_LOG_N * Math.log(Math.max(1, n));
  assertWithin(penalty, 0, Number.POSITIVE_INFINITY, 'penalty');
  if (resolution !== 'infer') assertWithin(resolution, 0, Number.POSITIVE_INFINITY, 'resolution');
  const varianceFloor = floorOf(values, resolution);
  const none = { changepoints: [], penalty, varianceFloor };
  if (n < 2 * minSegment) return { status: 'too-short', total: null, ...none };
  if (isConstant(values)) return { status: 'constant', total: null, ...none };
  const changepoints = pelt(values, varianceFloor, penalty, minSegment);
  let total = penalty * changepoints.length;
  let from = 0;
  for (const to of [...changepoints, n]) {
    const m = to - from;
    total += m * (Math.log(2 * Math.PI) + Math.log(squaresOf(values, from, to) / m + varianceFloor) + 1);
    from = to;
  }
  return { status: 'ok', changepoints, total, penalty, varianceFloor };
}

/**
 * The step a series was recorded with: smallest difference of distinct values when ties show that there is one, else 0.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function inferResolution(values: Series): number {
  assertSeries(values);
  const sorted = ascending(values);
  const largest = Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted[sorted.length - 1] ?? 0));
  let distinct = sorted.length > 0 ? 1 : 0;
  let step = Number.POSITIVE_INFINITY;
  for (let i = 1; i < sorted.length; i++) {
    const gap = sorted[i]! - sorted[i - 1]!;
    if (gap <= largest * 1e-9) continue; // equal, or the rounding of a conversion between units
    distinct++;
    if (gap < step) step = gap;
  }
  return Number.isFinite(step) && distinct < sorted.length * QUANTISED_SHARE ? step : 0;
}

function floorOf(values: Series, resolution: number | 'infer'): number {
  const step = resolution === 'infer' ? inferResolution(values) : resolution;
  if (step > 0) return step ** 2 / 12;
  const n = values.length;
  if (n < 2) return 0;
  // Noise from successive differences: a level shift or a huge first value leaves it alone.
  const squares = new Float64Array(n - 1);
  for (let i = 1; i < n; i++) squares[i - 1] = (values[i]! - values[i - 1]!) ** 2 / 2;
  squares.sort();
  const noise = squares[(n - 1) >> 1]! || meanOf(squares);
  return noise * NUMERIC_FLOOR;
}

/**
 * Prefix sums of x - c and (x - c)^2, each as a double and its rounding error: with a first value 10^5 times the rest plain
 * sums lose the small variances behind it.
 */
function prefixSums(values: Series): readonly [Float64Array, Float64Array, Float64Array, Float64Array] {
  const n = values.length;
  const sorted = ascending(values);
  const centre = sorted[n >> 1]!;
  const sums = [0, 1, 2, 3].map(() => new Float64Array(n + 1)) as unknown as ReturnType<typeof prefixSums>;
  const [s, sLow, q, qLow] = sums;
  for (let i = 0; i < n; i++) {
    const d = values[i]! - centre;
    add(s, sLow, i, d);
    add(q, qLow, i, d * d);
  }
  return sums;
}

function add(high: Float64Array, low: Float64Array, i: number, value: number): void {
  const before = high[i]!;
  const sum = before + value;
  const part = sum - before;
  high[i + 1] = sum;
  low[i + 1] = low[i]! + (before - (sum - part) + (value - part));
}

function pelt(values: Series, floor: number, penalty: number, minSegment: number): number[] {
  const n = values.length;
  const [s, sLow, q, qLow] = prefixSums(values);
  const constant = Math.log(2 * Math.PI) + 1;
  const best = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
  const last = new Int32Array(n + 1);
  best[0] = -penalty;
  let candidates = new Int32Array(n + 1);
  let kept = new Int32Array(n + 1);
  // First end from which a start is dead; 0 = alive. It dies minSegment later than it loses, because only then can
  // the end it lost at be the start of a segment itself.
  const deadFrom = new Int32Array(n + 1);
  const costs = new Float64Array(n + 1);
  let count = 0;
  for (let end = minSegment; end <= n; end++) {
    const start = end - minSegment;
    if (start === 0 || start >= minSegment) candidates[count++] = start;
    const [sHigh, sRest, qHigh, qRest] = [s[end]!, sLow[end]!, q[end]!, qLow[end]!];
    let minimum = Number.POSITIVE_INFINITY;
    let argument = 0;
    let alive = 0;
    for (let k = 0; k < count; k++) {
      const from = candidates[k]!;
      if (deadFrom[from] !== 0 && end >= deadFrom[from]!) continue;
      const m = end - from;
      const mean = (sHigh - s[from]! + (sRest - sLow[from]!)) / m;
      const variance = (qHigh - q[from]! + (qRest - qLow[from]!)) / m - mean * mean;
      const cost = best[from]! + m * (constant + Math.log(Math.max(variance, 0) + floor));
      if (cost < minimum) {
        minimum = cost;
        argument = from;
      }
      costs[alive] = cost;
      kept[alive++] = from;
    }
    best[end] = minimum + penalty;
    last[end] = argument;
    for (let k = 0; k < alive; k++) {
      if (costs[k]! > best[end]! && deadFrom[kept[k]!] === 0) deadFrom[kept[k]!] = end + minSegment;
    }
    [candidates, kept] = [kept, candidates];
    count = alive;
  }
  const changepoints: number[] = [];
  for (let end = last[n]!; end > 0; end = last[end]!) changepoints.push(end);
  return changepoints.reverse();
}
