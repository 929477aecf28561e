import type { Trial } from '../../result/model.js';
import { chose, forkNs, goodForks } from '../trial-series.js';
import { duration, percent } from '../words.js';
import { type FindingRule, longerWarmup } from './rule.js';

/** Share of a chunk that one step of the clock may be. */
export const CHUNK_GRANULARITY_SHARE = 0.01;
/** Share of a single op that one step and one read of the clock may be, where ops are timed one by one. */
export const OP_GRANULARITY_SHARE = 0.1;

/** Something was timed that is too short for the clock. */
export const granularity: FindingRule = {
  id: 'granularity',
  severity: 'warning',
  check(trial, { flags }) {
    const single = trial.mode === 'sample' || trial.mode === 'ss';
    const limit = single ? OP_GRANULARITY_SHARE : CHUNK_GRANULARITY_SHARE;
    let worst: {
      readonly share: number;
      readonly ns: number;
      readonly stepNs: number;
      readonly addon: boolean;
    } | null = null;
    for (const fork of goodForks(trial)) {
      const clock = fork.runtime?.clock;
      const ns = single ? forkNs(fork) : chunkNs(fork.iterations);
      if (clock === undefined || ns === null) continue;
      const stepNs = Math.max(clock.granularityNs, single ? clock.readNs : clock.floorNs);
      if (worst === null || stepNs / ns > worst.share) {
        worst = { share: stepNs / ns, ns, stepNs, addon: clock.backend === 'addon' };
      }
    }
    if (worst === null || worst.share <= limit) return null;
    const what = single ? 'An op takes' : 'A chunk takes';
    const advice = single
      ? singleAdvice(trial, flags)
      : worst.addon
        ? // A chunk is meant to take 10 to 100 us: this one got its size while the code was slower.
          `${longerWarmup(trial, flags)}, so that chunks get their size when the code has its final speed`
        : 'use the addon, whose clock is finer, or do more work per invocation';
    return {
      id: this.id,
      severity: this.severity,
      message: `${what} only ${duration(worst.ns)} and the clock resolves ${duration(worst.stepNs)}, ${percent(worst.share)} of it, so single times are rounded beyond use: ${advice}.`,
      data: { timedNs: worst.ns, stepNs: worst.stepNs, share: worst.share },
    };
  },
};

/** Whoever asked for this mode on the command line wants single times. */
function singleAdvice(trial: Trial, flags: ReadonlySet<string>): string {
  const several = chose(trial, flags, 'opsPerInvocation', '--ops-per-invocation')
    ? 'do more ops per invocation and raise opsPerInvocation'
    : 'do several per invocation and set opsPerInvocation';
  return flags.has('--mode') ? several : `measure it with --mode avgt, or ${several}`;
}

function chunkNs(iterations: Trial['forks'][number]['iterations']): number | null {
  let [chunks, ns] = [0, 0];
  for (const iteration of iterations) {
    if (iteration.chunks === null) continue;
    chunks += iteration.chunks.count;
    ns += iteration.elapsedNs;
  }
  return chunks > 0 && ns > 0 ? ns / chunks : null;
}
