/** Warm-up, checks and iterations of one benchmark, told as messages. */
import type { ForkPlan } from '../protocol/messages.js';
import type { Finding, Iteration } from '../result/model.js';
import type { ForkContext } from './fork.js';
import { blackholeCost, clockReadNs, orderedFloorNs } from './overhead.js';
import type { IterationRequest, Performer, PerformerPlan } from './performer.js';
import { shortSamples, slowFixtures, tierFinding } from './remarks.js';
import { fixedWarmup, steadyWarmup, type Window, windowMs } from './stages.js';
import { type Checked, UNCHECKED } from './warm-checks.js';

/**
 * Ops in one turn of the mode's loop, with JMH's definitions: avgt and thrpt do not batch, the batch only rescales
 * their ops; in sample and ss the batch is really run and counts as one op.
 */
export function opsPerTurn(plan: Pick<ForkPlan, 'mode' | 'opsPerInvocation' | 'batchSize'>): number {
  const batched = plan.mode === 'avgt' || plan.mode === 'thrpt';
  return batched ? plan.opsPerInvocation / plan.batchSize : plan.opsPerInvocation;
}

/** The parts of a plan that a performer needs. */
export function performerPlan(plan: ForkPlan): PerformerPlan {
  return {
    common: {
      mode: plan.mode,
      unit: plan.unit,
      opsPerTurn: opsPerTurn(plan),
      keepChunks: plan.keepChunks,
      gcBefore: plan.gcBeforeIteration,
    },
    batchSize: plan.batchSize,
    warmupBatchSize: plan.warmupBatchSize,
    linearityCheck: plan.linearityCheck,
    timeoutMs: plan.timeoutMs,
    canaries: plan.canaries,
  };
}

/** `between`: done when the warm-up is over, before the first measured iteration. */
export async function measure(
  context: ForkContext,
  performer: Performer,
  setupMs: number,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const { machine, plan } = context;
  const { emit } = machine;
  const tell = (finding: Finding | null) => finding && emit({ type: 'finding', finding });
  let firstAtMs: number | null = null;
  let ready = false;
  const iterate = async (request: IterationRequest) => {
    const outcome = await performer.iterate(request, () => {
      firstAtMs ??= context.sinceSpawnMs();
    });
    if (!ready) {
      ready = true;
      machine.clock.settle();
      const { resultKind, async, remarks } = performer.learned();
      emit({ type: 'ready', setupMs, spawnToFirstInvocationMs: firstAtMs!, resultKind, async });
      context.onReady();
      for (let i = 0; i < remarks.length; i++) tell(remarks[i]!);
    }
    tell(outcome.finding);
    return outcome;
  };

  const steady = plan.warmupIterations === null && plan.mode !== 'ss';
  const stage = steady ? steadyWarmup(plan.warmupMinMs, plan.warmupMaxMs) : fixedWarmup(plan.warmupIterations ?? 0);
  const lengthMs = steady ? windowMs(plan.warmupMinMs) : plan.warmupTimeMs;
  const windows: Window[] = [];
  let answer = stage.next(windows);
  while (answer === 'again') {
    const begin = machine.wallMs();
    const outcome = await iterate({ index: windows.length, limitMs: lengthMs, warmup: true });
    emit({ type: 'warmup', iteration: outcome.iteration });
    const { tier } = outcome.iteration;
    windows.push({
      nsPerInvocation: outcome.nsPerInvocation,
      wallMs: machine.wallMs() - begin,
      loop: tier?.loop ?? null,
      body: tier?.body ?? null,
      restless: outcome.finding !== null || (tier !== null && (tier.changed || outcome.pending)),
    });
    answer = stage.next(windows);
  }

  const warm = (end: 'steady' | 'fixed' | 'cap', checked: Checked) => {
    emit({
      type: 'warm',
      end,
      linearity: checked.linearity,
      overhead: {
        emptyOpNs: checked.emptyOpNs,
        clockReadNs: clockReadNs(machine.clock),
      },
    });
    tell(checked.finding);
  };
  const cold = windows.length === 0;
  if (!cold) warm(answer, await performer.check());
  await between();

  let last: Iteration | null = null;
  for (let index = 0; index < plan.iterations; index++) {
    const { iteration } = await iterate({ index, limitMs: plan.iterationTimeMs, warmup: false });
    if (cold && index === 0) warm(answer, UNCHECKED);
    emit({ type: 'iteration', iteration });
    last = iteration;
  }
  // Cold iterations must not be warmed by the check, so it comes after them.
  if (cold && plan.linearityCheck) tell((await performer.check()).finding);
  const { invocationFixtures } = performer.learned();
  tell(tierFinding(machine.tiers));
  if (plan.mode === 'sample') tell(shortSamples(machine.clock.info, orderedFloorNs(machine.clock), last));
  if (invocationFixtures && plan.mode !== 'sample') tell(slowFixtures(orderedFloorNs(machine.clock), last));
  // Last, on the thread, CPU and Node that measured: before, its loops would warm the caches and heat the core of an iteration.
  if (plan.blackholeCost) emit({ type: 'blackhole', cost: blackholeCost(machine) });
}
