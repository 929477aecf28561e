import { checkConfidence, checkPositive } from './check.js';
import { checkDelta } from './decision.js';
import { satterthwaiteOf } from './ratio/welch.js';
import { tFactor } from './special/student.js';

/** How many units would be needed, or that no number up to the limit is enough. */
export type Count =
  | { readonly status: 'ok'; readonly n: number }
  | { readonly status: 'out-of-reach'; readonly n: null };

/** More than this many units is not a plan. */
const CEILING = 10_000_000;

/** Smallest n >= least with a half-width (falling in n) of at most the target. */
export function smallestCount(least: number, halfWidth: (n: number) => number, target: number): Count {
  let high = least;
  while (halfWidth(high) > target) {
    if (high >= CEILING) return { status: 'out-of-reach', n: null };
    high = Math.min(CEILING, high * 2);
  }
  let low = Math.max(least, high >> 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (halfWidth(middle) <= target) high = middle;
    else low = middle + 1;
  }
  return { status: 'ok', n: low };
}

/**
 * Independent units needed for a mean: smallest n >= 2 with t(1 - alpha/2, n - 1) sd / sqrt(n) <= halfWidth (same unit as sd).
 * A hope, not a guarantee: it takes `sd` as known. `steinCount` guarantees.
 * @throws RangeError for an `sd` below 0, a half-width that is not above 0 and a level outside (0, 1)
 */
export function unitsForMean(sd: number, halfWidth: number, confidence = 0.95): Count {
  if (!(sd >= 0 && sd < Infinity)) throw new RangeError(`sd must be >= 0, got ${sd}`);
  checkPositive('halfWidth', halfWidth);
  checkConfidence(confidence);
  return smallestCount(2, (n) => (tFactor(confidence, n - 1) * sd) / Math.sqrt(n), halfWidth);
}

/**
 * Units needed on EACH side so that the half-width of ln(ratio) is at most `halfWidth` (0.005 = 0.5 %), from the relative standard
 * deviations (sd / mean) of the units of both sides. Independent sides, at least 3 a side.
 * @throws RangeError for a deviation below 0, a half-width that is not above 0 and a level outside (0, 1)
 */
export function unitsForRatio(
  relativeSdCandidate: number,
  relativeSdBaseline: number,
  halfWidth: number,
  confidence = 0.95,
): Count {
  for (const sd of [relativeSdCandidate, relativeSdBaseline]) {
    if (!(sd >= 0 && sd < Infinity)) throw new RangeError(`a relative standard deviation must be >= 0, got ${sd}`);
  }
  checkPositive('halfWidth', halfWidth);
  checkConfidence(confidence);
  const [a, b] = [relativeSdCandidate, relativeSdBaseline];
  const both = Math.hypot(a, b);
  if (both === 0) return { status: 'ok', n: 3 };
  return smallestCount(3, (n) => tFactor(confidence, satterthwaiteOf(a, n, b, n)) * (both / Math.sqrt(n)), halfWidth);
}

/**
 * Units a side at which a comparison at this `delta` can be expected to decide: half-width delta / 2.
 * @throws RangeError for a deviation below 0 and a delta or level outside (0, 1)
 */
export function unitsForVerdict(
  relativeSdCandidate: number,
  relativeSdBaseline: number,
  delta: number,
  confidence = 0.95,
): Count {
  checkDelta(delta);
  return unitsForRatio(relativeSdCandidate, relativeSdBaseline, delta / 2, confidence);
}
