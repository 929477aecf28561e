/** The life of a fork: load, set up, warm up, check, measure, tear down. */
import { performance } from 'node:perf_hooks';
import type { ForkPlan } from '../protocol/messages.js';
import type { Iteration } from '../result/model.js';
import { ChunkRecorder } from './chunks.js';
import { PhaseError } from './failure.js';
import { Fixtures } from './fixtures.js';
import { makeHarness } from './harness.js';
import { type IterationPlan, runIteration } from './iteration.js';
import { checkLinearity, LINEARITY_MAX_NS, LinearityCheck, takesNothing } from './linearity.js';
import type { LoadedSuite } from './load.js';
import { clockReadNs, emptyOpNs } from './overhead.js';
import { Session } from './session.js';
import { ChunkSizer } from './sizing.js';
import { fixedWarmup, isTop, steadyWarmup, type Window, windowMs } from './stages.js';
import type { Machine } from './types.js';

/** What a fork is told from outside beside its plan. */
export interface ForkContext {
  readonly machine: Machine;
  readonly plan: ForkPlan;
  /** Loads the user's file. */
  readonly load: () => Promise<LoadedSuite>;
  /** ms since the host's spawn. */
  readonly sinceSpawnMs: () => number;
  /** Told after pinning, for the runtime message. */
  readonly onPinned: (cpu: number | null) => void;
}

/** Runs the plan to its end. Failures of user code are thrown as PhaseError after the open fixtures were torn down. */
export async function runFork(context: ForkContext): Promise<void> {
  const { machine, plan } = context;
  const { emit } = machine;
  const loadStart = performance.now();
  const suite = await context.load();
  const { fn } = suite.benchmark(plan.benchmark);
  emit({ type: 'loaded', loadMs: performance.now() - loadStart });

  const fixtures = new Fixtures(suite.definition, plan, machine.deadline);
  const setupStart = performance.now();
  try {
    await fixtures.open(await fixtures.shared());
    const setupMs = performance.now() - setupStart;
    const pinned = await machine.pin(plan.pinCpus, plan.helperCpus);
    context.onPinned(pinned.cpu);
    if (pinned.refused !== null) {
      emit({ type: 'finding', finding: { id: 'not-pinned', severity: 'info', message: `Refused: ${pinned.refused}` } });
    }
    const counters = Object.keys(suite.definition.counters ?? {});
    const harness = makeHarness(counters);
    const session = new Session(machine, plan, fn, fixtures.state, fixtures.inputs, harness);
    await measure(context, session, fixtures, counters, setupMs);
  } catch (error) {
    // What is open is closed all the same; the first failure is the one that is told.
    await fixtures.close().catch(() => {});
    throw error;
  }
  await fixtures.close();
}

