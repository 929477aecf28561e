/** Runs one fork: launch, listen, limit, classify. */
import { randomBytes } from 'node:crypto';
import { MessageDecoder } from '../protocol/framing.js';
import type { ForkMessage, ForkPlan } from '../protocol/messages.js';
import type { Failure, Finding } from '../result/model.js';
import { type Ending, failureOf } from './ending.js';
import type { Launch, Launched, ProcessEnd } from './launch.js';
import type { ForkRecorder } from './recorder.js';
import { Tail } from './tail.js';
import type { Clock } from './types.js';

/** Between SIGTERM and SIGKILL, ms. */
export const KILL_GRACE_MS = 2000;
/** Longest a fork is silent beside what its plan explains (process start, calibration, a busy machine), ms. */
const SLACK_MS = 5000;
/** Longest that loading the user's file takes, ms; it has no limit of its own in the plan. */
const LOAD_MS = 30_000;

/** A fork that said "done" but keeps its event loop alive is ended after this, ms. */
export const LINGER_MS = 2000;

export interface ForkJob {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** All but the token and the time of the spawn, which are set here. */
  readonly plan: Omit<ForkPlan, 'token' | 'spawnedAtMs'>;
  readonly timeoutMs: number;
  /** 0-based among the measured forks; null for a discarded one. */
  readonly index: number | null;
}

export interface ForkDeps {
  readonly launch: Launch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once, right after the launch. */
  readonly onLaunch?: (pid: number | null, startedAt: string) => void;
  /** Called for every message as it arrives. */
  readonly onMessage?: (message: ForkMessage) => void;
}

/**
 * How long a fork can be silent while all is well, ms: between two messages lie at most one iteration and the fixtures around it, each
 * with its own limit inside the fork. A fork that cannot keep these limits itself (an endless loop) is stopped by the host after this.
 */
export function silenceLimitMs(plan: ForkJob['plan'], loading: boolean): number {
  const longest = Math.max(plan.iterationTimeMs, plan.warmupIterations === null ? plan.warmupMaxMs : plan.warmupTimeMs);
  // Nothing is said while other benchmarks are warmed.
  const stretches = 1 + Math.max(plan.pollute.length, plan.polluteLast.length);
  return (loading ? LOAD_MS : 0) + stretches * (3 * plan.timeoutMs + 2 * longest) + SLACK_MS;
}

/** How a fork ended; `aborted`: the run was stopped while it ran, its data are worthless. */
export type ForkEnd =
  | { readonly aborted: true }
  | {
      readonly aborted: false;
      readonly startedAt: string;
      readonly wallMs: number;
      readonly failure: Failure | null;
      readonly findings: readonly Finding[];
      readonly output: { readonly stdout: string; readonly stderr: string };
    };

/** Runs one fork to its end and fills `recorder`. Never rejects because of what the fork does. */
export async function runFork(job: ForkJob, recorder: ForkRecorder, deps: ForkDeps): Promise<ForkEnd> {
  const { clock, signal } = deps;
  const token = randomBytes(12).toString('hex');
  const [stdout, stderr] = [new Tail(), new Tail()];
  const utf8 = new TextDecoder();
  let broken: string | null = null;
  let stopped: Ending['stopped'] = null;
  let launched: Launched | undefined;
  const timers = new Set<() => void>();

  const after = (ms: number, action: () => void) => timers.add(clock.after(ms, action));
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    launched?.kill('SIGTERM');
    after(KILL_GRACE_MS, () => launched?.kill('SIGKILL'));
  };
  let stopListening = () => {};
  /** Starts the limit on silence anew. */
  const listen = () => {
    stopListening();
    timers.delete(stopListening);
    const limit = silenceLimitMs(job.plan, !recorder.loaded);
    stopListening = clock.after(limit, () => {
      stopped ??= { why: 'silence', afterMs: limit };
      stop();
    });
    timers.add(stopListening);
  };
  const decoder = new MessageDecoder(
    token,
    (decoded) => {
      if (!decoded.ok) {
        broken ??= decoded.reason;
        stop();
        return;
      }
      recorder.take(decoded.message);
      deps.onMessage?.(decoded.message);
      listen();
      // What comes after a violation cannot be trusted, so waiting for it is wasted time.
      if (recorder.problem !== null) stop();
      if (decoded.message.type === 'done') {
        after(LINGER_MS, () => {
          stopped ??= { why: 'lingering' };
          stop();
        });
      }
    },
    (text) => stdout.push(text),
  );

  const startedMs = clock.now();
  const spawnedAtMs = clock.epochMs();
  const startedAt = new Date(spawnedAtMs).toISOString();
  const plan: ForkPlan = { ...job.plan, token, spawnedAtMs };
  launched = deps.launch({
    argv: job.argv,
    env: job.env,
    cwd: job.cwd,
    stdin: JSON.stringify(plan),
    onStdout: (chunk) => decoder.push(chunk),
    onStderr: (chunk) => stderr.push(utf8.decode(chunk, { stream: true })),
  });
  deps.onLaunch?.(launched.pid, startedAt);
  after(job.timeoutMs, () => {
    stopped ??= { why: 'timeout', afterMs: job.timeoutMs };
    stop();
  });
  listen();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);

  let end: ProcessEnd;
  try {
    end = await launched.ended;
  } finally {
    signal.removeEventListener('abort', stop);
    for (const cancel of timers) cancel();
  }
  decoder.end();
  // A fork that had already said "done" when the run was stopped has measured everything.
  if (signal.aborted && !recorder.done) return { aborted: true };

  const output = { stdout: stdout.toString(), stderr: stderr.toString() };
  const ending = {
    end,
    done: recorder.done,
    failed: recorder.failed,
    problem: broken ?? recorder.problem,
    stopped: signal.aborted && stopped === null ? { why: 'lingering' as const } : stopped,
    phase: recorder.phase,
    stderr: output.stderr,
  };
  const failure = explained(failureOf(ending, job.index), recorder);
  return {
    aborted: false,
    startedAt,
    wallMs: clock.now() - startedMs,
    failure,
    findings: failure === null && stopped !== null && !signal.aborted ? [lingering()] : [],
    output,
  };
}

/** A process that ends in a way that it cannot tell itself may do so because its built-ins are not what they were. */
function explained(failure: Failure | null, { failed, changedBuiltins }: ForkRecorder): Failure | null {
  if (failure === null || failed !== null || changedBuiltins === null) return failure;
  return { ...failure, message: `${failure.message}. ${changedBuiltins}` };
}

function lingering(): Finding {
  return {
    id: 'lingering',
    severity: 'info',
    message: `The fork kept running for ${LINGER_MS / 1000} s after the last teardown and was ended: something is still open (a timer, a socket, a worker); close it in teardown.`,
  };
}
