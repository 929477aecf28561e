import type { ChangepointOptions, Changepoints } from './changepoints.js';
import { findChangepoints } from './changepoints.js';
import { rollingOutliers } from './outliers.js';
import type { Series } from './series.js';
import { ascending, assertCount, assertSeries, assertWithin, meanOf, quantile7Of, squaresOf } from './series.js';

/** Values `start` (inclusive) to `end` (exclusive) of a series, with their mean and MLE variance. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly mean: number;
  readonly variance: number;
}

/** Barrett et al. 2017: where the level of one series went before it settled, if it did. */
export type SeriesClass = 'flat' | 'warmup' | 'slowdown' | 'no steady state';
/** The same over several series. */
export type AggregateClass = SeriesClass | 'good inconsistent' | 'bad inconsistent';

/** Default tolerance of the relative rule: the default minimum effect of interest. */
export const SEGMENT_TOLERANCE = 0.01;
/** Default share of the series that must be steady at the end. */
export const TAIL_SHARE = 0.25;
/** Barrett's absolute tolerance, seconds. */
export const BARRETT_DELTA_SECONDS = 0.001;

/**
 * How two segments are called equivalent. `relative` (default, the same in every unit): means differ by at most `tolerance` of
 * the last mean, and at least by one timer step. `barrett`: the published rule, which adds a variance (s^2) to a mean (s)
 * and therefore depends on the unit; `toSeconds` says how many seconds one unit of the values is.
 */
export type EquivalenceRule =
  | { readonly mode: 'relative'; readonly tolerance?: number; readonly step?: number }
  | { readonly mode: 'barrett'; readonly toSeconds: number; readonly deltaSeconds?: number };

/** Rule, tolerance and tail of a classification. */
export interface ClassifyOptions {
  /** `relative` (scale-free, default) or `barrett` (Barrett et al. 2017, in seconds). */
  readonly rule?: EquivalenceRule;
  /** Share of the series that the steady run must cover at the end, default 0.25. */
  readonly tail?: number;
}

/** Class of a series and the segments behind it. */
export interface Classification {
  readonly class: SeriesClass;
  /** Index of the first value of the steady run; null without one. */
  readonly steadyStart: number | null;
  /** The rule with its numbers: a class means nothing without it. */
  readonly rule: string;
}

/** Segments between change points. @throws RangeError for change points out of order or range */
export function segmentsOf(values: Series, changepoints: readonly number[]): Segment[] {
  assertSeries(values);
  const segments: Segment[] = [];
  let start = 0;
  for (const end of values.length > 0 ? [...changepoints, values.length] : changepoints) {
    if (!(Number.isInteger(end) && end > start && end <= values.length)) {
      throw new RangeError(`change points must ascend from 1 to ${values.length - 1}, got ${changepoints.join(', ')}`);
    }
    const mean = meanOf(values, start, end);
    segments.push({ start, end, mean, variance: squaresOf(values, start, end, mean) / (end - start) });
    start = end;
  }
  return segments;
}

/** Joins neighbours that `equivalent` accepts, left to right; mean and variance are those of the joined values. */
export function mergeSegments(
  segments: readonly Segment[],
  equivalent: (left: Segment, right: Segment) => boolean,
): Segment[] {
  const merged: Segment[] = [];
  for (const right of segments) {
    const left = merged[merged.length - 1];
    if (left === undefined || !equivalent(left, right)) {
      merged.push(right);
      continue;
    }
    const [a, b] = [left.end - left.start, right.end - right.start];
    const mean = (a * left.mean + b * right.mean) / (a + b);
    const variance =
      (a * left.variance + b * right.variance) / (a + b) + (a * b * (left.mean - right.mean) ** 2) / (a + b) ** 2;
    merged[merged.length - 1] = { start: left.start, end: right.end, mean, variance };
  }
  return merged;
}

type Distance = (segment: Segment, last: Segment) => -1 | 0 | 1;

/** Is a segment below (-1), at (0) or above (1) the last one, and the rule in words. */
function ruleOf(rule: EquivalenceRule): readonly [Distance, string] {
  if (rule.mode === 'barrett') {
    const { toSeconds, deltaSeconds = BARRETT_DELTA_SECONDS } = rule;
    assertWithin(toSeconds, Number.MIN_VALUE, Number.POSITIVE_INFINITY, 'toSeconds');
    assertWithin(deltaSeconds, 0, Number.POSITIVE_INFINITY, 'deltaSeconds');
    const distance: Distance = (segment, last) => {
      const [m, v] = [segment.mean * toSeconds, segment.variance * toSeconds ** 2];
      const [M, w] = [last.mean * toSeconds, Math.max(last.variance * toSeconds ** 2, deltaSeconds)];
      if (m + v >= M - w && m - v <= M + w) return 0;
      return m - v < M - w ? -1 : 1;
    };
    return [distance, `barrett, ${deltaSeconds} s`];
  }
  const { tolerance = SEGMENT_TOLERANCE, step = 0 } = rule;
  assertWithin(tolerance, 0, Number.POSITIVE_INFINITY, 'tolerance');
  assertWithin(step, 0, Number.POSITIVE_INFINITY, 'step');
  const distance: Distance = (segment, last) => {
    const off = segment.mean - last.mean;
    if (Math.abs(off) <= Math.max(tolerance * Math.abs(last.mean), step)) return 0;
    return off < 0 ? -1 : 1;
  };
  return [distance, `relative, ${tolerance * 100} % of the last mean${step > 0 ? `, at least ${step}` : ''}`];
}

