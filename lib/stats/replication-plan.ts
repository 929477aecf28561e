import { checkConfidence, checkPositive } from './check.js';
import { smallestCount } from './sample-size.js';
import { tFactor } from './special/student.js';
import { componentsOf, flatten, type Nested } from './variance-components.js';

/** All arrays run from the lowest level (index 0) to the top; levels are named from 1 = lowest. */
export interface PlanShape {
  /** Optimal units per parent at each level below the top. */
  readonly lower: readonly number[];
  /** The real numbers they were rounded up from; null where there was no ratio to take (a merged level). */
  readonly real: readonly (number | null)[];
  /** Levels that showed no variance of their own and get one unit per parent (their overhead is charged to the parent). */
  readonly merged: readonly number[];
  /** The top level itself showed no variance. Inference still needs its units; more of them cost without measured benefit. */
  readonly topNegligible: boolean;
}

/** Repetitions per level, with the half-width and the cost they lead to. */
export type Plan =
  | ({
      readonly status: 'ok';
      /** Units per parent at every level, top included. */
      readonly counts: readonly number[];
      /** Predicted variance between top means, S_n'^2. */
      readonly topVariance: number;
      /** Predicted half-width of the interval of the mean. */
      readonly halfWidth: number;
      readonly costPerTop: number;
      readonly totalCost: number;
    } & PlanShape)
  | { readonly status: 'unbalanced' | 'too-few' | 'constant' | 'out-of-reach' };

/** The half-width wanted, and what one more of each level costs. */
export interface PlanTarget {
  /** Half-width to reach, in the unit of the values. */
  readonly halfWidth: number;
  readonly confidence?: number;
}

/** What may be spent, and what one more of each level costs. */
export interface PlanBudget {
  /** Total cost to stay within, in the unit of the costs. */
  readonly cost: number;
  readonly confidence?: number;
}

/** With fewer top units an interval is not printed, so a plan never has fewer when it is free to choose. */
const LEAST_TOP = 3;

interface Group {
  /** Level indices (0-based) merged here, lowest first; only the lowest is repeated. */
  readonly members: readonly number[];
  readonly T: number;
}

/** Levels merged until every level above the first adds variance; the groups that remain, lowest first. */
function mergeLevels(data: Nested): Group[] | 'unbalanced' | 'too-few' | 'constant' {
  const flat = flatten(data);
  if (flat === null) return 'unbalanced';
  const counts = [...flat.counts];
  const members = counts.map((_, i) => [i]);
  for (;;) {
    const found = componentsOf({ values: flat.values, counts });
    if (found.status !== 'ok') return found.status;
    const i = found.T.findIndex((T, level) => level > 0 && T <= 0);
    if (i < 0) return members.map((list, g) => ({ members: list, T: found.T[g]! }));
    members[i - 1]!.push(...members[i]!);
    counts[i - 1]! *= counts[i]!;
    members.splice(i, 1);
    counts.splice(i, 1);
  }
}

function checkCosts(costs: readonly number[], levels: number): void {
  if (costs.length !== levels) throw new RangeError(`costs: need one per level (${levels}), got ${costs.length}`);
  for (const [i, cost] of costs.entries()) checkPositive(`cost of level ${i + 1}`, cost);
}

const levelsOf = (data: Nested): number => {
  let depth = 0;
  for (let item: unknown = data; Array.isArray(item); item = item[0]) depth++;
  return depth;
};

interface Shaped extends PlanShape {
  readonly groups: readonly Group[];
}

