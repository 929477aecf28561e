import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ForkMessage } from '#lib/protocol/messages.js';
import { type Launch, type LaunchRequest, type RunEvent, runPlan, startRun } from '#lib/runner/index.js';
import { noJournal } from '#lib/runner/journal.js';
import type { Clock } from '#lib/runner/types.js';
import { logFile, realDeps, runPlanOf, trialPlan } from './plans.js';

/** Time that passes only when told. */
class FakeClock implements Clock {
  ms = 0;
  readonly #timers = new Set<{ at: number; action: () => void }>();
  now() {
    return this.ms;
  }
  epochMs() {
    return 1_000_000 + this.ms;
  }
  after(ms: number, action: () => void) {
    const timer = { at: this.ms + ms, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
  pass(ms: number) {
    this.ms += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.ms)) {
      this.#timers.delete(timer);
      timer.action();
    }
  }
  get pending() {
    return this.#timers.size;
  }
}

const MESSAGES = [
  { type: 'hello', protocol: 1, pid: 1 },
  { type: 'loaded', loadMs: 1 },
  { type: 'ready', setupMs: 1, spawnToFirstInvocationMs: 1, resultKind: 'number', async: false },
  { type: 'warm', end: 'fixed', linearity: null, overhead: { emptyOpNs: null, clockReadNs: 1 } },
  ...[0, 1, 2].map((index) => ({
    type: 'iteration',
    iteration: {
      index,
      ops: 1,
      elapsedNs: 1,
      wallNs: 1,
      score: 1,
      tags: [],
      threads: null,
      chunks: null,
      histogram: null,
      gc: { count: 0, ns: 0 },
      gaps: { count: 0, lostNs: 0, worstNs: 0 },
      clock: { discontinuity: false },
    },
  })),
  { type: 'done', clock: {} },
] as unknown as readonly ForkMessage[];

const say = (request: LaunchRequest, message: ForkMessage) => {
  const { token } = JSON.parse(request.stdin) as { token: string };
  request.onStdout(Buffer.from(`\x1e${token} ${JSON.stringify(message)}\n`));
};

test('under fakes: order, places, seeds and CPUs are as planned, events tell the story, no timer is left', async (t) => {
  const clock = new FakeClock();
  const requests: LaunchRequest[] = [];
  let inside = 0;
  const launch: Launch = (request) => {
    requests.push(request);
    t.is(inside, 1);
    const ended = Promise.resolve().then(() => {
      for (const message of MESSAGES) say(request, message);
      clock.pass(100);
      return { code: 0, signal: null, error: null };
    });
    return { pid: 1, ended, kill: () => t.fail() };
  };
  const trials = [
    trialPlan('a', {}, { forks: 2, warmupForks: 1, nodeArgs: ['--jitless'] }),
    trialPlan('b', {}, { forks: 2, options: { pin: { value: false, source: 'suite' } } }),
  ];
  const plan = runPlanOf(t, trials, { pin: { measured: [3], helpers: [0, 1] } });
  const events: RunEvent[] = [];
  let restored = 0;
  const result = await runPlan(plan, {
    launch,
    clock,
    journal: noJournal,
    sources: { changed: () => null },
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    hostEnv: { PATH: '/bin', NODE_OPTIONS: '--inspect' },
    engine: '/engine.js',
    leaveCpus: (cpus) => {
      t.deepEqual(cpus, plan.pin);
      return {
        findings: [],
        outside(action) {
          inside++;
          const value = action();
          inside--;
          return value;
        },
        restore: () => restored++,
      };
    },
  });
  t.is(restored, 1);
  t.is(clock.pending, 0);
  t.deepEqual(
    result.trials.map(({ status, forks }) => [status, forks.map(({ index, wallMs }) => [index, wallMs])]),
    Array.from({ length: 2 }, () => [
      'ok',
      [
        [0, 100],
        [1, 100],
      ],
    ]),
  );
  const sent = requests.map(({ argv, stdin, env }) => ({ argv, env, plan: JSON.parse(stdin) }));
  t.is(sent.length, 5);
  t.is(new Set(sent.map((request) => request.plan.token)).size, 5);
  t.is(new Set(sent.map((request) => request.plan.seed)).size, 5);
  t.true(new Set(sent.map(({ env }) => env.TSCOPE_PADDING!.length)).size > 1);
  for (const { argv, env, plan: fork } of sent) {
    t.deepEqual(argv.slice(1), fork.benchmark === 'a' ? ['--jitless', '/engine.js'] : ['/engine.js']);
    t.is(env.NODE_OPTIONS, undefined);
    t.deepEqual([fork.pinCpus, fork.helperCpus], fork.benchmark === 'a' ? [[3], [0, 1]] : [null, null]);
    t.is(fork.kind, 'fork');
  }
  t.deepEqual(
    events.filter(({ type }) => type === 'progress').map((event) => (event as { done: number }).done),
    [1, 2, 3, 4, 5],
  );
  t.deepEqual(
    events
      .filter((event) => event.type === 'fork-finished')
      .map(({ discarded }) => discarded)
      .filter(Boolean),
    [true],
  );
  t.is(events.filter(({ type }) => type === 'trial-finished').length, 2);
  t.is(result.createdAt, new Date(1_000_000).toISOString());
});

