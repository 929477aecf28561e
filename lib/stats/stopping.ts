import { checkConfidence, checkPositive, checkValues } from './check.js';
import { MIN_VALUES } from './mean-interval.js';
import { meanOf, sdOf } from './moments.js';
import { tFactor } from './special/student.js';

/** Stein's second-stage size, or that the first stage is enough. */
export type SteinCount =
  | { readonly status: 'ok' | 'constant'; readonly n: number; readonly sd: number; readonly t: number }
  | { readonly status: 'too-few' | 'out-of-reach'; readonly n: null; readonly sd: number | null; readonly t: null };

/**
 * Stein's two-stage rule (1945): the total number of units, pilot included, after which `steinInterval` has at most this half-width with
 * exactly its level for normal data: max(n0, ceil((t(1 - alpha/2, n0 - 1) s0 / h)^2)).
 * @param pilot the first n0 units, at least three
 * @param halfWidth target, in the unit of the values
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite, a half-width that is not
 * above 0 and a level outside (0, 1)
 */
export function steinCount(pilot: ArrayLike<number>, halfWidth: number, confidence = 0.95): SteinCount {
  checkValues('steinCount', pilot);
  checkPositive('halfWidth', halfWidth);
  checkConfidence(confidence);
  const n0 = pilot.length;
  if (n0 < MIN_VALUES) return { status: 'too-few', n: null, sd: null, t: null };
  const sd = sdOf(pilot, meanOf(pilot));
  const t = tFactor(confidence, n0 - 1);
  const n = Math.max(n0, Math.ceil(((t * sd) / halfWidth) ** 2));
  if (!Number.isSafeInteger(n)) return { status: 'out-of-reach', n: null, sd, t: null };
  return { status: sd === 0 ? 'constant' : 'ok', n, sd, t };
}

/** The interval after Stein's second stage. */
export type SteinInterval =
  | {
      readonly status: 'ok' | 'constant';
      readonly mean: number;
      readonly halfWidth: number;
      readonly low: number;
      readonly high: number;
      readonly n: number;
      readonly df: number;
    }
  | {
      readonly status: 'too-few';
      readonly mean: number;
      readonly halfWidth: null;
      readonly low: null;
      readonly high: null;
      readonly n: number;
      readonly df: number;
    };

/**
 * Interval after both stages: mean of all values, but the standard deviation and degrees of freedom of the first `pilotCount`.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite, a level outside (0, 1) and
 * a `pilotCount` that is not a whole number from 1 to the count of values
 */
export function steinInterval(values: ArrayLike<number>, pilotCount: number, confidence = 0.95): SteinInterval {
  checkValues('steinInterval', values);
  checkConfidence(confidence);
  if (!Number.isInteger(pilotCount) || pilotCount < 1 || pilotCount > values.length) {
    throw new RangeError(`pilotCount must be a whole number from 1 to ${values.length}, got ${pilotCount}`);
  }
  const n = values.length;
  const mean = meanOf(values);
  const df = pilotCount - 1;
  if (pilotCount < MIN_VALUES) return { status: 'too-few', mean, halfWidth: null, low: null, high: null, n, df };
  const pilot = Array.from(values).slice(0, pilotCount);
  const sd = sdOf(pilot, meanOf(pilot));
  const halfWidth = (tFactor(confidence, df) * sd) / Math.sqrt(n);
  return {
    status: sd === 0 ? 'constant' : 'ok',
    mean,
    halfWidth,
    low: mean - halfWidth,
    high: mean + halfWidth,
    n,
    df,
  };
}

/** Pocock's nominal levels (1977): alpha of each of K equally spaced looks that together hold 5 %. */
export const POCOCK_LEVELS: Readonly<Record<2 | 3 | 4 | 5, number>> = { 2: 0.0294, 3: 0.0221, 4: 0.0182, 5: 0.0158 };

/**
 * Level of the interval at each of K looks (2 to 5) for a joint 95 %.
 * @throws RangeError for looks other than 2 to 5
 */
export function pocockConfidence(looks: number): number {
  const alpha = POCOCK_LEVELS[looks as 2];
  if (alpha === undefined) throw new RangeError(`Pocock levels are known for 2 to 5 looks, got ${looks}`);
  return 1 - alpha;
}

/** Target and guards of a rule that stops on the width of the interval only. */
export interface WidthRule {
  /** Half-width to reach, in the unit of `Look.halfWidth`. */
  readonly target: number;
  /** No look before this many units a side, default 10. */
  readonly minimum?: number;
  /** Units between looks, default 5. */
  readonly every?: number;
  /** Looks running that must meet the target, default 2. */
  readonly consecutive?: number;
}

/** One look at the data: how many units, and the interval then. */
export interface Look {
  /** Units (a side, or pairs) at this look. */
  readonly n: number;
  /** Half-width then; null if there was no interval, which does not meet any target. */
  readonly halfWidth: number | null;
}

/** Go on, or stop and why. */
export interface WidthDecision {
  readonly stop: boolean;
  /** Looks running, up to the last one, that met the target. */
  readonly met: number;
  /** Number of units at which to look next; null when stopped. */
  readonly nextLook: number | null;
}

/**
 * Stop on width alone, never on the estimate, its sign or a p-value. Coverage of a nominal 95 % interval is 94 % with the defaults (92 %
 * when looking after every unit from five on). `looks` in order; those the rule does not plan (too early, off the grid) are not counted.
 * @throws RangeError for a target that is not above 0, counts that are not whole numbers from 1 and looks out of order
 */
export function widthRule(looks: readonly Look[], rule: WidthRule): WidthDecision {
  const { target, minimum = 10, every = 5, consecutive = 2 } = rule;
  checkPositive('target', target);
  for (const [name, value] of Object.entries({ minimum, every, consecutive })) {
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number >= 1, got ${value}`);
  }
  let met = 0;
  let last = minimum - every;
  for (const { n, halfWidth } of looks) {
    if (n < minimum || (n - minimum) % every !== 0) continue;
    if (n <= last && last >= minimum) throw new RangeError(`looks must come in order of n, got ${n} after ${last}`);
    met = halfWidth !== null && halfWidth <= target ? (n - last === every ? met + 1 : 1) : 0;
    last = n;
    if (met >= consecutive) return { stop: true, met, nextLook: null };
  }
  return { stop: false, met, nextLook: last + every };
}
