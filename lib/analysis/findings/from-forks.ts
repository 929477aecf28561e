import type { Finding, Trial } from '../../result/model.js';
import { goodForks } from '../trial-series.js';
import { share } from '../words.js';

const RANK = { info: 0, warning: 1, error: 2 } as const;

/**
 * What the forks found themselves, once per id for the trial: the severest one's sentence, with how many forks say so when it
 * is not all of them. Sorted by first appearance.
 */
export function findingsOfForks(trial: Trial): Finding[] {
  const good = goodForks(trial);
  const groups = new Map<string, { finding: Finding; forks: number[] }>();
  for (const fork of good) {
    for (const finding of fork.findings) {
      const group = groups.get(finding.id);
      if (group === undefined) {
        groups.set(finding.id, { finding, forks: [fork.index] });
        continue;
      }
      if (group.forks[group.forks.length - 1] !== fork.index) group.forks.push(fork.index);
      if (RANK[finding.severity] > RANK[group.finding.severity]) group.finding = finding;
    }
  }
  return [...groups.values()].map(({ finding, forks }) => {
    const { forks: _, ...rest } = finding;
    if (forks.length === good.length) return rest;
    return { ...rest, message: `In ${share(forks.length, good.length, 'fork')}: ${finding.message}`, forks };
  });
}
