import { forkNs, goodForks } from '../trial-series.js';
import { share } from '../words.js';
import type { FindingRule } from './rule.js';
import { forksField } from './rule.js';

/** Invocations longer than this, ns, spend their time inside, so the tier of the loop around them does not matter. */
export const TIER_MATTERS_NS = 100_000;

const TOP: ReadonlySet<string> = new Set(['turbofan', 'optimized', 'inlined', 'unknown']);

/** Measured code that was not optimised as far as V8 can. */
export const notTopTier: FindingRule = {
  id: 'not-top-tier',
  severity: 'warning',
  check(trial) {
    if (trial.mode === 'ss') return null;
    const good = goodForks(trial);
    const low = good.filter((fork) => {
      const tier = fork.iterations[fork.iterations.length - 1]?.tier;
      const ns = forkNs(fork);
      if (!tier || ns === null || ns > TIER_MATTERS_NS) return false;
      return !TOP.has(tier.loop) || !TOP.has(tier.body);
    });
    if (low.length === 0) return null;
    const { loop, body } = low[0]!.iterations[low[0]!.iterations.length - 1]!.tier!;
    return {
      id: this.id,
      severity: this.severity,
      message: `In ${share(low.length, good.length, 'fork')} the code was not fully optimised at the end (loop ${loop}, benchmark function ${body}), so the score is of slower code than production runs: warm up longer, or look for node flags that limit the optimiser.`,
      data: { forks: low.length, loop, body },
      ...forksField(
        low.map((fork) => fork.index),
        good.length,
      ),
    };
  },
};
