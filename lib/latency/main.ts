/** Entry of a latency fork: a plan as the first line of stdin, messages on stdout. The end of stdin ends the run. */
import { hotClock } from '../clock/index.js';
import { endWithParent } from '../cpu/end-with-parent.js';
import { allowedCpus } from '../cpu/index.js';
import { emitter } from '../engine/emit.js';
import { describeThrown, stackOf } from '../engine/failure.js';
import { pin } from '../engine/machine.js';
import { loadedHow } from '../loader/loaded.js';
import { PROTOCOL_VERSION } from '../protocol/messages.js';
import type { ForkRuntime } from '../result/model.js';
import { driverClock } from './fork/clock.js';
import { collector } from './fork/collect.js';
import { readLine, watchStop } from './fork/control.js';
import { jitterFloor } from './fork/jitter.js';
import { loadLatencies } from './fork/load.js';
import { runObserver } from './fork/observer.js';
import { pacerRefusal, pacerSource } from './fork/pacer-source.js';
import type { LatencyMessage, LatencyPlan } from './messages.js';
import { runSession, type SessionDeps } from './session.js';

function readPlan(): LatencyPlan {
  try {
    return JSON.parse(readLine()) as LatencyPlan;
  } catch {
    process.stderr.write('tscope: this program is started by `tscope latency`; it expects a plan as JSON on stdin\n');
    process.exit(2);
  }
}

const plan = readPlan();
const emit = emitter(plan.token) as unknown as (message: LatencyMessage) => void;
endWithParent();
emit({ type: 'hello', protocol: PROTOCOL_VERSION, pid: process.pid });

function fail(phase: string, error: unknown): never {
  emit({ type: 'failed', failure: { phase, message: describeThrown(error), stack: stackOf(error) } });
  process.exit(1);
}

if (plan.protocol !== PROTOCOL_VERSION || plan.kind !== 'latency') {
  fail(
    'protocol',
    new Error(`expected a latency plan of protocol ${PROTOCOL_VERSION}, got ${plan.kind} of ${plan.protocol}`),
  );
}

const { config } = plan;
const stop = await watchStop();
const clock = driverClock();
/** Thrown outside of any call of ours: from a timer, or a rejection that nobody handled. */
let crash: { phase: string; error: unknown } | null = null;
process.on('uncaughtException', (error, origin) => {
  crash ??= { phase: origin, error };
  stop.request();
});

const sleeper = new Int32Array(new SharedArrayBuffer(4));
let pinned: Awaited<ReturnType<typeof pin>> = { cpu: null, refused: null };
const driverCpu = plan.helperCpus?.[0] ?? null;

const deps: SessionDeps = {
  clock,
  emit,
  stopped: stop.stopped,
  sleep: (ns) => void Atomics.wait(sleeper, 0, 0, ns / 1e6),
  every(ms, callback) {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  pacer(input) {
    if (clock.info.backend !== 'addon') return { reason: clock.info.reason ?? 'there is no addon' };
    const refusal = input.events === 1 ? pacerRefusal(driverCpu) : null;
    return refusal === null ? pacerSource(input, driverCpu) : { reason: refusal };
  },
  observer: (kind) =>
    runObserver(clock, kind, { cpu: pinned.cpu, driverCpu, readNs: clock.info.readNs, jitter: config.jitter }),
  async floor() {
    const sampled = await jitterFloor(pinned.cpu);
    if ('floor' in sampled) return sampled.floor;
    emit({ type: 'finding', finding: sampled.finding });
    return null;
  },
  collect: collector(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  wall: () => new Date().toISOString(),
};

try {
  const found = (await loadLatencies(plan.file)).find(({ name }) => name === plan.name);
  if (!found) fail('load', new Error(`${plan.file} has no measurement "${plan.name}" (any more)`));
  pinned = await pin(plan.pinCpu === null ? null : [plan.pinCpu], plan.helperCpus);
  if (pinned.refused !== null) {
    emit({
      type: 'finding',
      finding: { id: 'not-pinned', severity: 'warning', message: `Not pinned as planned: ${pinned.refused}` },
    });
  }
  const runtime: ForkRuntime = {
    pid: process.pid,
    node: process.version,
    v8: process.versions.v8,
    execArgv: process.execArgv,
    loader: loadedHow(plan.file),
    clock: clock.info,
    pinnedCpu: pinned.cpu,
    allowedCpus: allowedCpus(),
  };
  emit({ type: 'runtime', runtime });
  const end = await runSession(found.definition, config, plan.params, deps);
  const failure = (crash as { phase: string; error: unknown } | null) ?? end.failure;
  if (failure) fail(failure.phase, failure.error);
  emit({ type: 'done', clock: hotClock().info, stopped: end.stopped });
  process.exit(0);
} catch (error) {
  fail('load', error);
}