test('under fakes: the black hole is timed in one good fork of each Node, and not again after a resume', async (t) => {
  const cost = { consumeNumberNs: 0.5, consumeObjectNs: 1, tokenNs: 1 };
  const asked: [benchmark: string, ask: boolean][] = [];
  const launch: Launch = (request) => {
    const { benchmark, blackholeCost } = JSON.parse(request.stdin) as { benchmark: string; blackholeCost: boolean };
    asked.push([benchmark, blackholeCost]);
    const broken = asked.length === 2;
    const ended = Promise.resolve().then(() => {
      const failed = { type: 'failed', failure: { phase: 'setup', message: 'no', stack: null } } as const;
      const measured = blackholeCost
        ? [...MESSAGES.slice(0, -1), { type: 'blackhole', cost } as const]
        : MESSAGES.slice(0, -1);
      for (const message of broken ? [...MESSAGES.slice(0, 2), failed] : [...measured, MESSAGES.at(-1)!])
        say(request, message);
      return { code: broken ? 1 : 0, signal: null, error: null };
    });
    return { pid: 1, ended, kill: () => {} };
  };
  const trials = [
    trialPlan('a', {}, { forks: 3, warmupForks: 1 }),
    trialPlan('b', {}, { forks: 2 }),
    trialPlan('c', {}, { forks: 2, nodeArgs: ['--jitless'] }),
  ];
  const deps = {
    launch,
    clock: new FakeClock(),
    journal: noJournal,
    sources: { changed: () => null },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
  const plan = runPlanOf(t, trials, { order: 'sequential' });
  const result = await runPlan(plan, deps);
  t.deepEqual(asked, [
    ['a', false], // discarded
    ['a', true], // fails
    ['a', true],
    ['a', false],
    ['b', false],
    ['b', false],
    ['c', true],
    ['c', false],
  ]);
  const kept = result.trials.map(({ forks }) => forks.map(({ overhead }) => overhead?.blackhole));
  t.deepEqual(kept, [
    [undefined, cost, undefined],
    [undefined, undefined],
    [cost, undefined],
  ]);
  asked.length = 0;
  const earlier = [{ slot: '0.1', fork: result.trials[0]!.forks[1]!, rerun: false }];
  await runPlan(plan, { ...deps, earlier });
  t.false(
    asked.some(([benchmark, ask]) => benchmark !== 'c' && ask),
    JSON.stringify(asked),
  );
});

test('under fakes: SIGTERM at the limit, SIGKILL two seconds later', async (t) => {
  const clock = new FakeClock();
  const kills: [string, number][] = [];
  const launch: Launch = (request) => {
    say(request, MESSAGES[0]!);
    let end: (value: { code: null; signal: string; error: null }) => void;
    const ended = new Promise<{ code: null; signal: string; error: null }>((resolve) => {
      end = resolve;
    });
    setImmediate(() => {
      clock.pass(4999);
      t.deepEqual(kills, []);
      clock.pass(1);
      clock.pass(1999);
      clock.pass(1);
    });
    return {
      pid: 1,
      ended,
      kill(signal) {
        kills.push([signal, clock.ms]);
        if (signal === 'SIGKILL') end({ code: null, signal, error: null });
      },
    };
  };
  const plan = runPlanOf(t, [trialPlan('a', {}, { forks: 1, forkTimeoutMs: 5000 })]);
  const deps = { ...realDeps(), launch, clock, journal: noJournal, sources: { changed: () => null } };
  const result = await runPlan(plan, deps);
  t.deepEqual(kills, [
    ['SIGTERM', 5000],
    ['SIGKILL', 7000],
  ]);
  t.is(result.trials[0]!.failure!.phase, 'timeout');
  t.is(clock.pending, 0);
});

test('under fakes: a fork that is silent for longer than its plan explains is stopped, well before the limit of the whole', async (t) => {
  const clock = new FakeClock();
  const launch: Launch = (request) => {
    let end: (value: { code: null; signal: string; error: null }) => void;
    const ended = new Promise<{ code: null; signal: string; error: null }>((resolve) => {
      end = resolve;
    });
    setImmediate(() => {
      for (const message of MESSAGES.slice(0, 5)) {
        clock.pass(7000);
        say(request, message);
      }
      clock.pass(8000);
      clock.pass(4);
    });
    return { pid: 1, ended, kill: (signal) => end({ code: null, signal, error: null }) };
  };
  // Limits of 1 s for a fixture and an iteration, windows of 1 and 1 ms: 3 x 1 s + 2 x 1 ms + 5 s.
  const plan = runPlanOf(t, [trialPlan('a', {}, { forks: 1, forkTimeoutMs: 1_000_000 })]);
  const deps = { ...realDeps(), launch, clock, journal: noJournal, sources: { changed: () => null } };
  const [trial] = (await runPlan(plan, deps)).trials;
  t.regex(trial!.failure!.message, /^stopped after 8 s without a sign of life in measured iteration 2 of 3/);
  t.is(clock.ms, 35_000 + 8004);
  t.is(clock.pending, 0);
});

test('real forks: environment is built, coverage and options of the host do not leak', async (t) => {
  const plan = runPlanOf(t, [trialPlan('a', { env: true }, { forks: 1 })], { keepEnv: ['ASKED_FOR'] });
  const hostEnv = {
    ...process.env,
    NODE_V8_COVERAGE: '/nowhere',
    NODE_OPTIONS: '--throw-deprecation',
    ASKED_FOR: 'yes',
  };
  const result = await startRun(plan, realDeps({ hostEnv }));
  const { output, runtime } = result.trials[0]!.forks[0]!;
  const env = JSON.parse(/\{.*\}/.exec(output.stdout)![0]) as Record<string, string>;
  t.is(env.ASKED_FOR, 'yes');
  t.is(env.NODE_V8_COVERAGE, undefined);
  t.is(env.NODE_OPTIONS, undefined);
  t.is(env.TSCOPE_FORK, 'run-1/0.0');
  t.deepEqual(runtime!.execArgv, []);
});

test('real forks: warm-up forks run first and are not in the result', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log }, { forks: 1, warmupForks: 2 })]);
  const deps = realDeps();
  const [trial] = (await startRun(plan, deps)).trials;
  t.is(trial!.forks.length, 1);
  t.is(trial!.forks[0]!.round, 2);
  t.deepEqual(
    deps.events.flatMap((event) => (event.type === 'fork-started' ? [event.fork] : [])),
    [null, null, 0],
  );
});

test('real forks: what a fork started, holding its output open, dies with it', async (t) => {
  const plan = runPlanOf(t, [trialPlan('a', { child: true }, { forks: 1 })]);
  const [trial] = (await startRun(plan, realDeps())).trials;
  t.is(trial!.status, 'ok');
  const pid = Number(/child=(\d+)=/.exec(trial!.forks[0]!.output.stdout)![1]);
  const running = () => {
    try {
      process.kill(pid, 0);
      // Killed, but nobody has collected it yet.
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 200 && running(); i++) await sleep(25);
  t.false(running());
});
