/** The ratio of two sides by each method, and what it says about the forks that would decide. */
import { mean, sd } from '../../stats/moments.js';
import { ratioBootstrap } from '../../stats/ratio/bootstrap.js';
import { ratioFieller } from '../../stats/ratio/fieller.js';
import { allPositive, ratioLogDelta, ratioLogMeans } from '../../stats/ratio/means.js';
import { ratioPaired } from '../../stats/ratio/paired.js';
import type { SummaryRow } from '../../stats/ratio/summary.js';
import type { Better, Ratio } from '../../stats/ratio/types.js';
import { unitsForMean, unitsForRatio } from '../../stats/sample-size.js';
import type { CompareMethod } from './types.js';

export interface Estimate {
  readonly ratio: Ratio;
  /**
   * What Holm's correction and the summary work with: ratio, standard error of its logarithm, degrees of freedom. Fieller and bootstrap
   * intervals have no standard error; theirs is log-delta's of the same forks. Null without an interval.
   */
  readonly evidence: SummaryRow | null;
  /** The bootstrap is narrower than its level says. */
  readonly fewGroups: boolean;
}

export interface EstimateOptions {
  readonly confidence: number;
  readonly better: Better;
  readonly seed: number;
  /** Values may be zero: counts. A score may not, whatever its mean is. */
  readonly zeros: boolean;
}

const evidenceOf = (ratio: Ratio): SummaryRow | null =>
  ratio.low === null || ratio.standardError === null
    ? null
    : { ratio: ratio.ratio, standardError: ratio.standardError, df: ratio.df };

/** The cost ratio of two sides, one number per fork. `auto` must be resolved before; `paired` needs equal lengths. */
export function estimate(
  method: Exclude<CompareMethod, 'auto'>,
  candidate: readonly number[],
  baseline: readonly number[],
  { confidence, better, seed, zeros }: EstimateOptions,
): Estimate {
  const options = { confidence, better };
  const plain = (ratio: Ratio): Estimate => ({ ratio, evidence: evidenceOf(ratio), fewGroups: false });
  if (!zeros && !(allPositive(candidate) && allPositive(baseline)))
    return plain(ratioLogMeans(candidate, baseline, options));
  switch (method) {
    case 'log-delta':
      return plain(ratioLogDelta(candidate, baseline, options));
    case 'geometric':
      return plain(ratioLogMeans(candidate, baseline, options));
    case 'paired':
      return plain(ratioPaired(candidate, baseline, options));
    case 'fieller': {
      const ratio = ratioFieller(candidate, baseline, options);
      const evidence = ratio.low === null ? null : evidenceOf(ratioLogDelta(candidate, baseline, options));
      return { ratio, evidence, fewGroups: false };
    }
    case 'bootstrap': {
      // One number per group: resampling forks, which is all that is recommended.
      const groups = (values: readonly number[]) => values.map((value) => [value]);
      const ratio = ratioBootstrap(groups(candidate), groups(baseline), { ...options, seed });
      const evidence = ratio.low === null ? null : evidenceOf(ratioLogDelta(candidate, baseline, options));
      return { ratio, evidence, fewGroups: ratio.warning === 'few-groups' };
    }
  }
}

/**
 * Forks a side (pairs, when paired) at which the interval of ln ratio can be expected to lie on one side of the zone's edges: half-width
 * delta / 2, or half the distance from the estimate to the nearest edge where that is more. A hope: it takes the variation seen so far as known.
 */
export function forksToDecide(
  candidate: readonly number[],
  baseline: readonly number[],
  paired: boolean,
  { ratio, delta, confidence }: { readonly ratio: number; readonly delta: number; readonly confidence: number },
): number | null {
  if (candidate.length < 2 || baseline.length < 2 || !(ratio > 0)) return null;
  const x = Math.log(ratio);
  const distance = Math.min(Math.abs(x - Math.log(1 - delta)), Math.abs(x - Math.log(1 + delta)));
  const halfWidth = Math.max(delta / 2, distance / 2);
  const relative = (values: readonly number[]) => sd(values) / mean(values);
  const count = paired
    ? unitsForMean(sd(candidate.map((c, j) => Math.log(c / baseline[j]!))), halfWidth, confidence)
    : unitsForRatio(relative(candidate), relative(baseline), halfWidth, confidence);
  if (count.status !== 'ok') return null;
  return Math.max(count.n, Math.min(candidate.length, baseline.length) + 1);
}
