import { isTop, LONG_INVOCATION_NS } from '../../engine/stages.js';
import type { Fork, Tier, Trial } from '../../result/model.js';
import { forkNs, goodForks } from '../trial-series.js';
import { share } from '../words.js';
import { type FindingRule, forksField, longerWarmup } from './rule.js';

/** At the top, or nothing against it: an inlined body runs in the tier of its loop, and what cannot be seen is not told as low. */
const high = (tier: Tier): boolean => isTop(tier) || tier === 'inlined' || tier === 'unknown';

const positive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 1);

/** Time of an invocation, ns: an op is what opsPerInvocation and batchSize make of it, in every mode. */
function invocationNs(fork: Fork, { options }: Trial): number | null {
  const ns = forkNs(fork);
  return ns === null ? null : (ns * positive(options.opsPerInvocation?.value)) / positive(options.batchSize?.value);
}

/** Measured code that was not optimised as far as V8 can. Threshold: LONG_INVOCATION_NS, as in warm-up. */
export const notTopTier: FindingRule = {
  id: 'not-top-tier',
  severity: 'warning',
  check(trial, { flags }) {
    if (trial.mode === 'ss') return null;
    const good = goodForks(trial);
    const low = good.filter((fork) => {
      const tier = fork.iterations[fork.iterations.length - 1]?.tier;
      const ns = invocationNs(fork, trial);
      if (!tier || ns === null || ns >= LONG_INVOCATION_NS) return false;
      return !high(tier.loop) || !high(tier.body);
    });
    if (low.length === 0) return null;
    const { loop, body } = low[0]!.iterations[low[0]!.iterations.length - 1]!.tier!;
    return {
      id: this.id,
      severity: this.severity,
      message: `In ${share(low.length, good.length, 'fork')} the code was not fully optimised at the end (loop ${loop}, benchmark function ${body}), so the score is of slower code than production runs: ${longerWarmup(trial, flags)}, or look for node flags that limit the optimiser.`,
      data: { forks: low.length, loop, body },
      ...forksField(
        low.map((fork) => fork.index),
        good.length,
      ),
    };
  },
};
