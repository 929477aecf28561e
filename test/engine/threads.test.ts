import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { PhaseError } from '#lib/engine/failure.js';
import { mergeIterations, mergeScores } from '#lib/engine/merge.js';
import { Rendezvous } from '#lib/engine/rendezvous.js';
import type { ThreadMessage } from '#lib/engine/thread-messages.js';
import { assignThreads, type Conducted, ThreadsPerformer } from '#lib/engine/threads.js';
import { loaderArgs } from '#lib/loader/index.js';
import type { Iteration } from '#lib/result/model.js';
import { planOf } from './support/fake.js';
import { onEveryNode } from './support/nodes.js';
import { fixture, runFork } from './support/run-fork.js';

const file = fixture('engine/fixtures/threads.mjs');
const plan = { file, suite: 'Adds', benchmark: 'add', threads: 2, warmupIterations: 2, iterations: 2, timeoutMs: 3000 };

test('group methods get exactly their threads, in whole copies', (t) => {
  const names = (roles: ReturnType<typeof assignThreads>) => roles.map(({ benchmark }) => benchmark).join(' ');
  t.is(names(assignThreads('q', 1, { put: 1, take: 3 })), 'put take take take');
  t.is(names(assignThreads('q', 5, { put: 1, take: 2 })), 'put take take put take take');
  t.is(names(assignThreads('q', 1, { put: 0, take: 1 })), 'take');
  t.is(names(assignThreads('b', 3, null)), 'b b b');
  const copies = (roles: ReturnType<typeof assignThreads>) =>
    roles.map(({ copy, copies }) => `${copy}/${copies}`).join(' ');
  t.is(copies(assignThreads('q', 4, { put: 1, take: 1 })), '0/2 0/2 1/2 1/2');
  t.is(copies(assignThreads('b', 2, null)), '0/1 0/1');
  t.throws(() => assignThreads('q', 1, { put: 0 }), { instanceOf: PhaseError, message: /has no threads/ });
});

test('scores of threads: sum for thrpt, mean otherwise, none when one is missing', (t) => {
  t.is(mergeScores('thrpt', [10, 30]), 40);
  t.is(mergeScores('avgt', [10, 30]), 20);
  t.is(mergeScores('avgt', [10, null]), null);
});

const iteration = (over: Partial<Iteration>): Iteration => ({
  index: 0,
  startNs: 100,
  ops: 10,
  elapsedNs: 1000,
  wallNs: 1000,
  score: 100,
  chunks: null,
  histogram: null,
  gc: { count: 1, ns: 5 },
  involuntarySwitches: 1,
  gaps: { count: 1, lostNs: 10, worstNs: 10 },
  clock: { driftNs: -3, discontinuity: false },
  tier: null,
  tags: ['gc'],
  threads: null,
  counters: { hits: 2 },
  canary: null,
  aware: null,
  ...over,
});

/** Threads that answer when the test says so; `log` is what they were sent. */
function conducted(count: number) {
  const log: string[] = [];
  const answers: ((message: ThreadMessage) => void)[] = [];
  const threads = Array.from(
    { length: count },
    (_, index): Conducted => ({
      name: `thread ${index + 1}`,
      index,
      where: 'b',
      next: () => new Promise((resolve) => (answers[index] = resolve)),
      send: ({ type }) => log.push(`${type} ${index}`),
    }),
  );
  return { threads, log, answer: (index: number, message: ThreadMessage) => answers[index]!(message) };
}

const outcomeOf = (over: Partial<Iteration> = {}): ThreadMessage => ({
  type: 'outcome',
  outcome: { iteration: iteration(over), finding: null, nsPerInvocation: 1, pending: false },
  learned: { resultKind: 'number', async: false, invocationFixtures: false, remarks: [] },
});
const turn = () => new Promise((resolve) => setImmediate(resolve));
const request = { index: 0, limitMs: 1, warmup: false };

