/** The pairs of arms inside one run: against the baseline of each suite, and the winner against the runner-up. */
import { mean } from '../../stats/moments.js';
import type { PairOfArms } from './choose.js';
import type { Arm, ScoreKind } from './types.js';

/** Arms of one suite with the same params in the same mode: what can stand in for each other. */
function groups(arms: readonly Arm[]): Arm[][] {
  const found = new Map<string, Arm[]>();
  for (const arm of arms) {
    const key = JSON.stringify([arm.file, arm.suite, arm.mode, arm.params]);
    const group = found.get(key);
    if (group) group.push(arm);
    else found.set(key, [arm]);
  }
  return [...found.values()];
}

/** Cost of an arm, for ranking: lower is better in every mode. Null without the score that is judged, or with failed forks. */
function cost(arm: Arm, score: ScoreKind): number | null {
  const values = arm.forks.map((fork) => (score === 'plain' ? fork.value : fork.aware));
  if (arm.failed > 0 || values.length === 0 || values.some((value) => value === null)) return null;
  const value = mean(values as number[]);
  return arm.better === 'lower' ? value : -value;
}

/**
 * Pairs of a run: every benchmark against the baseline of its suite (same params, same mode), then, where three or more compete, the best
 * against the second best. The best of many looks better than it is; against the runner-up it has to show it.
 */
export function pairsWithin(arms: readonly Arm[], score: ScoreKind = 'plain'): PairOfArms[] {
  return groups(arms).flatMap((group) => {
    const baseline = group.find((arm) => arm.baseline);
    if (baseline === undefined || group.length < 2) return [];
    const pairs: PairOfArms[] = group
      .filter((arm) => arm !== baseline)
      .map((candidate) => ({ kind: 'baseline', baseline, candidate }));
    const ranked = group
      .flatMap((arm) => {
        const value = cost(arm, score);
        return value === null ? [] : [{ arm, value }];
      })
      .sort((a, b) => a.value - b.value);
    if (ranked.length > 2) pairs.push({ kind: 'winner', baseline: ranked[1]!.arm, candidate: ranked[0]!.arm });
    return pairs;
  });
}
