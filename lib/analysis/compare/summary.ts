import { geometricMeanRatio } from '../../stats/ratio/summary.js';
import type { Draft } from './draft.js';
import type { SuiteSummary } from './types.js';

/** The rows that one summary is over: a suite in two runs; one candidate of a suite against its baseline in one run. */
const groupKey = ({ kind, candidate, baseline }: Draft): string =>
  JSON.stringify([baseline.file, baseline.suite, kind === 'baseline' ? candidate.name : null]);

/**
 * Geometric means over the headline rows of each suite, where there are two or more. The rows must be independent: in two runs each has its own
 * forks; in one run the candidates share the forks of the baseline, so each candidate gets a mean of its own, over params and modes.
 */
export function summariesOf(drafts: readonly Draft[], confidence: number): SuiteSummary[] {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    if (draft.standing !== 'headline' || draft.kind === 'winner') continue;
    const key = groupKey(draft);
    const group = groups.get(key);
    if (group) group.push(draft);
    else groups.set(key, [draft]);
  }
  return [...groups.values()].flatMap((group) => {
    const evidence = group.map((draft) => draft.estimate?.evidence ?? null).filter((row) => row !== null);
    if (evidence.length < 2) return [];
    const mean = geometricMeanRatio(evidence, confidence);
    if (mean.low === null) return [];
    const [{ kind, baseline, candidate }] = group as [Draft];
    return [
      {
        file: baseline.file,
        suite: baseline.suite,
        candidate: kind === 'baseline' ? candidate.name : null,
        ratio: mean.ratio,
        interval: [mean.low, mean.high] as const,
        confidence,
        rows: evidence.length,
        left: group.length - evidence.length,
      },
    ];
  });
}