for (const strays of [true, false]) {
  test(`canaries are timed by the first thread when all have stopped (${strays ? 'slow' : 'as usual'})`, async (t) => {
    const { threads, log, answer } = conducted(3);
    const plan = planOf({ threads: 3, canaries: true });
    const performer = new ThreadsPerformer({ plan }, threads, [null, null, null], new Rendezvous(3, true));
    const running = performer.iterate(request, () => {});
    const started = ['iterate 0', 'iterate 1', 'iterate 2'];
    for (const index of [0, 2]) answer(index, outcomeOf());
    await turn();
    t.deepEqual(log, started, 'one still runs');
    answer(1, outcomeOf());
    await turn();
    t.deepEqual(log, [...started, 'canary 0']);
    const times = { arithmeticNs: 20_000, memoryNs: 50_000 };
    answer(0, { type: 'canary', canary: { times, strays } });
    const { iteration: merged } = await running;
    t.deepEqual(merged.canary, times);
    t.is(merged.tags.includes('canary'), strays);
  });
}

for (const over of [{ canaries: false }, { canaries: true, mode: 'ss' }] as const) {
  test(`no thread is asked for canaries with ${JSON.stringify(over)}`, async (t) => {
    const { threads, log, answer } = conducted(2);
    const plan = planOf({ threads: 2, ...over });
    const performer = new ThreadsPerformer({ plan }, threads, [null, null], new Rendezvous(2, true));
    const running = performer.iterate(request, () => {});
    for (const index of [0, 1]) answer(index, outcomeOf());
    t.is((await running).iteration.canary, null);
    t.deepEqual(log, ['iterate 0', 'iterate 1']);
  });
}

test('real threads: every iteration of avgt has its canaries, a single shot has none', async (t) => {
  const report = await runFork({ ...plan, canaries: true });
  t.is(report.code, 0, JSON.stringify(report.of('failed')));
  for (const { canary } of report.iterations) t.true(canary!.arithmeticNs > 0 && canary!.memoryNs > 0);
  const shots = await runFork({ ...plan, canaries: true, mode: 'ss', warmupIterations: 0 });
  for (const { canary } of shots.iterations) t.is(canary, null);
});

test('iterations of threads become one: sums where things add up, histograms added', (t) => {
  const histogram = (edge: number) => ({
    unit: 'ns' as const,
    buckets: [
      [50, 1],
      [edge, 3],
    ] as const,
    min: 50,
    max: edge,
    total: 4,
  });
  const merged = mergeIterations('sample', [
    { label: 'a', iteration: iteration({ histogram: histogram(100) }) },
    {
      label: 'b',
      iteration: iteration({ histogram: histogram(200), ops: 30, elapsedNs: 9000, score: 300, startNs: 50 }),
    },
  ]);
  t.deepEqual(merged.histogram, {
    unit: 'ns',
    buckets: [
      [50, 2],
      [100, 3],
      [200, 3],
    ],
    min: 50,
    max: 200,
    total: 8,
  });
  t.is(merged.score, 250, 'the mean of all samples, not of the threads');
  t.deepEqual([merged.ops, merged.elapsedNs, merged.startNs, merged.wallNs], [40, 10_000, 50, 1050]);
  t.deepEqual(merged.counters, { hits: 4 });
  t.deepEqual(merged.threads, [
    { ops: 10, elapsedNs: 1000, label: 'a', counters: { hits: 2 } },
    { ops: 30, elapsedNs: 9000, label: 'b', counters: { hits: 2 } },
  ]);
});

test('setup, run and teardown happen on the same thread, once per thread; shared memory is shared', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-'));
  const log = join(folder, 'log');
  const report = await runFork({ ...plan, threads: 3, params: { log } });
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  t.is(report.code, 0, JSON.stringify(report.of('failed')));
  const threads = new Map<string, string[]>();
  for (const line of lines) {
    const [id, ...text] = line.split(' ');
    threads.set(id!, [...(threads.get(id!) ?? []), text.join(' ')]);
  }
  t.is(threads.size, 3);
  const runs = new Set<string>();
  for (const texts of threads.values()) {
    t.is(texts[0], 'setup');
    runs.add(texts.find((text) => text.startsWith('run'))!);
    t.is(texts.filter((text) => text === 'setupIteration').length, 4);
    t.is(texts.filter((text) => text === 'teardownIteration').length, 4);
    t.is(texts[texts.length - 1], 'teardown 7', 'every thread has seen the bits of all');
  }
  t.deepEqual([...runs].sort(), ['run 0 of 3 null', 'run 1 of 3 null', 'run 2 of 3 null']);
});

