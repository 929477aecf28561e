import { checkValues } from '../check.js';
import { MIN_VALUES } from '../mean-interval.js';
import { allPositive } from './means.js';
import { type Ratio, type RatioOptions, type Resolved, resolve, side, without } from './types.js';
import { isRatio, logInterval } from './welch.js';

/**
 * Ratio from pairs that shared their circumstances (the rounds of an interleaved schedule): t interval on d_j = ln(candidate_j / baseline_j).
 * Whatever drifts from round to round cancels. Only for real pairs; otherwise use `ratioLogDelta`.
 * @throws TypeError for what is no array of numbers and an unknown `better`; RangeError for an empty one, values that are not finite,
 * unequal lengths and a level outside (0, 1)
 */
export function ratioPaired(
  candidate: ArrayLike<number>,
  baseline: ArrayLike<number>,
  options: RatioOptions = {},
): Ratio {
  checkValues('candidate', candidate);
  checkValues('baseline', baseline);
  if (candidate.length !== baseline.length) {
    throw new RangeError(`pairs need equal lengths, got ${candidate.length} and ${baseline.length} values`);
  }
  const resolved = resolve('paired', options);
  if (!allPositive(candidate) || !allPositive(baseline)) return without(resolved, 'not-positive', null);
  return onDifferences(
    resolved,
    Float64Array.from(candidate, (c, j) => Math.log(c) - Math.log(baseline[j]!)),
  );
}

/** One run of a duet: pairs of simultaneous values. */
export type DuetRun = readonly (readonly [baseline: number, candidate: number])[];

/**
 * Ratio from duet runs (in the spirit of Bulej et al. 2020): both sides run at the same time; the unit is the run, its value the mean of
 * ln(candidate / baseline) over its pairs. Valid for the ratio only, since each side disturbs the other.
 * @throws TypeError for pairs that are not numbers and an unknown `better`; RangeError for no runs, a run without pairs, values that are
 * not finite and a level outside (0, 1)
 */
export function ratioDuet(runs: readonly DuetRun[], options: RatioOptions = {}): Ratio {
  const resolved = resolve('duet', options);
  if (runs.length === 0) throw new RangeError('ratioDuet: no runs');
  const means: number[] = [];
  for (const [r, run] of runs.entries()) {
    const base = run.map(([b]) => b);
    const cand = run.map(([, c]) => c);
    checkValues(`run ${r} baseline`, base);
    checkValues(`run ${r} candidate`, cand);
    if (!allPositive(base) || !allPositive(cand)) return without(resolved, 'not-positive', null);
    means.push(side(cand.map((c, i) => Math.log(c) - Math.log(base[i]!))).mean);
  }
  return onDifferences(resolved, means);
}

function onDifferences(resolved: Resolved, differences: ArrayLike<number>): Ratio {
  const d = side(differences);
  const sign = resolved.numerator === 'candidate' ? 1 : -1;
  const ratio = Math.exp(sign * d.mean);
  if (!isRatio(ratio)) return without(resolved, 'unbounded', null);
  if (d.n < MIN_VALUES) return without(resolved, 'too-few', ratio);
  return logInterval(resolved, ratio, d.standardError, d.n - 1);
}
