/** One iteration: fixtures, measurement, and everything that is recorded beside the score. */
import type { Aware, Finding, Iteration, Mode, TimeUnit } from '../result/model.js';
import { type ChunkRecorder, chunkStats } from './chunks.js';
import type { Fixtures } from './fixtures.js';
import { findGaps, type Gaps } from './gaps.js';
import { readCounters, zeroCounters } from './harness.js';
import type { InterferenceWatch } from './interference.js';
import type { Rendezvous } from './rendezvous.js';
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
  /** ss: invocations in the shot. */
  readonly shots: number;
  /** Ops in one turn: one invocation (avgt, thrpt), one sample (sample), one batch (ss). */
  readonly opsPerTurn: number;
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

/** What was measured, before it is a score. */
interface Measured {
  readonly startNs: number;
  readonly wallNs: number;
  readonly betweenNs: number;
  readonly elapsedNs: number;
  readonly ops: number;
}

const NO_GAPS: Gaps = { count: 0, lostNs: 0, worstNs: 0 };

/** The score without the time that was taken; null where nothing can be told. */
function awareOf(watch: InterferenceWatch | null, plan: IterationPlan, ops: number, elapsedNs: number): Aware | null {
  if (watch === null) return null;
  const { excludedNs, excludedChunks, log } = watch.result();
  const score = scoreOf(plan.mode, plan.unit, ops, elapsedNs - excludedNs);
  return { score, excludedNs, excludedChunks, ...(log.length > 0 ? { log } : {}) };
}

/** Only plain loops of avgt and thrpt: elsewhere a chunk holds more than what the score counts. */
function watchFor(session: Session, plan: IterationPlan, watch: InterferenceWatch | null): InterferenceWatch | null {
  if (watch === null || !watch.visible || session.shape !== 'plain' || plan.mode === 'ss') return null;
  watch.expect(plan.usualNs);
  return watch;
}

async function measureOnce(
  session: Session,
  recorder: ChunkRecorder,
  plan: IterationPlan,
  meet: Rendezvous | null,
  watch: InterferenceWatch | null,
): Promise<Measured> {
  if (plan.mode === 'ss') {
    const { startNs, tookNs } = await session.shoot(plan.shots);
    return { startNs, wallNs: tookNs, betweenNs: 0, elapsedNs: tookNs, ops: plan.opsPerTurn };
  }
  const { samples, tiers } = session;
  samples?.reset();
  const span = await session.run({
    recorder,
    size: plan.size,
    limitNs: plan.limitMs * 1e6,
    look: () => tiers.look(),
    meet,
    watch,
  });
  return samples
    ? { ...span, elapsedNs: samples.elapsedNs, ops: samples.count * plan.opsPerTurn }
    : { ...span, elapsedNs: recorder.elapsedNs, ops: recorder.invocations * plan.opsPerTurn };
}

/** Runs one iteration. `onFirst` is called right before the very first invocation of the fork. */
export async function runIteration(
  machine: Machine,
  session: Session,
  fixtures: Fixtures,
  recorder: ChunkRecorder,
  plan: IterationPlan,
  onFirst: () => void,
  meet: Rendezvous | null = null,
  watching: InterferenceWatch | null = null,
): Promise<IterationOutcome> {
  const { clock, gc, usage } = machine;
  await fixtures.beginIteration();
  if (!session.learned) {
    // A single shot is the first invocation itself, and nothing may be read from a counter that is not yet judged.
    if (plan.mode === 'ss') {
      clock.settle();
      await session.prepareShot();
    }
    onFirst();
    if (plan.mode !== 'ss') await session.learn();
  }
  zeroCounters(session.harness, plan.counters);
  if (plan.gcBefore) gc.collect();
  recorder.reset();
  const used = new Float64Array(8);
  const usedAfter = new Float64Array(8);
  session.tiers.begin();
  usage?.(used);
  const gcFrom = gc.now();
  const anchor = clock.anchor();
  let counted: Record<string, number> | null = null;
  if (meet) {
    meet.onStart = () => zeroCounters(session.harness, plan.counters);
    meet.onStop = () => {
      counted = { ...session.harness.counters };
    };
  }
  const watch = watchFor(session, plan, watching);
  const measured = await measureOnce(session, recorder, plan, meet, watch);
  const check = clock.check(anchor);
  const gcTo = gc.now();
  usage?.(usedAfter);
  const { tiers } = session;
  tiers.look();
  const tier = tiers.info();
  const { pending } = tiers;
  const counters = readCounters(counted ?? session.harness.counters, plan.counters, session.where);
  await fixtures.endIteration();
  const finding = session.settle();
  const pauses = await gc.between(gcFrom, gcTo);

  const { elapsedNs, ops } = measured;
  const opsPerInvocation = recorder.invocations > 0 && plan.mode !== 'sample' ? plan.opsPerTurn : 1;
  const perInvocation = chunkStats(recorder, opsPerInvocation, plan.keepChunks);
  const gaps = plan.mode === 'ss' ? NO_GAPS : findGaps(recorder, plan.usualNs, measured.betweenNs);
  const tags: string[] = [];
  if (pauses.count > 0) tags.push('gc');
  if (tiers.rises > 0) tags.push('compiled');
  if (tiers.falls > 0) tags.push('deopt');
  if (gaps.count > 0) tags.push('gap');
  if (check.discontinuity) tags.push('clock-jump');
  if (finding) tags.push('sink-changed');
  return {
    finding,
    nsPerInvocation: perInvocation ? perInvocation.medianNs * opsPerInvocation : null,
    pending,
    iteration: {
      index: plan.index,
      startNs: measured.startNs,
      ops,
      elapsedNs,
      wallNs: measured.wallNs,
      score: scoreOf(plan.mode, plan.unit, ops, elapsedNs),
      // In sample mode chunks hold invocations that are not sampled: their times are for gaps, not for scores.
      chunks: plan.mode === 'sample' ? null : perInvocation,
      histogram: session.samples?.data(plan.opsPerTurn) ?? null,
      gc: pauses,
      involuntarySwitches: usage ? usedAfter[0]! - used[0]! : null,
      gaps,
      clock: check,
      tier,
      tags,
      threads: null,
      counters,
      canary: null,
      aware: awareOf(watch, plan, ops, elapsedNs),
    },
  };
}