test('two threads: one score, both threads beside it, counters only of measured calls', async (t) => {
  const report = await runFork({ ...plan, mode: 'thrpt', unit: 's' });
  t.is(report.code, 0, JSON.stringify(report.of('failed')));
  t.is(report.iterations.length, 2);
  for (const each of report.iterations) {
    t.is(each.threads!.length, 2);
    const sum = each.threads!.reduce((total, { ops, elapsedNs }) => total + ops / elapsedNs, 0) * 1e9;
    t.true(Math.abs(each.score! / sum - 1) < 1e-9);
    t.is(each.counters!.hits, each.ops);
    t.true(each.ops > 0);
  }
});

for (const mode of ['avgt', 'sample', 'ss'] as const) {
  test(`${mode} on two threads`, async (t) => {
    const report = await runFork({ ...plan, mode });
    t.is(report.code, 0, JSON.stringify(report.of('failed')));
    for (const each of report.iterations) {
      t.true(each.score! > 0);
      t.is(each.threads!.length, 2);
      if (mode === 'sample') t.is(each.histogram!.total, each.ops);
    }
  });
}

test('asynchronous benchmarks on two threads', async (t) => {
  const report = await runFork({ ...plan, benchmark: 'later' });
  t.is(report.code, 0, JSON.stringify(report.of('failed')));
  t.true(report.of('ready')[0]!.async);
  t.true(report.iterations.every(({ threads }) => threads!.every(({ ops }) => ops > 0)));
});

test('a group: methods wait for each other, end with control.stop, and each has its label', async (t) => {
  const report = await runFork({ ...plan, benchmark: 'q', group: { ping: 1, pong: 1 } });
  t.is(report.code, 0, JSON.stringify(report.of('failed')));
  for (const each of report.iterations)
    t.deepEqual(
      each.threads!.map(({ label }) => label),
      ['ping', 'pong'],
    );
});

test('shared state that cannot be cloned is refused with a sentence', async (t) => {
  const report = await runFork({ ...plan, suite: 'Functions', benchmark: 'b' });
  const [failed] = report.of('failed');
  t.is(failed?.failure.phase, 'shared');
  t.regex(failed!.failure.message, /shared of suite "Functions" .*no functions/);
  t.is(report.code, 1);
});

for (const [suite, phase, message] of [
  ['OneFails', 'benchmark', /benchmark "b" of suite "OneFails" failed: Error: boom \(thread 2 of 2\)/],
  ['OneStuck', 'timeout', /thread 2 of 2/],
  ['OneExits', 'exit', /thread 2 of 2 ended by itself with code 3/],
  ['Teardown', 'teardown', /teardown of suite "Teardown" failed: Error: boom \(thread \d of 2\)/],
] as const) {
  test(`${suite}: one bad thread fails the fork with its reason, and the fork ends`, async (t) => {
    const report = await runFork({
      ...plan,
      suite,
      benchmark: 'b',
      timeoutMs: (phase as string) === 'timeout' ? 500 : 10_000,
    });
    const [failed] = report.of('failed');
    t.is(failed?.failure.phase, phase);
    t.regex(failed!.failure.message, message);
    if (phase === 'benchmark' || phase === 'teardown') t.regex(failed!.failure.stack!, /threads\.mjs/);
    t.is(report.code, 1);
    t.is(report.of('done').length, 0);
  });
}

onEveryNode(test, (name, node) => {
  test(`${name}: TypeScript is loaded on threads as on the main one`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tscope-'));
    const loader = { cacheDir: folder, mode: 'strip' as const };
    const typed = fixture('engine/fixtures/typed.bench.ts');
    for (const fill of [true, false]) {
      const args = loaderArgs(loader, fill);
      const report = await runFork(
        { ...plan, file: typed, suite: 'Typed', benchmark: 'b', iterations: 1 },
        { node, args },
      );
      t.is(report.code, 0, JSON.stringify(report.of('failed')) + report.stderr);
      t.is(report.iterations[0]?.threads?.length, 2);
    }
    rmSync(folder, { recursive: true });
  });
});
