import type { Series } from './series.js';
import { ascending, assertCount, assertSeries, assertWithin, meanOf, quantile7Of } from './series.js';

/** Tukey's fences and the values beyond them. */
export interface TukeyOutliers {
  readonly status: 'ok' | 'empty';
  readonly q1: number;
  readonly q3: number;
  /** Mild outside, 1.5 interquartile ranges beyond the quartiles. */
  readonly inner: readonly [low: number, high: number];
  /** Severe outside, 3 interquartile ranges beyond. */
  readonly outer: readonly [low: number, high: number];
  /** Indexes of mild and of severe outliers; an index is in one of them at most. */
  readonly mild: readonly number[];
  readonly severe: readonly number[];
  readonly meanAll: number;
  /** Mean of the values inside the inner fences: to be shown beside the other, never instead. */
  readonly meanWithout: number;
}

/**
 * Tukey's fences on type-7 quartiles. Counts and locates; nothing here is to be dropped from a headline number, because a
 * slow value is often a property of the program.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function tukeyOutliers(values: Series): TukeyOutliers | { readonly status: 'empty' } {
  assertSeries(values);
  if (values.length === 0) return { status: 'empty' };
  const sorted = ascending(values);
  const [q1, q3] = [quantile7Of(sorted, 0.25), quantile7Of(sorted, 0.75)];
  const iqr = q3 - q1;
  const inner = [q1 - 1.5 * iqr, q3 + 1.5 * iqr] as const;
  const outer = [q1 - 3 * iqr, q3 + 3 * iqr] as const;
  const mild: number[] = [];
  const severe: number[] = [];
  const inside: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (x < outer[0] || x > outer[1]) severe.push(i);
    else if (x < inner[0] || x > inner[1]) mild.push(i);
    else inside.push(x);
  }
  return { status: 'ok', q1, q3, inner, outer, mild, severe, meanAll: meanOf(values), meanWithout: meanOf(inside) };
}

/** Window and width of the rolling filter. */
export interface RollingOptions {
  /** Values in the window around a point, half before and half after; default 200. */
  readonly window?: number;
  /** Lower and upper quantile of the band's width, default 0.1 and 0.9. */
  readonly low?: number;
  /** Upper quantile of the window, between 0 and 1. */
  readonly high?: number;
  /** Width of the band in quantile ranges, default 3. */
  readonly factor?: number;
}

/** Indexes that the rolling filter takes for outliers. */
export interface RollingOutliers {
  /** `too-short`: fewer values than half a window before every point, so that none was judged. */
  readonly status: 'ok' | 'too-short';
  readonly indexes: readonly number[];
}

/**
 * Points outside median +- factor (P_high - P_low) of a window around them (Barrett et al. 2017); points without a full
 * half-window before them are not judged, at the end the window shrinks. For segmentation only.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite and options out of range
 */
export function rollingOutliers(values: Series, options: RollingOptions = {}): RollingOutliers {
  assertSeries(values);
  const { window = 200, low = 0.1, high = 0.9, factor = 3 } = options;
  assertCount(window, 2, 'window');
  assertWithin(low, 0, 0.5, 'low');
  assertWithin(high, 0.5, 1, 'high');
  assertWithin(factor, 0, Number.POSITIVE_INFINITY, 'factor');
  const half = window >> 1;
  const indexes: number[] = [];
  for (let i = half; i < values.length; i++) {
    const end = Math.min(values.length, i + half);
    const around = new Float64Array(end - (i - half));
    for (let k = i - half; k < end; k++) around[k - (i - half)] = values[k]!;
    around.sort();
    const median = quantile7Of(around, 0.5);
    const band = factor * (quantile7Of(around, high) - quantile7Of(around, low));
    if (values[i]! < median - band || values[i]! > median + band) indexes.push(i);
  }
  return { status: values.length > half ? 'ok' : 'too-short', indexes };
}
