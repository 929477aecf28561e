// The interval-width criterion of Laaber et al. 2020 and the thinning that goes before all three. For comparison, as laaber.ts says.

import { checkConfidence, checkGroups, checkPositive, checkValues } from './check.js';
import { type ChangeRule, checkWindow, firstBelow, largestChange } from './laaber.js';
import { type Generator, random } from './prng.js';
import { median, quantileSorted } from './quantile.js';
import { type Resample, Sampler } from './ratio/resample.js';

/** How many values to keep, and how far from the median a value may be. */
export interface ThinOptions {
  /** Values kept at most, default 1,000. */
  readonly size?: number;
  /** Values beyond `factor` medians or below median / `factor` go first; default 10. */
  readonly factor?: number;
  /** Seed of the draw, default 1. */
  readonly seed?: number;
}

/** The values that are left, in their order, and how many went before the draw. */
export interface ThinnedSample {
  /** `not-positive`: the median is not above zero, so no value is far from it in these terms; nothing was discarded. */
  readonly status: 'ok' | 'not-positive';
  readonly values: Float64Array;
  readonly discarded: number;
}

/**
 * Thins the values of one iteration as Laaber et al. do before judging it: values beyond ten medians or below a tenth of the median are
 * discarded, and of the others at most 1,000 are drawn without replacement. Their order is kept. Never for a headline number.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite and options out of range
 */
export function thinSample(values: ArrayLike<number>, options: ThinOptions = {}): ThinnedSample {
  checkValues('thinSample', values);
  const { size = 1000, factor = 10, seed = 1 } = options;
  if (!Number.isInteger(size) || size < 1) throw new RangeError(`size must be a whole number >= 1, got ${size}`);
  if (!(factor > 1 && factor < Infinity)) throw new RangeError(`factor must be a number above 1, got ${factor}`);
  const rng = random('mulberry32', seed);
  const middle = median(values);
  const judged = middle > 0;
  const kept = Float64Array.from(values).filter((x) => !judged || (x <= middle * factor && x >= middle / factor));
  const status = judged ? 'ok' : 'not-positive';
  const discarded = values.length - kept.length;
  if (kept.length <= size) return { status, values: kept, discarded };
  // Selection sampling: the k-th of the rest is taken with probability (still needed) / (still to come).
  const drawn = new Float64Array(size);
  let taken = 0;
  for (let i = 0; taken < size; i++) {
    if (rng.float() * (kept.length - i) < size - taken) drawn[taken++] = kept[i]!;
  }
  return { status, values: drawn, discarded };
}

/** Level, replicates and stopping rule of the width criterion. */
export interface WidthCriterion extends ChangeRule {
  /** Level of the interval, default 0.99. */
  readonly confidence?: number;
  /** Bootstrap replicates per iteration, default 1,000; at least 100. */
  readonly replicates?: number;
  /** Seed of the draws, default 1. */
  readonly seed?: number;
  /** Default `xoshiro128**`. */
  readonly generator?: Generator;
  /** Default `all`: iterations are drawn, then the values in them. */
  readonly resample?: Resample;
}

/** Relative interval width of everything since the start, after each iteration. */
export interface CumulativeWidth {
  /** (high - low) / |mean| of the bootstrap interval of the mean; null where the mean is zero or one value stands alone. */
  readonly width: readonly (number | null)[];
  /** max |width_now - width_(now - k)|, k = 1 .. window - 1; null before the window is full. */
  readonly change: readonly (number | null)[];
  /** Iterations (from 1) after which the rule first stops; null if it never does. */
  readonly stopAfter: number | null;
}

/**
 * RCIW rule: stop when the relative width of the bootstrap interval of everything since the start has changed by less than the threshold
 * (0.03) over the window (5). Draws are uniform. Time grows with replicates x values so far for every iteration, so thin first.
 * @throws TypeError for what is no array of arrays of numbers, an unknown generator and an unknown `resample`; RangeError for an empty
 * one, values that are not finite and options out of range
 */
export function cumulativeWidth(iterations: ArrayLike<ArrayLike<number>>, rule: WidthCriterion = {}): CumulativeWidth {
  checkGroups('cumulativeWidth', iterations);
  const { window = 5, threshold = 0.03, confidence = 0.99, replicates = 1000, seed = 1 } = rule;
  const { generator = 'xoshiro128**', resample = 'all' } = rule;
  checkWindow(window);
  checkPositive('threshold', threshold);
  checkConfidence(confidence);
  if (!Number.isInteger(replicates) || replicates < 100) {
    throw new RangeError(`replicates must be a whole number >= 100, got ${replicates}`);
  }
  if (resample !== 'top' && resample !== 'all') throw new TypeError(`resample must be "top" or "all", got ${resample}`);
  const rng = random(generator, seed);
  const groups: ArrayLike<number>[] = [];
  let count = 0;
  const width = Array.from(iterations, (values) => {
    groups.push(values);
    count += values.length;
    const sampler = new Sampler(groups, 'mean');
    const mean = sampler.estimate();
    if (count < 2 || mean === 0) return null;
    const draws = Float64Array.from({ length: replicates }, () => sampler.replicate(rng, resample)).sort();
    const side = (1 - confidence) / 2;
    const spread = quantileSorted(draws, 1 - side, 1) - quantileSorted(draws, side, 1);
    // Equal values give replicates that differ in the last bit only.
    return spread <= 1e-12 * Math.abs(mean) ? 0 : spread / Math.abs(mean);
  });
  const change = largestChange(width, window);
  return { width, change, stopAfter: firstBelow(change, threshold) };
}