function shape(data: Nested, costs: readonly number[]): Shaped | 'unbalanced' | 'too-few' | 'constant' {
  const levels = levelsOf(data);
  checkCosts(costs, levels);
  const groups = mergeLevels(data);
  if (typeof groups === 'string') return groups;
  const lower = new Array<number>(levels - 1).fill(1);
  const real = new Array<number | null>(levels - 1).fill(null);
  // A member above the lowest of its group has one unit per parent: its overhead is part of what the next group's unit costs.
  const unitCost = groups.map(({ members }, g) => {
    const below = g === 0 ? [] : groups[g - 1]!.members.slice(1);
    return below.reduce((sum, level) => sum + costs[level]!, costs[members[0]!]!);
  });
  for (let g = 0; g + 1 < groups.length; g++) {
    const ratio = (unitCost[g + 1]! / unitCost[g]!) * (Math.max(0, groups[g]!.T) / groups[g + 1]!.T);
    const level = groups[g]!.members[0]!;
    real[level] = Math.sqrt(ratio);
    lower[level] = Math.max(1, Math.ceil(Math.sqrt(ratio)));
  }
  const merged = groups.flatMap(({ members }) => members.slice(1).map((level) => level + 1));
  return { groups, lower, real, merged, topNegligible: merged.includes(levels) };
}

/** Variance between units of the group's lowest level: T_g + T_{g-1}/r_{g-1} + ... with the planned counts. */
function predictedVariance(groups: readonly Group[], lower: readonly number[]): number {
  let variance = 0;
  let units = 1;
  for (let g = groups.length - 1; g >= 0; g--) {
    if (g < groups.length - 1) units *= lower[groups[g]!.members[0]!]!;
    variance += Math.max(0, groups[g]!.T) / units;
  }
  return variance;
}

/** Cost of one top unit with everything below it: c_n + r_{n-1} (c_{n-1} + ...). */
export function costPerTopUnit(costs: readonly number[], lower: readonly number[]): number {
  let cost = costs[0]!;
  for (let i = 1; i < costs.length; i++) cost = costs[i]! + lower[i - 1]! * cost;
  return cost;
}

const halfWidthOf = (variance: number, top: number, confidence: number): number =>
  tFactor(confidence, top - 1) * Math.sqrt(variance / top);

function finish(
  shaped: Shaped,
  lower: readonly number[],
  top: number,
  costs: readonly number[],
  variance: number,
  confidence: number,
): Plan {
  const costPerTop = costPerTopUnit(costs, lower);
  const { real, merged, topNegligible } = shaped;
  return {
    status: 'ok',
    counts: [...lower, top],
    lower,
    real,
    merged,
    topNegligible,
    topVariance: variance,
    halfWidth: halfWidthOf(variance, top, confidence),
    costPerTop,
    totalCost: costPerTop * top,
  };
}

/**
 * Cheapest balanced experiment that is expected to reach a half-width, from a pilot and the costs per level (Kalibera and Jones 2013):
 * r_i = max(1, ceil(sqrt(c_{i+1}/c_i * T_i^2/T_{i+1}^2))) below the top, then the smallest top count.
 * It ignores the pilot's own uncertainty; `steinCount` guarantees the width.
 * @param data pilot, nested arrays, top level outermost, at least two units at each level (10 top units are better than 3)
 * @param costs lowest level first: one more value; then the overhead of one more unit of each level before its children run
 * @throws TypeError for data that are not nested arrays of numbers; RangeError for a group without values, values that are not finite and
 * a cost, half-width or level out of range
 */
export function planForHalfWidth(data: Nested, costs: readonly number[], target: PlanTarget): Plan {
  const { halfWidth, confidence = 0.95 } = target;
  checkPositive('halfWidth', halfWidth);
  checkConfidence(confidence);
  const shaped = shape(data, costs);
  if (typeof shaped === 'string') return { status: shaped };
  const variance = predictedVariance(shaped.groups, shaped.lower);
  if (shaped.topNegligible) return spread(shaped, costs, variance, halfWidth, confidence);
  const top = smallestCount(2, (n) => halfWidthOf(variance, n, confidence), halfWidth);
  if (top.status !== 'ok') return { status: 'out-of-reach' };
  return finish(shaped, shaped.lower, top.n, costs, variance, confidence);
}

