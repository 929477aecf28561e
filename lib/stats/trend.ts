import type { Series } from './series.js';
import { ascending, assertSeries, meanOf, medianOf, quantile7Of, squaresOf } from './series.js';
import { ibeta, normalCdf } from './special.js';

/** Level of the drift checks: below it a series is called trending. */
export const TREND_ALPHA = 0.01;

/** Mann and Kendall's test for a monotone trend, with Sen's slope. */
export type MannKendall =
  | {
      readonly status: 'ok';
      /** Concordant minus discordant pairs. */
      readonly s: number;
      readonly variance: number;
      readonly z: number;
      /** Two-sided, normal approximation with continuity correction. */
      readonly p: number;
    }
  | { readonly status: 'constant' | 'too-short' };

/**
 * Mann-Kendall test for a monotone trend, tie-corrected. Needs 3 values. It assumes independence: at AR(1) 0.6 a third of
 * trendless series are called trending, so feed it means of independent groups or of long blocks.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function mannKendall(values: Series): MannKendall {
  assertSeries(values);
  const n = values.length;
  if (n < 3) return { status: 'too-short' };
  let s = 0;
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) s += Math.sign(values[j]! - values[i]!);
  let variance = n * (n - 1) * (2 * n + 5);
  const sorted = ascending(values);
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && sorted[to] === sorted[from]) to++;
    const ties = to - from;
    variance -= ties * (ties - 1) * (2 * ties + 5);
    from = to;
  }
  variance /= 18;
  if (variance === 0) return { status: 'constant' };
  const z = s === 0 ? 0 : (s - Math.sign(s)) / Math.sqrt(variance);
  return { status: 'ok', s, variance, z, p: 2 * normalCdf(-Math.abs(z)) };
}

/**
 * Sen's slope: the median of all pairwise slopes, per `times` (default: per value). Null for fewer than 2 values.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite and unequal lengths
 */
export function senSlope(values: Series, times?: Series): number | null {
  assertSeries(values);
  if (times !== undefined) {
    assertSeries(times, 'times');
    if (times.length !== values.length) throw new RangeError('times must be as long as values');
  }
  const slopes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    for (let j = i + 1; j < values.length; j++) {
      const run = times === undefined ? j - i : times[j]! - times[i]!;
      if (run !== 0) slopes.push((values[j]! - values[i]!) / run);
    }
  }
  return slopes.length > 0 ? quantile7Of(ascending(slopes), 0.5) : null;
}

/** Whether the machine drifted over a session. */
export type SessionDrift =
  | {
      readonly status: 'ok';
      readonly drifted: boolean;
      readonly test: Extract<MannKendall, { status: 'ok' }>;
      /** Sen's slope of the values relative to their group's median, per value in time order. */
      readonly relativeSlope: number;
    }
  | { readonly status: 'constant' | 'too-short' };

/**
 * Did the machine drift over a session? `values` in wall-clock order, `groups` the version of each: every value is divided
 * by the median of its group, and the whole sequence tested for a trend at 0.01.
 * @throws RangeError for unequal lengths and for values that are not positive
 */
export function sessionDrift(values: Series, groups: readonly (string | number)[]): SessionDrift {
  assertSeries(values);
  if (groups.length !== values.length) throw new RangeError('groups must be as long as values');
  const members = new Map<string | number, number[]>();
  for (let i = 0; i < values.length; i++) {
    if (!(values[i]! > 0)) throw new RangeError(`values[${i}] must be positive, got ${values[i]}`);
    members.set(groups[i]!, [...(members.get(groups[i]!) ?? []), values[i]!]);
  }
  const medians = new Map([...members].map(([group, of]) => [group, medianOf(of)]));
  const relative = Float64Array.from(values, (x, i) => x / medians.get(groups[i]!)!);
  const test = mannKendall(relative);
  if (test.status !== 'ok') return test;
  return { status: 'ok', drifted: test.p < TREND_ALPHA, test, relativeSlope: senSlope(relative)! };
}

/** Whether the place in the round matters. */
export type SlotEffect =
  | {
      readonly status: 'ok';
      readonly f: number;
      readonly df: readonly [between: number, within: number];
      readonly p: number;
      /** Mean by position, position ascending. */
      readonly means: readonly number[];
    }
  | { readonly status: 'constant' | 'too-few' };

/**
 * Does the position in the round matter? One-way analysis of variance of `values` (log ratios to the round's other arms)
 * by `positions`. `too-few`: fewer than two positions, or no position held twice; `constant`: no variance within positions.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite and unequal lengths
 */
export function slotEffect(values: Series, positions: Series): SlotEffect {
  assertSeries(values);
  assertSeries(positions, 'positions');
  if (positions.length !== values.length) throw new RangeError('positions must be as long as values');
  const groups = new Map<number, number[]>();
  for (let i = 0; i < values.length; i++) {
    groups.set(positions[i]!, [...(groups.get(positions[i]!) ?? []), values[i]!]);
  }
  const ordered = [...groups].sort(([a], [b]) => a - b).map(([, of]) => of);
  const [n, k] = [values.length, ordered.length];
  if (k < 2 || n <= k) return { status: 'too-few' };
  const all = meanOf(values);
  let between = 0;
  let within = 0;
  for (const of of ordered) {
    const own = meanOf(of);
    between += of.length * (own - all) ** 2;
    within += squaresOf(of, 0, of.length, own);
  }
  if (within === 0) return { status: 'constant' };
  const df = [k - 1, n - k] as const;
  const f = between / df[0] / (within / df[1]);
  return {
    status: 'ok',
    f,
    df,
    p: ibeta(df[1] / (df[1] + df[0] * f), df[1] / 2, df[0] / 2),
    means: ordered.map((of) => meanOf(of)),
  };
}
