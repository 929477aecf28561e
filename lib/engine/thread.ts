/**
 * Entry of a measuring thread: setup, iterations on command, teardown, all on this one thread. Main tells it what to do;
 * during an iteration the threads find each other through shared memory.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toFailure } from './failure.js';
import { Fixtures } from './fixtures.js';
import { openSession } from './fork.js';
import { SharedControl } from './harness.js';
import { loadSuite } from './load.js';
import { realMachine } from './machine.js';
import { performerPlan } from './measure.js';
import { nowMs } from './own-time.js';
import { LocalPerformer } from './performer.js';
import { Rendezvous } from './rendezvous.js';
import type { ThreadCommand, ThreadData, ThreadMessage } from './thread-messages.js';

const data = workerData as ThreadData;
const { plan, index, count, benchmark, group, copy, copies } = data;
const port = parentPort!;
const send = (message: ThreadMessage) => port.postMessage(message);
const meet = new Rendezvous(count, plan.syncIterations, data.rendezvous, index);

let fixtures: Fixtures | undefined;
function failed(error: unknown): void {
  meet.abort();
  // Tell first: the others are being released while this thread tears down.
  send({ type: 'failed', failure: toFailure(error, 'thread') });
}

try {
  const machine = realMachine(() => {});
  const suite = await loadSuite(plan.file, plan.suite);
  const { fn } = suite.benchmark(benchmark);
  // The first thread times the canaries when it is asked to.
  const own = { ...plan, benchmark, canaries: plan.canaries && index === 0 };
  fixtures = new Fixtures(suite.definition, own, machine.deadline);
  const setupStart = nowMs();
  await fixtures.open(data.shared);
  const setupMs = nowMs() - setupStart;
  const pinned = data.cpu === null ? null : await machine.pin([data.cpu], null);
  const session = await openSession(
    machine,
    { ...own, seed: plan.seed + index },
    suite,
    fn,
    fixtures,
    { index, count, group, copy, copies },
    new SharedControl(meet.controlFlags),
  );
  const performer = new LocalPerformer(
    machine,
    session,
    fixtures,
    performerPlan(own),
    plan.mode === 'ss' ? null : meet,
  );
  send({ type: 'ready', setupMs, pinRefused: pinned?.refused ?? null });

  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const perform = async (command: ThreadCommand) => {
    if (command.type === 'iterate') {
      const outcome = await performer.iterate(command.request, () => {});
      send({ type: 'outcome', outcome, learned: performer.learned() });
    } else if (command.type === 'check') {
      send({ type: 'checked', checked: await performer.check() });
    } else if (command.type === 'canary') {
      send({ type: 'canary', canary: performer.canary() });
    } else {
      await fixtures!.close();
      send({ type: 'closed' });
      end();
    }
  };
  let closing = false;
  port.on('message', (command: ThreadCommand) => {
    if (command.type === 'close') closing = true;
    perform(command).catch((error) => {
      failed(error);
      if (closing) end();
    });
  });
  await over;
} catch (error) {
  await fixtures?.close().catch(() => {});
  failed(error);
}
port.close();
