/** Warm-up, checks and iterations of one benchmark, told as messages. */
import type { ForkPlan } from '../protocol/messages.js';
import type { Finding, Iteration, Linearity } from '../result/model.js';
import { ChunkRecorder } from './chunks.js';
import type { Fixtures } from './fixtures.js';
import type { ForkContext } from './fork.js';
import { type IterationPlan, runIteration } from './iteration.js';
import { checkLinearity, factsOf, LINEARITY_MAX_NS, LinearityCheck, noInput } from './linearity.js';
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

  const warm = (end: 'steady' | 'fixed' | 'cap', checked: Checked) => {
    emit({
      type: 'warm',
      end,
      linearity: checked.linearity,
      overhead: {
        emptyOpNs: checked.emptyOpNs,
        clockReadNs: clockReadNs(machine.clock),
        ...(mentionsBlackhole(session) ? { blackhole: blackholeCost(machine) } : {}),
      },
    });
    tell(checked.finding);
  };
  const cold = windows.length === 0;
  if (!cold) warm(answer, warmChecks(machine, plan, session, usualNs));

  // Without warm-up the first iteration is the one that finds the size.
  let size: number | ChunkSizer = fixedSize && !cold ? sizer.size : sizer;
  let last: Iteration | null = null;
  for (let index = 0; index < plan.iterations; index++) {
    const { iteration } = await iterate(index, plan.iterationTimeMs, size, plan.batchSize);
    if (cold && index === 0) warm(answer, UNCHECKED);
    emit({ type: 'iteration', iteration });
    if (fixedSize) size = sizer.size;
    last = iteration;
  }
  // Cold iterations must not be warmed by the check, so it comes after them.
  if (cold && plan.linearityCheck) tell(warmChecks(machine, plan, session, usualNs).finding);
  tell(tierFinding(machine.tiers, session, last, usualNs));
  tell(shortSamples(machine.clock.info, last));
  tell(slowFixtures(machine.clock.info, session, plan, last));
}

type Checked = Omit<ReturnType<typeof checkLinearity>, 'linearity' | 'emptyOpNs'> & {
  readonly linearity: Linearity | null;
  readonly emptyOpNs: number | null;
};
const UNCHECKED: Checked = { linearity: null, finding: null, emptyOpNs: null };

const mentionsBlackhole = (session: Session): boolean => /\bblackhole\b/.test(String(session.target.fn));

/** The linearity check and the cost of an empty op, where they apply. */
function warmChecks(machine: Machine, plan: ForkPlan, session: Session, usualNs: number | null): Checked {
  const { sync } = session;
  if (!sync || usualNs === null) return UNCHECKED;
  if (!plan.linearityCheck || usualNs > LINEARITY_MAX_NS || session.target.before || session.target.after) {
    return { linearity: null, finding: null, emptyOpNs: emptyOpNs(machine, session) };
  }
  const check = new LinearityCheck(session, machine);
  const facts = factsOf(session.target.fn, session.resultKind === 'undefined');
  try {
    const checked = machine.deadline(plan.timeoutMs, () => checkLinearity(() => check.measure(), facts));
    return { ...checked, finding: checked.finding ?? noInput(session.target.fn, usualNs) };
  } catch (error) {
    throw session.failed(error);
  }
}
