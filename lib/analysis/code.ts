/** What the VM told of the code that was measured, and what the harness's black hole cost beside it. */
import type { BlackholeCost, Fork, Tier, Trial } from '../result/model.js';
import { goodForks } from './trial-series.js';

/** Tiers over the forks of a run. Counts are of forks that ended well. */
export interface MeasuredCode {
  readonly forks: number;
  /** By the lowest tier of loop and body at the end of any measured iteration; most forks first. An inlined body is its loop's code. */
  readonly tiers: readonly { readonly tier: Tier; readonly forks: number; readonly trials: readonly Trial[] }[];
  /** The body had no code of its own at the end: the loop contains it. */
  readonly inlined: number;
  /** The VM did not tell. */
  readonly unseen: number;
  /** A tier changed within a measured iteration. */
  readonly changed: number;
}

const LOWEST_FIRST: readonly Tier[] = ['unknown', 'interpreter', 'baseline', 'maglev', 'optimized', 'turbofan'];

/** Lowest tier over the measured iterations; null when any of them was not seen. */
function lowestTier({ iterations }: Fork): Tier | null {
  let lowest = LOWEST_FIRST.length - 1;
  for (const { tier } of iterations) {
    if (tier === null) return null;
    const body = tier.body === 'inlined' ? tier.loop : tier.body;
    lowest = Math.min(lowest, LOWEST_FIRST.indexOf(tier.loop), LOWEST_FIRST.indexOf(body));
  }
  return lowest > 0 && iterations.length > 0 ? LOWEST_FIRST[lowest]! : null;
}

/** Which code the forks of these trials measured. */
export function measuredCode(trials: readonly Trial[]): MeasuredCode {
  const found = new Map<Tier, { forks: number; trials: Set<Trial> }>();
  let [forks, inlined, unseen, changed] = [0, 0, 0, 0];
  for (const trial of trials) {
    for (const fork of goodForks(trial)) {
      forks++;
      const tier = lowestTier(fork);
      if (tier === null) {
        unseen++;
        continue;
      }
      const entry = found.get(tier) ?? { forks: 0, trials: new Set() };
      entry.forks++;
      entry.trials.add(trial);
      found.set(tier, entry);
      if (fork.iterations.at(-1)!.tier!.body === 'inlined') inlined++;
      if (fork.iterations.some((iteration) => iteration.tier!.changed)) changed++;
    }
  }
  const tiers = [...found]
    .map(([tier, entry]) => ({ tier, forks: entry.forks, trials: [...entry.trials] }))
    .sort((a, b) => b.forks - a.forks);
  return { forks, tiers, inlined, unseen, changed };
}

/** Cost of the black hole under one Node. */
export interface MeasuredBlackhole {
  readonly node: string;
  /** Arguments of that Node, as one text; empty = none. */
  readonly args: string;
  readonly cost: BlackholeCost;
}

/** What the black hole cost, once for each Node of the run under which it was timed. */
export function blackholeCosts(trials: readonly Trial[]): MeasuredBlackhole[] {
  const costs = new Map<string, MeasuredBlackhole>();
  for (const { forks, options } of trials) {
    const args = String(options.nodeArgs?.value ?? '');
    for (const { runtime, overhead } of forks) {
      if (!overhead?.blackhole || runtime === null) continue;
      const key = `${runtime.node} ${args}`;
      if (!costs.has(key)) costs.set(key, { node: runtime.node, args, cost: overhead.blackhole });
    }
  }
  return [...costs.values()];
}
