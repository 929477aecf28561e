import { checkGroups, checkValues } from './check.js';
import { isConstant, meanOf, varianceOf } from './moments.js';

/** Values nested in groups, to any depth; the outermost array is the top level. */
export type Nested = readonly number[] | readonly Nested[];

/** Arrays of the answer run from the lowest level (index 0: single values) to the top. */
export type Components =
  | {
      readonly status: 'ok' | 'constant';
      readonly mean: number;
      /** Units per parent at each level; the last is the number of top units. */
      readonly counts: readonly number[];
      /** S_i^2: variance between the means at level i within their parents (biased upward by the levels below). */
      readonly S: readonly number[];
      /** T_i^2: variance that level i itself adds; unbiased, so it can be negative. */
      readonly T: readonly number[];
    }
  | { readonly status: 'unbalanced'; readonly mean: null; readonly counts: null; readonly S: null; readonly T: null }
  | {
      /** A level has a single unit per parent, so its variance cannot be estimated. `level` counts from 1 = lowest. */
      readonly status: 'too-few';
      readonly level: number;
      readonly mean: number;
      readonly counts: readonly number[];
      readonly S: null;
      readonly T: null;
    };

export interface Flat {
  readonly values: readonly number[];
  /** Lowest level first. */
  readonly counts: readonly number[];
}

/** The values in order and the number of children at each level, or null if parents of one level differ in it. */
export function flatten(data: Nested): Flat | null {
  if (!Array.isArray(data)) throw new TypeError('variance components: expected nested arrays of numbers');
  const counts: number[] = [];
  let level: readonly unknown[] = [data];
  let balanced = true;
  for (;;) {
    const arrays = level.filter((item) => Array.isArray(item)).length;
    if (arrays === 0) break;
    if (arrays < level.length) throw new TypeError('variance components: numbers and arrays are mixed at one level');
    const lists = level as readonly (readonly unknown[])[];
    const size = lists[0]!.length;
    if (lists.some((list) => list.length === 0)) throw new RangeError('variance components: a group has no values');
    if (lists.some((list) => list.length !== size)) balanced = false;
    counts.unshift(size);
    level = lists.flat(1);
  }
  checkValues('variance components', level as number[]);
  return balanced ? { values: level as number[], counts } : null;
}

/**
 * Variance components of a balanced nested experiment with any number of levels (Kalibera and Jones 2013):
 * S_i^2 is the pooled variance of the means at level i, T_1^2 = S_1^2, T_i^2 = S_i^2 - S_{i-1}^2 / r_{i-1}.
 * For unequal groups on two levels use `intraclass`.
 * @throws TypeError for data that are not nested arrays of numbers; RangeError for a group without values and values that are not finite
 */
export function varianceComponents(data: Nested): Components {
  const flat = flatten(data);
  if (flat === null) return { status: 'unbalanced', mean: null, counts: null, S: null, T: null };
  return componentsOf(flat);
}

export function componentsOf({ values, counts }: Flat): Exclude<Components, { status: 'unbalanced' }> {
  const S: number[] = [];
  let means: readonly number[] = values;
  for (const r of counts) {
    const parents: number[] = [];
    let sum = 0;
    for (let start = 0; start < means.length; start += r) {
      const group = means.slice(start, start + r);
      const center = meanOf(group);
      parents.push(center);
      sum += r > 1 ? varianceOf(group, center) : 0;
    }
    S.push(sum / parents.length);
    means = parents;
  }
  const mean = means[0]!;
  const single = counts.indexOf(1);
  if (single >= 0) return { status: 'too-few', level: single + 1, mean, counts, S: null, T: null };
  const T = S.map((s, i) => (i === 0 ? s : s - S[i - 1]! / counts[i - 1]!));
  return { status: isConstant(values) ? 'constant' : 'ok', mean, counts, S, T };
}

/** Intraclass correlation, design effect and effective size. */
export type Intraclass =
  | {
      /** `no-group-variance`: the groups differ no more than their values explain; `icc` is then 0 and `designEffect` 1. */
      readonly status: 'ok' | 'no-group-variance';
      /** Variance between groups; may be negative. */
      readonly between: number;
      readonly within: number;
      /** between / (between + within): share of the variance that more values per group cannot average away. */
      readonly icc: number;
      /** 1 + (n0 - 1) icc: by how much the variance of the pooled mean exceeds that of independent values. */
      readonly designEffect: number;
      /** Number of independent values the whole sample is worth. */
      readonly effectiveN: number;
    }
  | {
      readonly status: 'too-few' | 'constant';
      readonly between: null;
      readonly within: null;
      readonly icc: null;
      readonly designEffect: null;
      readonly effectiveN: null;
    };

/**
 * Intraclass correlation of groups of values by analysis of variance; groups may differ in size
 * (n0 = (N - sum n_f^2 / N) / (F - 1) stands for the size). Needs two groups and one group with two values.
 * @throws TypeError for what is no array of arrays of numbers; RangeError for an empty one and values that are not finite
 */
export function intraclass(groups: ArrayLike<ArrayLike<number>>): Intraclass {
  checkGroups('intraclass', groups);
  const none = { between: null, within: null, icc: null, designEffect: null, effectiveN: null } as const;
  const lists = Array.from(groups);
  const F = lists.length;
  const N = lists.reduce((sum, list) => sum + list.length, 0);
  if (F < 2 || N <= F) return { status: 'too-few', ...none };
  const all = lists.flatMap((list) => Array.from(list));
  if (isConstant(all)) return { status: 'constant', ...none };
  const grand = meanOf(all);
  let ssWithin = 0;
  let ssBetween = 0;
  let squares = 0;
  for (const list of lists) {
    const center = meanOf(list);
    ssWithin += list.length > 1 ? varianceOf(list, center) * (list.length - 1) : 0;
    ssBetween += list.length * (center - grand) ** 2;
    squares += list.length ** 2;
  }
  const within = ssWithin / (N - F);
  const n0 = (N - squares / N) / (F - 1);
  const between = (ssBetween / (F - 1) - within) / n0;
  if (between <= 0) return { status: 'no-group-variance', between, within, icc: 0, designEffect: 1, effectiveN: N };
  const icc = between / (between + within);
  const designEffect = 1 + (n0 - 1) * icc;
  return { status: 'ok', between, within, icc, designEffect, effectiveN: N / designEffect };
}
