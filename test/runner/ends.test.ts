import test from 'ava';
import type { Params } from '#lib/result/model.js';
import { startRun, type TrialPlan } from '#lib/runner/index.js';
import { logFile, realDeps, runPlanOf, trialPlan } from './plans.js';

interface Case {
  readonly name: string;
  readonly params: Params;
  readonly phase: string;
  readonly message: RegExp;
  readonly changes?: Partial<TrialPlan>;
}

const cases: readonly Case[] = [
  {
    name: 'process.exit(0) in an iteration',
    params: { end: 'exit0', at: 'iteration' },
    phase: 'exit',
    message: /by itself in measured iteration 2 of 3.*process\.exit/,
  },
  {
    name: 'process.exit(7) in setup',
    params: { end: 'exit7', at: 'setup' },
    phase: 'exit',
    message: /code 7 in setup/,
  },
  {
    name: 'process.exit(7) with built-ins that were replaced',
    params: { end: 'broken', at: 'warmup' },
    phase: 'exit',
    message: /code 7 in warm-up: .*\. Code replaced push\.$/,
  },
  {
    name: 'process.abort',
    params: { end: 'abort', at: 'warmup' },
    phase: 'signal',
    message: /SIGABRT in warm-up: process\.abort/,
  },
  {
    name: 'SIGKILL from outside',
    params: { end: 'kill', at: 'iteration' },
    phase: 'signal',
    message: /SIGKILL in measured iteration 2 of 3: by someone else/,
  },
  {
    name: 'an option that node does not know',
    params: {},
    phase: 'exit',
    message: /exited with code 9 before it reported in: .*bad option: --no-such-option/,
    changes: { nodeArgs: ['--no-such-option'] },
  },
  {
    name: 'a crash',
    params: { end: 'segv', at: 'load' },
    phase: 'signal',
    message: /SIGSEGV while loading the file: a crash in native code/,
  },
  {
    name: 'an endless loop',
    params: { end: 'loop', at: 'iteration' },
    phase: 'timeout',
    message: /stopped after 4 s in measured iteration 2 of 3/,
    changes: { forkTimeoutMs: 4000 },
  },
  {
    name: 'a process that ignores SIGTERM',
    params: { end: 'stubborn', at: 'setup' },
    phase: 'timeout',
    message: /stopped after 4 s in setup/,
    changes: { forkTimeoutMs: 4000 },
  },
  {
    name: 'a promise that never settles',
    params: { end: 'never', at: 'setup' },
    phase: 'exit',
    message: /top-level await can never settle.*in setup/,
  },
  {
    name: 'an uncaught error',
    params: { end: 'throw', at: 'warmup' },
    phase: 'exit',
    message: /code 1 in warm-up: TypeError: user code went wrong/,
  },
  {
    name: 'out of memory',
    params: { end: 'oom', at: 'iteration' },
    phase: 'out-of-memory',
    message: /ran out of memory in measured iteration 2 of 3.*--max-old-space-size/,
    changes: { nodeArgs: ['--max-old-space-size=20'] },
  },
  {
    name: 'a failure told by the fork',
    params: { end: 'failed', at: 'iteration' },
    phase: 'benchmark',
    message: /^boom$/,
  },
  { name: 'a message that is no JSON', params: { end: 'garbage', at: 'load' }, phase: 'protocol', message: /not JSON/ },
  {
    name: 'a message nobody knows',
    params: { end: 'unknown', at: 'load' },
    phase: 'protocol',
    message: /unknown type "surprise"/,
  },
  { name: 'another protocol', params: { end: 'old' }, phase: 'protocol', message: /protocol 99.*two versions/ },
  {
    name: '"done" too early',
    params: { end: 'short', at: 'iteration' },
    phase: 'protocol',
    message: /after 1 of 3 iterations/,
  },
  {
    name: 'an exit code after "done"',
    params: { end: 'late code' },
    phase: 'exit',
    message: /code 3 after the measurement was complete/,
  },
  { name: 'a clock that always jumps', params: { end: 'jump' }, phase: 'clock', message: /clock jumped in 3 attempts/ },
  {
    name: 'no such node',
    params: {},
    phase: 'launch',
    message: /could not be started: .*ENOENT/,
    changes: { nodeExecutable: '/nonexistent/node' },
  },
];

for (const { name, params, phase, message, changes } of cases) {
  test(`${name} fails the trial with its reason, and the other trial still counts`, async (t) => {
    const trials = [trialPlan('bad', params, { forks: 1, ...changes }), trialPlan('good', {}, { forks: 1 })];
    const result = await startRun(runPlanOf(t, trials), realDeps());
    const [bad, good] = result.trials;
    t.is(bad!.status, 'failed');
    t.is(bad!.failure!.phase, phase);
    t.regex(bad!.failure!.message, message);
    t.is(bad!.failure!.fork, 0);
    t.is(bad!.forks[0]!.status, 'failed');
    t.is(good!.status, 'ok');
    t.is(good!.forks[0]!.iterations.length, 3);
    t.is(result.status, 'complete');
  });
}

test('what was measured and printed before a failure is kept, marked failed', async (t) => {
  const result = await startRun(runPlanOf(t, [trialPlan('bad', { end: 'failed', at: 'iteration' })]), realDeps());
  const fork = result.trials[0]!.forks[0]!;
  t.is(fork.iterations.length, 1);
  t.is(fork.warmup.length, 1);
  t.regex(fork.output.stdout, /printed by the benchmark without a newline/);
  t.regex(fork.output.stderr, /a word on stderr/);
  t.regex(fork.failure!.stack!, /bench\.ts:3:7/);
});

test('a trial is given up when failed forks outnumber good ones, and says so', async (t) => {
  const log = logFile(t);
  const result = await startRun(
    runPlanOf(t, [trialPlan('bad', { end: 'failed', at: 'setup', log }, { forks: 5 })]),
    realDeps(),
  );
  const [trial] = result.trials;
  t.is(trial!.forks.length, 1);
  const finding = trial!.findings.find(({ id }) => id === 'given-up');
  t.regex(finding!.message, /4 of 5 planned forks were not run/);
});

test('a fork whose clock jumped once runs again, and the trial says so', async (t) => {
  const log = logFile(t);
  const result = await startRun(runPlanOf(t, [trialPlan('once', { end: 'jump once', log }, { forks: 2 })]), realDeps());
  const [trial] = result.trials;
  t.is(trial!.status, 'ok');
  t.is(trial!.forks.length, 2);
  t.true(trial!.forks.every(({ iterations }) => iterations.every(({ clock }) => !clock.discontinuity)));
  t.deepEqual(trial!.findings.find(({ id }) => id === 'clock-jump-rerun')?.forks, [0]);
});

test('a fork that lingers after "done" is ended, counts, and says so', async (t) => {
  const result = await startRun(runPlanOf(t, [trialPlan('open', { end: 'linger' }, { forks: 1 })]), realDeps());
  const [trial] = result.trials;
  t.is(trial!.status, 'ok');
  t.deepEqual(
    trial!.forks[0]!.findings.map(({ id }) => id),
    ['lingering'],
  );
});

test('failFast stops the run at the first failure', async (t) => {
  const trials = [trialPlan('bad', { end: 'failed', at: 'load' }), trialPlan('good', {})];
  const plan = runPlanOf(t, trials, { failFast: true, order: 'sequential' });
  const result = await startRun(plan, realDeps());
  t.is(result.status, 'interrupted');
  t.is(result.trials[0]!.status, 'failed');
  t.is(result.trials[1]!.forks.length, 0);
  t.is(result.trials[1]!.status, 'partial');
});
