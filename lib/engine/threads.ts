/**
 * A benchmark on several threads: one worker per thread, this thread only conducts. Threads are started once and live
 * as long as the fork; a stuck one is terminated and told, and never keeps the fork from ending.
 */
import { Worker } from 'node:worker_threads';
import { cloneLoss } from './clone-loss.js';
import { withTimer } from './deadline.js';
import { describeThrown, PhaseError, stackOf } from './failure.js';
import { Fixtures } from './fixtures.js';
import type { ForkContext } from './fork.js';
import type { IterationOutcome } from './iteration.js';
import type { LoadedSuite } from './load.js';
import { measure } from './measure.js';
import { mergeIterations } from './merge.js';
import { clearInterval, clearTimeout, nowMs, setInterval, setTimeout } from './own-time.js';
import { type IterationRequest, type Learned, type Performer, withCanary } from './performer.js';
import { Rendezvous } from './rendezvous.js';
import type { Role, ThreadCommand, ThreadData, ThreadMessage } from './thread-messages.js';
import { type Checked, UNCHECKED } from './warm-checks.js';

/** Beyond the thread's own time limit, ms: it should have told by itself. */
const GRACE_MS = 2000;

/** Long enough for a thread that is alive to show it, ms. */
const BEAT_MS = 300;

/** How often the conductor looks whether the threads have started, ms. */
const WATCH_MS = 20;

/** Which benchmark each thread runs: group methods in declared order, as often as their count, copies after each other. */
export function assignThreads(
  benchmark: string,
  threads: number,
  group: Readonly<Record<string, number>> | null,
): readonly Role[] {
  if (group === null) return Array.from({ length: threads }, () => ({ benchmark, group: null, copy: 0, copies: 1 }));
  const one = Object.entries(group).flatMap(([name, count]) =>
    Array.from({ length: count }, () => ({ benchmark: name, group: name })),
  );
  if (one.length === 0) {
    throw new PhaseError('plan', `group "${benchmark}" has no threads: give at least one of its methods a count`);
  }
  // Rounded up to whole copies of the group.
  const copies = Math.max(1, Math.ceil(threads / one.length));
  return Array.from({ length: copies }, (_, copy) => one.map((role) => ({ ...role, copy, copies }))).flat();
}

/** A worker and what it last said. */
class Thread {
  readonly worker: Worker;
  readonly name: string;
  readonly index: number;
  readonly where: string;
  #waiting: { resolve: (message: ThreadMessage) => void; reject: (error: unknown) => void } | null = null;
  #failure: unknown = null;
  #closed: () => void = () => {};
  /** Torn down, failed to, or gone. */
  readonly closed = new Promise<void>((resolve) => {
    this.#closed = resolve;
  });
  #closing = false;

  constructor(data: ThreadData, onFailure: () => void) {
    this.name = `thread ${data.index + 1} of ${data.count}${data.group ? ` ("${data.group}")` : ''}`;
    this.index = data.index;
    this.where = `benchmark "${data.plan.benchmark}" of suite "${data.plan.suite}"`;
    this.worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: data });
    const fail = (error: unknown) => {
      this.#failure ??= error;
      onFailure();
      this.#waiting?.reject(this.#failure);
      this.#waiting = null;
    };
    this.worker.on('message', (message: ThreadMessage) => {
      if (message.type === 'closed') {
        this.#closed();
        return;
      }
      if (message.type === 'failed') {
        if (this.#closing) this.#closed();
        const { phase, message: text, stack } = message.failure;
        fail(new PhaseError(phase, `${text} (${this.name})`, stack === null ? undefined : { stack }));
        return;
      }
      this.#waiting?.resolve(message);
      this.#waiting = null;
    });
    this.worker.on('error', (error) => {
      const memory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(
        new PhaseError(
          memory ? 'out-of-memory' : 'uncaughtException',
          `In ${this.name} of ${data.plan.suite}.${data.plan.benchmark}: ${describeThrown(error)}`,
          { stack: stackOf(error) ?? undefined },
        ),
      );
    });
    this.worker.on('exit', (code) => {
      this.#closed();
      if (this.#closing) return;
      fail(new PhaseError('exit', `${this.name} ended by itself with code ${code} (process.exit in user code?)`));
    });
  }

  /** The next message; rejects with the thread's failure. */
  next(): Promise<ThreadMessage> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  get failure(): unknown {
    return this.#failure;
  }

  send(command: ThreadCommand): void {
    if (command.type === 'close') this.#closing = true;
    this.worker.postMessage(command);
  }
}

