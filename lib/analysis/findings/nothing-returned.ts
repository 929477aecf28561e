import type { Fork, Trial } from '../../result/model.js';
import { forkNs, goodForks } from '../trial-series.js';
import { duration } from '../words.js';
import type { FindingRule } from './rule.js';

/** Below this cost per invocation, ns, a body without a result is suspicious: pure work of this size is what V8 deletes when nobody uses it. */
export const UNUSED_BELOW_NS = 20;

/** Mean time of an invocation, ns; the batch of avgt and thrpt only rescales their ops. */
function invocationNs(fork: Fork, { options }: Trial): number | null {
  const ns = forkNs(fork);
  const number = (name: string) => Number(options[name]?.value ?? 1);
  return ns === null ? null : (ns * number('opsPerInvocation')) / number('batchSize');
}

/**
 * The body returns nothing and is so short that its pure work may be gone while reads of the state remain, which the linearity check cannot
 * tell from work (four copies of the reads take four times as long).
 */
export const nothingReturned: FindingRule = {
  id: 'nothing-returned',
  severity: 'warning',
  check(trial) {
    if (trial.mode !== 'avgt' && trial.mode !== 'thrpt') return null;
    const good = goodForks(trial);
    if (good.length === 0 || good.some(({ resultKind, async }) => resultKind !== 'undefined' || async === true))
      return null;
    // `eliminated` says it already, and more.
    if (good.some(({ linearity }) => linearity?.eliminated === true)) return null;
    const times = good.map((fork) => invocationNs(fork, trial)).filter((ns) => ns !== null);
    const least = Math.min(...times);
    if (times.length === 0 || least >= UNUSED_BELOW_NS) return null;
    return {
      id: this.id,
      severity: this.severity,
      message: `The benchmark returns nothing and takes ${duration(least)} per invocation, which is where the optimiser deletes work whose result nobody uses: return what it computes, or hand it to blackhole.consume; if it is only there for its effect on the state, silence this.`,
      data: { nsPerInvocation: least },
    };
  },
};
