/** The life of a fork: load, set up, warm up, check, measure, tear down. */
import type { ForkPlan } from '../protocol/messages.js';
import type { ThreadInfo } from '../suite/types.js';
import { builtinsFinding } from './builtins.js';
import { Fixtures } from './fixtures.js';
import { makeHarness, type SharedControl } from './harness.js';
import type { LoadedFunction, LoadedSuite } from './load.js';
import { measure, performerPlan } from './measure.js';
import { nowMs } from './own-time.js';
import { LocalPerformer } from './performer.js';
import { pollute } from './pollute.js';
import { Session } from './session.js';
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
  /** Told after the first iteration: the clock is settled now. */
  readonly onReady: () => void;
}

/** Runs the plan to its end. Failures of user code are thrown as PhaseError after the open fixtures were torn down. */
export async function runFork(context: ForkContext): Promise<void> {
  const { machine, plan } = context;
  const { emit } = machine;
  const loadStart = nowMs();
  const suite = await context.load();
  const threaded = plan.threads > 1 || plan.group !== null;
  const fn = threaded ? null : suite.benchmark(plan.benchmark).fn;
  emit({ type: 'loaded', loadMs: nowMs() - loadStart });

  if (fn === null) {
    const { runThreads } = await import('./threads.js');
    return runThreads(context, suite);
  }
  const fixtures = new Fixtures(suite.definition, plan, machine.deadline);
  const setupStart = nowMs();
  try {
    await fixtures.open(await fixtures.shared());
    // At once: what is broken may not live to the end of the first iteration.
    const changed = builtinsFinding();
    if (changed !== null) emit({ type: 'finding', finding: changed });
    const setupMs = nowMs() - setupStart;
    const pinned = await machine.pin(plan.pinCpus, plan.helperCpus);
    context.onPinned(pinned.cpu);
    if (pinned.refused !== null) {
      emit({ type: 'finding', finding: { id: 'not-pinned', severity: 'info', message: `Refused: ${pinned.refused}` } });
    }
    await pollute(context, suite, plan.pollute);
    const session = await openSession(machine, plan, suite, fn, fixtures);
    const performer = new LocalPerformer(machine, session, fixtures, performerPlan(plan));
    await measure(context, performer, setupMs, () => pollute(context, suite, plan.polluteLast));
  } catch (error) {
    // What is open is closed all the same; the first failure is the one that is told.
    await fixtures.close().catch(() => {});
    throw error;
  }
  await fixtures.close();
}

/** Everything needed to measure one function on one state. */
export async function openSession(
  machine: Machine,
  plan: ForkPlan,
  suite: LoadedSuite,
  fn: LoadedFunction,
  fixtures: Fixtures,
  thread?: ThreadInfo,
  control?: SharedControl,
): Promise<Session> {
  // Loaded on demand: no other mode records samples.
  const histogram =
    plan.mode === 'sample' ? new (await import('../histogram/histogram.js')).Histogram({ highest: 2 ** 36 }) : null;
  const harness = makeHarness(Object.keys(suite.definition.counters ?? {}), thread, control);
  return new Session(machine, plan, fn, suite.definition, fixtures.state, fixtures.inputs, harness, histogram);
}