/** The units of the level below a negligible top, spread over the number of top units that makes the whole cheapest. */
function spread(shaped: Shaped, costs: readonly number[], variance: number, target: number, confidence: number): Plan {
  const level = shaped.groups.at(-1)!.members[0]!;
  let best: Plan | null = null;
  // Beyond 60 top units t is within 2 % of normal: more of them cannot save what their overhead costs.
  for (let top = LEAST_TOP; top <= 60; top++) {
    const perTop = Math.ceil((tFactor(confidence, top - 1) ** 2 * variance) / (top * target ** 2) - 1e-12);
    if (!(perTop <= 1e9)) continue;
    const lower = shaped.lower.with(level, Math.max(1, perTop));
    const plan = finish(shaped, lower, top, costs, variance / lower[level]!, confidence);
    if (plan.status === 'ok' && (best === null || best.status !== 'ok' || plan.totalCost < best.totalCost)) best = plan;
  }
  return best ?? { status: 'out-of-reach' };
}

/**
 * Best use of a cost: the optimal lower counts and as many top units as the cost pays for, with the half-width to expect.
 * `out-of-reach` if it does not pay for three.
 * @throws TypeError for data that are not nested arrays of numbers; RangeError for a group without values, values that are not finite and
 * a cost, budget or level out of range
 */
export function planForCost(data: Nested, costs: readonly number[], budget: PlanBudget): Plan {
  const { cost, confidence = 0.95 } = budget;
  checkPositive('cost', cost);
  checkConfidence(confidence);
  const shaped = shape(data, costs);
  if (typeof shaped === 'string') return { status: shaped };
  const variance = predictedVariance(shaped.groups, shaped.lower);
  if (!shaped.topNegligible) {
    const top = Math.floor(cost / costPerTopUnit(costs, shaped.lower));
    if (top < LEAST_TOP) return { status: 'out-of-reach' };
    return finish(shaped, shaped.lower, top, costs, variance, confidence);
  }
  const level = shaped.groups.at(-1)!.members[0]!;
  const unit = costPerTopUnit(costs, shaped.lower.with(level, 1)) - costPerTopUnit(costs, shaped.lower.with(level, 0));
  const overhead = costPerTopUnit(costs, shaped.lower.with(level, 0));
  let best: Plan | null = null;
  for (let top = LEAST_TOP; top <= 60; top++) {
    const perTop = Math.floor((cost / top - overhead) / unit);
    if (perTop < 1) break;
    const lower = shaped.lower.with(level, perTop);
    const plan = finish(shaped, lower, top, costs, variance / perTop, confidence);
    if (plan.status === 'ok' && (best === null || best.status !== 'ok' || plan.halfWidth < best.halfWidth)) best = plan;
  }
  return best ?? { status: 'out-of-reach' };
}

/**
 * As `planForHalfWidth`, but with the lower counts given (the customary ones, say): what they cost for the same width.
 * @throws TypeError for data that are not nested arrays of numbers; RangeError for a group without values, values that are not finite and
 * a count, cost, half-width or level out of range
 */
export function planWithCounts(
  data: Nested,
  costs: readonly number[],
  lower: readonly number[],
  target: PlanTarget,
): Plan {
  const { halfWidth, confidence = 0.95 } = target;
  checkPositive('halfWidth', halfWidth);
  checkConfidence(confidence);
  for (const count of lower) {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`a count must be a whole number >= 1, got ${count}`);
  }
  const flat = flatten(data);
  if (flat === null) return { status: 'unbalanced' };
  checkCosts(costs, flat.counts.length);
  if (lower.length !== flat.counts.length - 1) {
    throw new RangeError(`lower: need ${flat.counts.length - 1} counts, got ${lower.length}`);
  }
  const found = componentsOf(flat);
  if (found.status !== 'ok') return { status: found.status };
  const groups = found.T.map((T, level) => ({ members: [level], T }));
  const variance = predictedVariance(groups, lower);
  const top = smallestCount(2, (n) => halfWidthOf(variance, n, confidence), halfWidth);
  if (top.status !== 'ok') return { status: 'out-of-reach' };
  const real = lower.map(() => null);
  const shaped = { groups, lower, real, merged: [], topNegligible: found.T.at(-1)! <= 0 };
  return finish(shaped, lower, top.n, costs, variance, confidence);
}
