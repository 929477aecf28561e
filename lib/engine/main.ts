/**
 * Entry of a fork: reads a plan from stdin, runs it, writes messages to stdout. Imports neither CLI, validator nor
 * report, so that it loads in milliseconds.
 */
import { endWithParent } from '../cpu/end-with-parent.js';
import { type ForkPlan, PROTOCOL_VERSION } from '../protocol/messages.js';
import { emitter } from './emit.js';
import { describeThrown, PhaseError, toFailure } from './failure.js';
import { runFork } from './fork.js';
import { loadSuite } from './load.js';
import { realMachine } from './machine.js';
import { nowMs } from './own-time.js';
import { forkRuntime } from './runtime.js';

const { readFileSync } = process.getBuiltinModule('node:fs');
// Held here: user code can replace it.
const exit: (code?: number) => never = process.exit.bind(process);

const entryMs = performance.timeOrigin + nowMs();

function readPlan(): ForkPlan {
  const text = readFileSync(0, 'utf8');
  let plan: ForkPlan;
  try {
    plan = JSON.parse(text) as ForkPlan;
  } catch {
    process.stderr.write('tscope: this program is started by `tscope run`; it expects a plan as JSON on stdin\n');
    process.exit(2);
  }
  return plan;
}

const plan = readPlan();
const emit = emitter(plan.token);

let ended = false;
function fail(error: unknown, phase: string): never {
  if (!ended) emit({ type: 'failed', failure: toFailure(error, phase) });
  ended = true;
  exit(1);
}

process.on('uncaughtException', (error, origin) => {
  const what =
    origin === 'unhandledRejection'
      ? 'a promise was rejected and nobody handled it'
      : 'an exception was thrown outside of any call';
  fail(new PhaseError(origin, `In ${plan.suite}.${plan.benchmark}, ${what}: ${describeThrown(error)}`, error), origin);
});

endWithParent();
emit({ type: 'hello', protocol: PROTOCOL_VERSION, pid: process.pid });
if (plan.protocol !== PROTOCOL_VERSION || plan.kind !== 'fork') {
  fail(
    new PhaseError(
      'protocol',
      `expected a fork plan of protocol ${PROTOCOL_VERSION}, got ${plan.kind} of ${plan.protocol}`,
    ),
    'protocol',
  );
}

try {
  const machine = realMachine(emit);
  const spawnToEntryMs = entryMs - plan.spawnedAtMs;
  let pinnedCpu: number | null = null;
  const tell = () => emit({ type: 'runtime', runtime: forkRuntime(machine, plan.file, pinnedCpu), spawnToEntryMs });
  tell();
  await runFork({
    machine,
    plan,
    load: () => loadSuite(plan.file, plan.suite),
    sinceSpawnMs: () => performance.timeOrigin + nowMs() - plan.spawnedAtMs,
    onPinned: (cpu) => {
      pinnedCpu = cpu;
      tell();
    },
    onReady: tell,
  });
  emit({ type: 'done', clock: machine.clock.info });
  ended = true;
  // With the code that user code has set, if any: the host takes it for the failure it was meant to be.
  exit();
} catch (error) {
  fail(error, 'engine');
}
