/** One iteration: fixtures, measurement, and everything that is recorded beside the score. */
import type { Finding, Iteration, Mode, TimeUnit } from '../result/model.js';
import { type ChunkRecorder, chunkStats } from './chunks.js';
import type { Fixtures } from './fixtures.js';
import { findGaps } from './gaps.js';
import { zeroCounters } from './harness.js';
import { scoreOf } from './score.js';
import type { Session } from './session.js';
import type { ChunkSizer } from './sizing.js';
import type { Machine } from './types.js';

export interface IterationPlan {
  readonly index: number;
  readonly mode: Mode;
  readonly unit: TimeUnit;
  readonly limitMs: number;
  readonly size: number | ChunkSizer;
  /** Ops per invocation after batching. */
  readonly opsPerInvocation: number;
  readonly keepChunks: boolean;
  readonly gcBefore: boolean;
  /** ns per invocation of earlier iterations; null = none yet. */
  readonly usualNs: number | null;
  readonly counters: readonly string[];
}

export interface IterationOutcome {
  readonly iteration: Iteration;
  readonly finding: Finding | null;
  /** Median ns per invocation; null without chunks. */
  readonly nsPerInvocation: number | null;
  readonly pending: boolean;
}

/** Runs one iteration. `onFirst` is called after the very first invocation of the fork. */
export async function runIteration(
  machine: Machine,
  session: Session,
  fixtures: Fixtures,
  recorder: ChunkRecorder,
  plan: IterationPlan,
  onFirst: () => void,
): Promise<IterationOutcome> {
  const { clock, gc, usage } = machine;
  await fixtures.beginIteration();
  if (!session.learned) {
    await session.learn();
    onFirst();
  }
  zeroCounters(session.harness, plan.counters);
  if (plan.gcBefore) gc.collect();
  recorder.reset();
  const used = new Float64Array(8);
  const usedAfter = new Float64Array(8);
  const { tiers } = session;
  tiers.begin();
  usage?.(used);
  const gcFrom = gc.now();
  const anchor = clock.anchor();
  const span = await session.run({
    clock,
    recorder,
    size: plan.size,
    limitNs: plan.limitMs * 1e6,
    look: () => tiers.look(),
  });
  const check = clock.check(anchor);
  const gcTo = gc.now();
  usage?.(usedAfter);
  tiers.look();
  const tier = tiers.info();
  const { pending } = tiers;
  const counters = plan.counters.length > 0 ? { ...session.harness.counters } : null;
  await fixtures.endIteration();
  const finding = session.settle();
  const pauses = await gc.between(gcFrom, gcTo);

  const stats = chunkStats(recorder, plan.opsPerInvocation, plan.keepChunks);
  const gaps = findGaps(recorder, plan.usualNs, span.betweenNs);
  const ops = recorder.invocations * plan.opsPerInvocation;
  const score = scoreOf(plan.mode, plan.unit, ops, recorder.elapsedNs);
  const aware = scoreOf(
    plan.mode,
    plan.unit,
    (recorder.invocations - gaps.excludedInvocations) * plan.opsPerInvocation,
    recorder.elapsedNs - gaps.excludedNs,
  );
  const tags: string[] = [];
  if (pauses.count > 0) tags.push('gc');
  if (tiers.rises > 0) tags.push('compiled');
  if (tiers.falls > 0) tags.push('deopt');
  if (gaps.count > 0) tags.push('gap');
  if (check.discontinuity) tags.push('clock-jump');
  if (finding) tags.push('sink-changed');
  return {
    finding,
    nsPerInvocation: stats ? stats.medianNs * plan.opsPerInvocation : null,
    pending,
    iteration: {
      index: plan.index,
      startNs: span.startNs,
      ops,
      elapsedNs: recorder.elapsedNs,
      wallNs: span.wallNs,
      score,
      chunks: stats,
      histogram: null,
      gc: pauses,
      involuntarySwitches: usage ? usedAfter[0]! - used[0]! : null,
      gaps: { count: gaps.count, lostNs: gaps.lostNs, worstNs: gaps.worstNs },
      clock: check,
      tier,
      tags,
      threads: null,
      counters,
      canary: null,
      aware: { score: aware, excludedNs: gaps.excludedNs, excludedChunks: gaps.excludedChunks },
    },
  };
}
