/** Warm-up, checks and iterations of one benchmark, told as messages. */
import type { ForkPlan } from '../protocol/messages.js';
import type { Finding, Iteration } from '../result/model.js';
import { ChunkRecorder } from './chunks.js';
import type { Fixtures } from './fixtures.js';
import type { ForkContext } from './fork.js';
import { type IterationPlan, runIteration } from './iteration.js';
import { checkLinearity, LINEARITY_MAX_NS, LinearityCheck, takesNothing } from './linearity.js';
import { blackholeCost, clockReadNs, emptyOpNs } from './overhead.js';
import { shortSamples, slowFixtures, tierFinding } from './remarks.js';
import type { Session } from './session.js';
import { ChunkSizer } from './sizing.js';
import { fixedWarmup, steadyWarmup, type Window, windowMs } from './stages.js';
import type { Machine } from './types.js';

/**
 * Ops in one turn of the mode's loop, with JMH's definitions: avgt and thrpt do not batch, the batch only rescales
 * their ops; in sample and ss the batch is really run and counts as one op.
 */
export function opsPerTurn(plan: Pick<ForkPlan, 'mode' | 'opsPerInvocation' | 'batchSize'>): number {
  const batched = plan.mode === 'avgt' || plan.mode === 'thrpt';
  return batched ? plan.opsPerInvocation / plan.batchSize : plan.opsPerInvocation;
}

export async function measure(
  context: ForkContext,
  session: Session,
  fixtures: Fixtures,
  setupMs: number,
): Promise<void> {
  const { machine, plan } = context;
  const { emit } = machine;
  const tell = (finding: Finding | null) => finding && emit({ type: 'finding', finding });
  const recorder = new ChunkRecorder();
  const sizer = new ChunkSizer();
  const fixedSize = session.shape === 'plain';
  let firstAtMs: number | null = null;
  let ready = false;
  let usualNs: number | null = null;

  const common: Omit<IterationPlan, 'index' | 'limitMs' | 'size' | 'usualNs' | 'shots'> = {
    mode: plan.mode,
    unit: plan.unit,
    opsPerTurn: opsPerTurn(plan),
    keepChunks: plan.keepChunks,
    gcBefore: plan.gcBeforeIteration,
    counters: Object.keys(session.harness.counters),
  };
  const iterate = async (index: number, limitMs: number, size: number | ChunkSizer, shots: number) => {
    const iteration = { ...common, index, limitMs, size, shots, usualNs };
    const outcome = await runIteration(machine, session, fixtures, recorder, iteration, () => {
      firstAtMs ??= context.sinceSpawnMs();
    });
    if (!ready) {
      ready = true;
      const { resultKind, async } = session;
      emit({ type: 'ready', setupMs, spawnToFirstInvocationMs: firstAtMs!, resultKind: resultKind!, async });
    }
    tell(outcome.finding);
    if (outcome.nsPerInvocation !== null) {
      usualNs = outcome.nsPerInvocation;
      if (fixedSize && typeof size !== 'number') sizer.settle(usualNs);
      session.samples?.aim(usualNs * plan.batchSize);
    }
    return outcome;
  };

  const steady = plan.warmupIterations === null && plan.mode !== 'ss';
  const stage = steady ? steadyWarmup(plan.warmupMinMs, plan.warmupMaxMs) : fixedWarmup(plan.warmupIterations ?? 0);
  const lengthMs = steady ? windowMs(plan.warmupMinMs) : plan.warmupTimeMs;
  const windows: Window[] = [];
  let answer = stage.next(windows);
  while (answer === 'again') {
    const begin = machine.wallMs();
    const outcome = await iterate(windows.length, lengthMs, sizer, plan.warmupBatchSize);
    emit({ type: 'warmup', iteration: outcome.iteration });
    const tier = session.async ? null : outcome.iteration.tier;
    windows.push({
      nsPerInvocation: outcome.nsPerInvocation,
      wallMs: machine.wallMs() - begin,
      loop: tier?.loop ?? null,
      body: tier?.body ?? null,
      restless: outcome.finding !== null || (tier !== null && (tier.changed || outcome.pending)),
    });
    answer = stage.next(windows);
  }

  const checked = warmChecks(machine, plan, session, usualNs);
  emit({
    type: 'warm',
    end: answer,
    linearity: checked.linearity,
    overhead: {
      emptyOpNs: checked.emptyOpNs,
      clockReadNs: clockReadNs(machine.clock),
      ...(mentionsBlackhole(session) ? { blackhole: blackholeCost(machine) } : {}),
    },
  });
  tell(checked.finding);

  // Without warm-up the first iteration is the one that finds the size.
  let size: number | ChunkSizer = fixedSize && windows.length > 0 ? sizer.size : sizer;
  let last: Iteration | null = null;
  for (let index = 0; index < plan.iterations; index++) {
    const { iteration } = await iterate(index, plan.iterationTimeMs, size, plan.batchSize);
    emit({ type: 'iteration', iteration });
    if (fixedSize) size = sizer.size;
    last = iteration;
  }
  tell(tierFinding(machine.tiers, session, last, usualNs));
  tell(shortSamples(machine.clock.info, last));
  tell(slowFixtures(machine.clock.info, session, plan, last));
}

const mentionsBlackhole = (session: Session): boolean => /\bblackhole\b/.test(String(session.target.fn));

/** The linearity check and the cost of an empty op, where they apply. */
function warmChecks(machine: Machine, plan: ForkPlan, session: Session, usualNs: number | null) {
  const { sync } = session;
  if (!sync || usualNs === null) return { linearity: null, finding: null, emptyOpNs: null };
  if (!plan.linearityCheck || usualNs > LINEARITY_MAX_NS || session.target.before || session.target.after) {
    return { linearity: null, finding: null, emptyOpNs: emptyOpNs(machine, session) };
  }
  const check = new LinearityCheck(session, machine);
  const independent = session.resultKind === 'undefined' || takesNothing(session.target.fn);
  try {
    return machine.deadline(plan.timeoutMs, () => checkLinearity(() => check.measure(), independent));
  } catch (error) {
    throw session.failed(error);
  }
}
