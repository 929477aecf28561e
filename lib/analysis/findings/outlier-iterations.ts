import { tukeyOutliers } from '../../stats/outliers.js';
import { medianOf } from '../../stats/series.js';
import { goodForks, meanNs } from '../trial-series.js';
import { percent, share } from '../words.js';
import type { FindingRule } from './rule.js';

/** Distance from its fork's median below which an iteration is no outlier to anyone, however tight the rest is. */
export const OUTLIER_FLOOR = 0.05;
/** Iterations needed for fences, and how many outliers are located in the message. */
const ENOUGH = 10;
const LOCATED = 3;

/** Iterations far from their fork's median (severe by Tukey). Located and explained; never dropped. */
export const outlierIterations: FindingRule = {
  id: 'outlier-iterations',
  severity: 'info',
  check(trial) {
    const all = goodForks(trial).flatMap((fork) => {
      const values = fork.iterations.map(meanNs);
      const known = values.filter((value) => value !== null);
      if (known.length < 3) return [];
      const level = medianOf(known);
      return fork.iterations.flatMap((iteration, i) =>
        values[i] === null ? [] : [{ fork, iteration, relative: values[i]! / level }],
      );
    });
    if (all.length < ENOUGH) return null;
    const fences = tukeyOutliers(all.map((entry) => entry.relative));
    if (!('severe' in fences)) return null;
    const far = fences.severe.map((i) => all[i]!).filter((entry) => Math.abs(entry.relative - 1) > OUTLIER_FLOOR);
    if (far.length === 0) return null;
    far.sort((a, b) => Math.abs(b.relative - 1) - Math.abs(a.relative - 1));
    const where = far
      .slice(0, LOCATED)
      .map(
        ({ fork, iteration, relative }) =>
          `fork ${fork.index + 1} iteration ${iteration.index + 1}: ${signed(relative - 1)}`,
      );
    const tags = [...new Set(far.flatMap((entry) => entry.iteration.tags))].sort();
    const cause = tags.length > 0 ? `tagged ${tags.join(', ')}` : 'without a recorded cause';
    const without = meanWithout(all, far);
    return {
      id: this.id,
      severity: this.severity,
      message: `${share(far.length, all.length, 'iteration')} lie far from the median of their fork (${where.join('; ')}), ${cause}; they stay in the score, whose mean would be ${percent(Math.abs(without))} ${without < 0 ? 'lower' : 'higher'} without them: look at those iterations before trusting a small difference.`,
      data: { iterations: far.length, of: all.length, meanWithout: without },
      forks: [...new Set(far.map((entry) => entry.fork.index))].sort((a, b) => a - b),
    };
  },
};

const signed = (x: number): string => `${x < 0 ? '-' : '+'}${percent(Math.abs(x))}`;

/** Relative change of the mean time of an op when `far` is left out. */
function meanWithout(all: readonly { relative: number }[], far: readonly { relative: number }[]): number {
  const out = new Set(far);
  const mean = (of: readonly { relative: number }[]) => of.reduce((sum, x) => sum + x.relative, 0) / of.length;
  return mean(all.filter((entry) => !out.has(entry))) / mean(all) - 1;
}