/** A thread as its conductor sees it. */
export interface Conducted {
  readonly name: string;
  readonly index: number;
  /** `benchmark "b" of suite "s"`. */
  readonly where: string;
  readonly next: () => Promise<ThreadMessage>;
  readonly send: (command: ThreadCommand) => void;
}

export class ThreadsPerformer implements Performer {
  readonly #threads: readonly Conducted[];
  readonly #labels: readonly (string | null)[];
  readonly #meet: Rendezvous;
  readonly #context: Pick<ForkContext, 'plan'>;
  #learned: Learned | null = null;

  constructor(
    context: Pick<ForkContext, 'plan'>,
    threads: readonly Conducted[],
    labels: readonly (string | null)[],
    meet: Rendezvous,
  ) {
    this.#context = context;
    this.#threads = threads;
    this.#labels = labels;
    this.#meet = meet;
  }

  async iterate(request: IterationRequest, onFirst: () => void): Promise<IterationOutcome> {
    const { plan } = this.#context;
    this.#meet.reset();
    if (this.#learned === null) onFirst();
    const answers = askAll(
      this.#threads,
      { type: 'iterate', request },
      request.limitMs + plan.timeoutMs,
      'iteration',
      this.#meet,
    );
    const conduct = this.#stopAfter(request.limitMs);
    let outcomes: Extract<ThreadMessage, { type: 'outcome' }>[];
    try {
      outcomes = (await answers) as typeof outcomes;
    } finally {
      conduct();
    }
    const [first] = outcomes;
    this.#learned = { ...first!.learned, async: outcomes.some(({ learned }) => learned.async) };
    const speeds = outcomes.map(({ outcome }) => outcome.nsPerInvocation).filter((speed) => speed !== null);
    const outcome = {
      iteration: mergeIterations(
        plan.mode,
        outcomes.map(({ outcome }, i) => ({ iteration: outcome.iteration, label: this.#labels[i]! })),
      ),
      finding: outcomes.map(({ outcome }) => outcome.finding).find((finding) => finding !== null) ?? null,
      nsPerInvocation: speeds.length > 0 ? speeds.reduce((a, b) => a + b, 0) / speeds.length : null,
      pending: outcomes.some(({ outcome }) => outcome.pending),
    };
    // A single shot meets the caches as the process left them.
    if (!plan.canaries || plan.mode === 'ss') return outcome;
    // All threads have answered, so they wait for the next command: nobody measures or runs a fixture beside the canaries. They are timed on
    // a thread that measures, not on this one, which need not be on a measured CPU.
    const [answer] = await askAll(
      this.#threads.slice(0, 1),
      { type: 'canary' },
      plan.timeoutMs,
      'canaries',
      this.#meet,
    );
    return withCanary(outcome, answer?.type === 'canary' ? answer.canary : null);
  }

  /**
   * Threads look at their clocks between chunks. One that spins inside an invocation until control.stop cannot, so this
   * thread says when time is over, as JMH's host does. Returns what ends the watch.
   */
  #stopAfter(limitMs: number): () => void {
    let timer: NodeJS.Timeout | undefined;
    const watch = setInterval(() => {
      if (!this.#meet.started) return;
      clearInterval(watch);
      timer = setTimeout(() => this.#meet.stop(), limitMs + WATCH_MS);
    }, WATCH_MS);
    return () => {
      clearInterval(watch);
      clearTimeout(timer);
    };
  }

  learned(): Learned {
    return this.#learned!;
  }

  /** On one thread while the others rest. Not for groups: their methods may wait for each other. */
  async check(): Promise<Checked> {
    const { plan } = this.#context;
    if (plan.group !== null) return UNCHECKED;
    this.#meet.reset();
    const [answer] = await askAll(
      [this.#threads[0]!],
      { type: 'check' },
      plan.timeoutMs,
      'linearity check',
      this.#meet,
    );
    return answer!.type === 'checked' ? answer!.checked : UNCHECKED;
  }
}

/** Sends a command to all and waits for their answers; the first failure releases everybody and is thrown. */
async function askAll(
  threads: readonly Conducted[],
  command: ThreadCommand | null,
  limitMs: number,
  what: string,
  meet: Rendezvous,
): Promise<readonly ThreadMessage[]> {
  const answered = new Set<Conducted>();
  const answers = threads.map(async (thread) => {
    const answer = await thread.next();
    answered.add(thread);
    return answer;
  });
  if (command) for (const thread of threads) thread.send(command);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        const before = meet.beats();
        // Those that wait for a stuck one keep calling; a look at who moves tells them apart.
        timer = setTimeout(() => {
          const after = meet.beats();
          const open = threads.filter((thread) => !answered.has(thread));
          const still = open.filter((thread) => before[thread.index] === after[thread.index]);
          const stuck = (still.length > 0 ? still : open).map(({ name }) => name);
          meet.abort();
          const were = stuck.length > 1 ? 'were' : 'was';
          const message = `${stuck.join(' and ')} of ${threads[0]!.where} did not end the ${what} within ${limitMs} ms and ${were} terminated: an invocation is stuck, or needs a longer timeout`;
          reject(new PhaseError('timeout', message));
        }, BEAT_MS);
      },
      Math.min(limitMs + GRACE_MS, 2 ** 31 - 1),
    );
  });
  try {
    return await Promise.race([Promise.all(answers), late]);
  } finally {
    clearTimeout(timer);
    for (const answer of answers) answer.catch(() => {});
  }
}

/** Runs a plan with threads to its end. */
export async function runThreads(context: ForkContext, suite: LoadedSuite): Promise<void> {
  const { machine, plan } = context;
  const roles = assignThreads(plan.benchmark, plan.threads, plan.group);
  for (const role of roles) suite.benchmark(role.benchmark);
  const setupStart = nowMs();
  // `shared` runs here, once; its fixtures of other levels belong to the threads.
  const shared = await new Fixtures(suite.definition, plan, machine.deadline).shared();
  const loss = cloneLoss(shared);
  if (loss) machine.emit({ type: 'finding', finding: loss });
  const meet = new Rendezvous(roles.length, plan.syncIterations);
  // Helpers first: threads made later inherit the mask of the thread that makes them, and then pin themselves.
  const pinned = await machine.pin(null, plan.helperCpus);
  const threads: Thread[] = [];
  try {
    for (const [index, role] of roles.entries()) {
      const data: ThreadData = {
        plan,
        index,
        count: roles.length,
        ...role,
        shared,
        cpu: plan.pinCpus?.[index] ?? null,
        rendezvous: meet.memory,
      };
      threads.push(startThread(data, plan.suite, () => meet.abort()));
    }
    const ready = await askAll(threads, null, plan.timeoutMs, 'setup', meet);
    const refusals = ready.map((message) => (message.type === 'ready' ? message.pinRefused : null));
    // What the plan says is no evidence: with one thread refused the fork is not pinned.
    context.onPinned(refusals.every((each) => each === null) ? (plan.pinCpus?.[0] ?? null) : null);
    const refused = [pinned.refused, ...refusals].filter((each) => each !== null);
    if (refused.length > 0) {
      const message = `Refused: ${[...new Set(refused)].join('; ')}`;
      machine.emit({ type: 'finding', finding: { id: 'not-pinned', severity: 'info', message } });
    }
    const labels = roles.map(({ group }) => group);
    await measure(context, new ThreadsPerformer(context, threads, labels, meet), nowMs() - setupStart);
  } catch (error) {
    meet.abort();
    // The threads that still listen tear down; stuck ones are terminated.
    await closeAll(threads, Math.min(plan.timeoutMs, GRACE_MS));
    await terminate(threads);
    throw error;
  }
  const late = await closeAll(threads, plan.timeoutMs);
  await terminate(threads);
  const failed = threads.find(({ failure }) => failure !== null);
  if (failed) throw failed.failure;
  if (late.length > 0) {
    const names = late.map(({ name }) => name).join(' and ');
    throw new PhaseError(
      'timeout',
      `teardown of suite "${plan.suite}" did not end within ${plan.timeoutMs} ms in ${names}`,
    );
  }
}

/** Tells all threads to tear down; returns those that did not in time. */
async function closeAll(threads: readonly Thread[], limitMs: number): Promise<readonly Thread[]> {
  const open = new Set(threads);
  for (const thread of threads) thread.send({ type: 'close' });
  const all = Promise.all(threads.map((thread) => thread.closed.then(() => open.delete(thread))));
  await withTimer(limitMs, all).catch(() => {});
  return [...open];
}

async function terminate(threads: readonly Thread[]): Promise<void> {
  await Promise.all(threads.map(({ worker }) => worker.terminate()));
}

function startThread(data: ThreadData, suite: string, onFailure: () => void): Thread {
  try {
    return new Thread(data, onFailure);
  } catch (error) {
    if ((error as Error | null)?.name !== 'DataCloneError') throw error;
    const message =
      `shared of suite "${suite}" returned something that cannot be handed to other threads: ${describeThrown(error).replace(/\.$/, '')}. ` +
      'It may hold plain data, typed arrays, Map, Set and SharedArrayBuffer (which is really shared), but no functions or class instances with private parts; make those in setup.';
    throw new PhaseError('shared', message, error);
  }
}