/**
 * Class of a segmented series, from the last segment backwards: the first segment that is not equivalent to the last decides.
 * @throws RangeError for no segments and options out of range
 */
export function classifySegments(segments: readonly Segment[], options: ClassifyOptions = {}): Classification {
  const { rule = { mode: 'relative' }, tail = TAIL_SHARE } = options;
  assertWithin(tail, 0, 1, 'tail');
  const last = segments[segments.length - 1];
  if (last === undefined) throw new RangeError('segments must hold at least one segment');
  const [distance, words] = ruleOf(rule);
  const n = last.end;
  for (let i = segments.length - 2; i >= 0; i--) {
    const side = distance(segments[i]!, last);
    if (side === 0) continue;
    const steadyStart = segments[i]!.end;
    if (steadyStart > n - n * tail) return { class: 'no steady state', steadyStart: null, rule: words };
    return { class: side < 0 ? 'slowdown' : 'warmup', steadyStart, rule: words };
  }
  return { class: 'flat', steadyStart: 0, rule: words };
}

/** Tolerance and tail of a steady state. */
export interface SteadyOptions extends ClassifyOptions, ChangepointOptions {
  /**
   * Window of the rolling outlier filter before the search, or false (default) for none. Filtered values are only hidden
   * from the search; segments and their means are of all values.
   */
  readonly outlierWindow?: number | false;
}

/** Whether and from where a series is steady. */
export interface SteadyState extends Classification {
  /** `empty`: no values; class is then `no steady state`. */
  readonly status: 'ok' | 'empty';
  readonly segments: readonly Segment[];
  readonly search: Changepoints;
  /** Indexes hidden from the search. */
  readonly outliers: readonly number[];
}

/** Change points, segments and class of one series in one call. @throws RangeError as its parts */
export function steadyState(values: Series, options: SteadyOptions = {}): SteadyState {
  assertSeries(values);
  const window = options.outlierWindow ?? false;
  if (window !== false) assertCount(window, 2, 'outlierWindow');
  const outliers = window === false ? [] : rollingOutliers(values, { window }).indexes;
  const hidden = new Set(outliers);
  const kept: number[] = [];
  for (let i = 0; i < values.length; i++) if (!hidden.has(i)) kept.push(i);
  const search = findChangepoints(
    kept.map((i) => values[i]!),
    options,
  );
  if (values.length === 0) {
    return {
      status: 'empty',
      class: 'no steady state',
      steadyStart: null,
      rule: 'none',
      segments: [],
      search,
      outliers,
    };
  }
  const segments = segmentsOf(
    values,
    search.changepoints.map((c) => kept[c]!),
  );
  return { status: 'ok', ...classifySegments(segments, options), segments, search, outliers };
}

/**
 * Class over several series: one class if all agree; flat and warmup mixed is `good inconsistent`, any other mix
 * `bad inconsistent`. @throws RangeError for none
 */
export function aggregateClasses(classes: readonly SeriesClass[]): AggregateClass {
  const [first] = classes;
  if (first === undefined) throw new RangeError('classes must hold at least one class');
  if (classes.every((c) => c === first)) return first;
  return classes.every((c) => c === 'flat' || c === 'warmup') ? 'good inconsistent' : 'bad inconsistent';
}

/** The index from which a share of the series is steady, or that there is none. */
export type CommonStart =
  | { readonly status: 'ok'; readonly start: number; readonly rule: string }
  | { readonly status: 'none'; readonly missing: number };

/**
 * One steady start for all series, so that every series is read at the same position of its life: the largest of the
 * starts (`share` 1, default), or the smallest start by which a share of them is steady. A series without a start counts as
 * never steady: with `share` 1 it leaves no common start.
 * @throws RangeError for a share outside 0 to 1
 */
export function commonSteadyStart(starts: readonly (number | null)[], share = 1): CommonStart {
  assertWithin(share, 0, 1, 'share');
  const known = ascending(starts.filter((s) => s !== null));
  const needed = Math.max(1, Math.ceil(share * starts.length - 1e-9));
  if (known.length < needed) return { status: 'none', missing: starts.length - known.length };
  return {
    status: 'ok',
    start: known[needed - 1]!,
    rule: share === 1 ? 'maximum' : `first start at which ${share * 100} % are steady`,
  };
}

/** How many values come before the common steady start. */
export interface WarmupLength {
  /** Series that settled, of all. */
  readonly settled: number;
  readonly of: number;
  /** Median, smallest and largest start; null when none settled. */
  readonly median: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** Length of warm-up over several series, in values. */
export function warmupLength(starts: readonly (number | null)[]): WarmupLength {
  const known = ascending(starts.filter((s) => s !== null));
  const of = starts.length;
  if (known.length === 0) return { settled: 0, of, median: null, min: null, max: null };
  const [min, max] = [known[0]!, known[known.length - 1]!];
  return { settled: known.length, of, median: quantile7Of(known, 0.5), min, max };
}