async function measure(
  context: ForkContext,
  session: Session,
  fixtures: Fixtures,
  counters: readonly string[],
  setupMs: number,
): Promise<void> {
  const { machine, plan } = context;
  const { emit } = machine;
  if (plan.mode !== 'avgt' && plan.mode !== 'thrpt') throw new PhaseError('plan', `mode ${plan.mode} is unknown`);
  const recorder = new ChunkRecorder();
  const sizer = new ChunkSizer();
  const onFirst = () =>
    emit({
      type: 'ready',
      setupMs,
      spawnToFirstInvocationMs: context.sinceSpawnMs(),
      resultKind: session.resultKind!,
      async: session.async,
    });
  const common: Omit<IterationPlan, 'index' | 'limitMs' | 'size' | 'usualNs'> = {
    mode: plan.mode,
    unit: plan.unit,
    opsPerInvocation: plan.opsPerInvocation / plan.batchSize,
    keepChunks: plan.keepChunks,
    gcBefore: plan.gcBeforeIteration,
    counters,
  };
  let usualNs: number | null = null;
  const iterate = async (index: number, limitMs: number, size: number | ChunkSizer) => {
    const outcome = await runIteration(
      machine,
      session,
      fixtures,
      recorder,
      { ...common, index, limitMs, size, usualNs },
      onFirst,
    );
    if (outcome.finding) emit({ type: 'finding', finding: outcome.finding });
    if (outcome.nsPerInvocation !== null) {
      usualNs = outcome.nsPerInvocation;
      if (typeof size !== 'number') sizer.settle(usualNs);
    }
    return outcome;
  };

  const stage =
    plan.warmupIterations === null
      ? steadyWarmup(plan.warmupMinMs, plan.warmupMaxMs)
      : fixedWarmup(plan.warmupIterations);
  const lengthMs = plan.warmupIterations === null ? windowMs(plan.warmupMinMs) : plan.warmupTimeMs;
  const windows: Window[] = [];
  let answer = stage.next(windows);
  while (answer === 'again') {
    const begin = machine.wallMs();
    const { iteration, nsPerInvocation, pending, finding } = await iterate(windows.length, lengthMs, sizer);
    emit({ type: 'warmup', iteration });
    const tier = session.async ? null : iteration.tier;
    windows.push({
      nsPerInvocation,
      wallMs: machine.wallMs() - begin,
      loop: tier?.loop ?? null,
      body: tier?.body ?? null,
      restless: finding !== null || (tier !== null && (tier.changed || pending)),
    });
    answer = stage.next(windows);
  }

  const checked = warmChecks(machine, plan, session, usualNs);
  emit({
    type: 'warm',
    end: answer,
    linearity: checked.linearity,
    overhead: { emptyOpNs: checked.emptyOpNs, clockReadNs: clockReadNs(machine.clock) },
  });
  if (checked.finding) emit({ type: 'finding', finding: checked.finding });

  // Without warm-up the first iteration is the one that finds the size.
  let size: number | ChunkSizer = windows.length > 0 ? sizer.size : sizer;
  let last: Iteration | null = null;
  for (let index = 0; index < plan.iterations; index++) {
    const { iteration } = await iterate(index, plan.iterationTimeMs, size);
    emit({ type: 'iteration', iteration });
    size = sizer.size;
    last = iteration;
  }
  tellTier(machine, session, last, usualNs);
}

/** The linearity check and the cost of an empty op, where they apply. */
function warmChecks(machine: Machine, plan: ForkPlan, session: Session, usualNs: number | null) {
  const { sync } = session;
  if (!sync || usualNs === null) return { linearity: null, finding: null, emptyOpNs: null };
  if (!plan.linearityCheck || usualNs > LINEARITY_MAX_NS) {
    return { linearity: null, finding: null, emptyOpNs: emptyOpNs(machine, session) };
  }
  const check = new LinearityCheck(sync, session.target, session.kind, session.cells, machine);
  const independent = session.resultKind === 'undefined' || takesNothing(session.target.fn);
  try {
    return machine.deadline(plan.timeoutMs, () => checkLinearity(() => check.measure(), independent));
  } catch (error) {
    throw session.failed(error);
  }
}

/** Says so when what was measured did not run at the top. Long invocations spend their time elsewhere. */
function tellTier(machine: Machine, session: Session, last: Iteration | null, usualNs: number | null): void {
  const { emit, tiers } = machine;
  if (tiers.of === null) {
    const message = `The optimisation tier could not be seen (${tiers.why}); warm-up went by equal speed alone.`;
    emit({ type: 'finding', finding: { id: 'tier-unknown', severity: 'info', message } });
    return;
  }
  if (!last?.tier || session.async || usualNs === null || usualNs > 100_000) return;
  const { loop, body } = last.tier;
  if (isTop(loop) && (isTop(body) || body === 'inlined')) return;
  const what = isTop(loop)
    ? `the benchmark function was ${body}`
    : `the loop was ${loop} and the benchmark function ${body}`;
  const message =
    `Not top-tier code: ${what} at the end of the last iteration. ` +
    'Warm up longer (more or longer warm-up iterations), or check node options that limit the optimiser.';
  emit({ type: 'finding', finding: { id: 'not-top-tier', severity: 'warning', message, data: { loop, body } } });
}
