import { energySplit } from './energy.js';
import { satterthwaite } from './ratio/welch.js';
import type { Series } from './series.js';
import { assertCount, assertSeries, assertWithin, meanOf, varianceOf } from './series.js';
import { tTwoSided } from './special.js';

/** Fewest values on each side of a change in a history; before that, compare with the last stable segment instead. */
export const HISTORY_MIN_SEGMENT = 5;

/** Welch's t test, or why there is none. */
export type WelchTest =
  | { readonly status: 'ok'; readonly t: number; readonly df: number; readonly p: number }
  /** Both sides without variance: p is 1 for equal means, else 0. */
  | { readonly status: 'constant'; readonly p: 0 | 1 }
  | { readonly status: 'too-few' };

/**
 * Welch's t test of two samples, two-sided, sample variances (divisor n - 1). Needs 2 values on each side.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function welchTest(left: Series, right: Series): WelchTest {
  assertSeries(left, 'left');
  assertSeries(right, 'right');
  const [a, b] = [left.length, right.length];
  if (a < 2 || b < 2) return { status: 'too-few' };
  const [va, vb] = [varianceOf(left) / a, varianceOf(right) / b];
  const off = meanOf(right) - meanOf(left);
  if (va + vb === 0) return { status: 'constant', p: off === 0 ? 1 : 0 };
  const t = off / Math.sqrt(va + vb);
  const df = satterthwaite(va, a, vb, b);
  return { status: 'ok', t, df, p: tTwoSided(t, df) };
}

/** A change of level in a history: index, both means, relative size, p-value. */
export interface HistoryChange {
  /** Index of the first value after the change. */
  readonly at: number;
  /** Means of the segments before and after, up to the neighbouring changes. */
  readonly before: number;
  readonly after: number;
  /** (after - before) / |before|; null when the mean before is 0. */
  readonly relative: number | null;
  readonly p: number;
}

/** Window, levels and smallest change of the search. */
export interface HistoryOptions {
  /** Window of the first pass, default 50; it steps by half. */
  readonly window?: number;
  /** Largest p of a candidate, default 0.01, and of a change that stays, default 0.001. */
  readonly candidateP?: number;
  /** Largest p-value of a change that is kept. */
  readonly p?: number;
  /** Smallest |relative| of a change that stays, default 0. */
  readonly minMagnitude?: number;
  /** Fewest values on each side, default 5. */
  readonly minSegment?: number;
}

/**
 * Changes of level in a history, one value per version, oldest first (the Hunter variant of E-divisive, Fleming et al. 2023):
 * the best energy split of overlapping windows, tested by Welch's t with sample variances instead of permutations, split
 * again while p < 0.01; then the weakest change goes and its neighbours are judged anew, until all have p < 0.001 and at least
 * `minMagnitude`. Deterministic; reversing nothing, scaling nothing.
 * @throws RangeError for options out of range
 */
export function historyChanges(values: Series, options: HistoryOptions = {}): HistoryChange[] {
  assertSeries(values);
  const { window = 50, candidateP = 0.01, p = 0.001, minMagnitude = 0, minSegment = HISTORY_MIN_SEGMENT } = options;
  assertCount(minSegment, 2, 'minSegment');
  assertCount(window, 2 * minSegment, 'window');
  assertWithin(candidateP, 0, 1, 'candidateP');
  assertWithin(p, 0, 1, 'p');
  assertWithin(minMagnitude, 0, Number.POSITIVE_INFINITY, 'minMagnitude');
  const series = Float64Array.from(values);
  const candidates = new Set<number>();
  const step = Math.max(1, window >> 1);
  for (let start = 0; ; start += step) {
    const end = Math.min(series.length, start + window);
    split(series, start, end, candidateP, minSegment, candidates);
    if (end === series.length) break;
  }
  let at = [...candidates].sort((a, b) => a - b);
  for (;;) {
    const changes = at.map((index, k) => judge(series, at[k - 1] ?? 0, index, at[k + 1] ?? series.length));
    const crowded = changes.find(
      (c, k) => c.at - (at[k - 1] ?? 0) < minSegment || (at[k + 1] ?? series.length) - c.at < minSegment,
    );
    const weakest = changes.reduce<HistoryChange | null>((w, c) => (w === null || c.p > w.p ? c : w), null);
    const small = changes
      .filter((c) => Math.abs(c.relative ?? Number.POSITIVE_INFINITY) < minMagnitude)
      .reduce<HistoryChange | null>(
        (s, c) => (s === null || Math.abs(c.relative!) < Math.abs(s.relative!) ? c : s),
        null,
      );
    const drop = weakest !== null && weakest.p >= p ? weakest : (small ?? (crowded ? weakest : null));
    if (drop === null) return changes;
    at = at.filter((index) => index !== drop.at);
  }
}

function split(
  series: Float64Array,
  from: number,
  to: number,
  limit: number,
  minSegment: number,
  found: Set<number>,
): void {
  const best = energySplit(series, { from, to, minSegment });
  if (best === null || judge(series, from, best.at, to).p >= limit) return;
  found.add(best.at);
  split(series, from, best.at, limit, minSegment, found);
  split(series, best.at, to, limit, minSegment, found);
}

function judge(series: Float64Array, from: number, at: number, to: number): HistoryChange {
  const [left, right] = [series.subarray(from, at), series.subarray(at, to)];
  const [before, after] = [meanOf(left), meanOf(right)];
  const test = welchTest(left, right);
  const p = test.status === 'too-few' ? 1 : test.p;
  return { at, before, after, relative: before === 0 ? null : (after - before) / Math.abs(before), p };
}
