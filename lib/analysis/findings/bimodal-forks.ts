import { groupsApart } from '../../stats/modes.js';
import { forkNs, goodForks, meanNs } from '../trial-series.js';
import { count, percent } from '../words.js';
import type { FindingRule } from './rule.js';

/** Distance of the two groups, relative to the lower, below which two modes make no difference to anyone. */
export const BIMODAL_FLOOR = 0.01;

/** Forks that are tight inside and fall into two groups: the mean is of a mixture, and its error depends on the mix. */
export const bimodalForks: FindingRule = {
  id: 'bimodal-forks',
  severity: 'warning',
  check(trial, { flags }) {
    const forks = goodForks(trial).flatMap((fork) => {
      const mean = forkNs(fork);
      const values = fork.iterations.map(meanNs).filter((value) => value !== null);
      if (mean === null || values.length < 2) return [];
      const centre = values.reduce((sum, x) => sum + x, 0) / values.length;
      const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (values.length - 1));
      return [{ index: fork.index, mean, sd }];
    });
    const groups = groupsApart(
      forks.map((fork) => fork.mean),
      forks.map((fork) => fork.sd),
    );
    if (groups.status !== 'bimodal') return null;
    const of = (ranks: readonly number[]) => ranks.reduce((sum, i) => sum + forks[i]!.mean, 0) / ranks.length;
    const apart = of(groups.upper) / of(groups.lower) - 1;
    if (apart < BIMODAL_FLOOR) return null;
    const more = flags.has('--thorough') ? 'more forks than --thorough has' : 'more forks (--thorough)';
    return {
      id: this.id,
      severity: this.severity,
      message: `Forks fall into two groups, ${groups.lower.length} fast and ${count(groups.upper.length, 'slow one')}, ${percent(apart)} apart: code layout or optimisation differs from process to process, so use ${more} and compare ratios, not single means.`,
      data: { fast: groups.lower.length, slow: groups.upper.length, apart },
      forks: groups.upper.map((i) => forks[i]!.index).sort((a, b) => a - b),
    };
  },
};
