import test from 'ava';
import { gapLimit } from '#lib/engine/samples.js';
import type { ForkMessage } from '#lib/protocol/messages.js';
import { fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';

const iterationsOf = (messages: readonly ForkMessage[]) =>
  messages.flatMap((message) => (message.type === 'iteration' ? [message.iteration] : []));
const findingsOf = (messages: readonly ForkMessage[]) =>
  messages.flatMap((message) => (message.type === 'finding' ? [message.finding.id] : []));

test('sample: every time is in the histogram, sums are exact, the batch is really run and counts as one op', async (t) => {
  const { machine, error } = await runInProcess((m) => ({ benchmarks: { b: () => m.pass(1000) } }), {
    mode: 'sample',
    batchSize: 4,
    opsPerInvocation: 2,
    iterationTimeMs: 5,
  });
  t.is(error, null);
  for (const iteration of iterationsOf(machine.messages)) {
    const { histogram } = iteration;
    t.is(iteration.score, 2000);
    t.is(histogram!.total * 2, iteration.ops);
    t.is(histogram!.buckets.length, 1);
    t.true(Math.abs(histogram!.buckets[0]![0] - 2000) <= 2);
    t.deepEqual([histogram!.min, histogram!.max], [2000, 2000]);
    t.is(iteration.chunks, null);
  }
});

test('sample: about one sample in 2 us; gaps are random, not every n-th call', async (t) => {
  const calls: boolean[] = [];
  const machine = fakeMachine();
  let reads = 0;
  const { read } = machine.clock;
  const counted = () => {
    reads++;
    read();
  };
  Object.assign(machine.clock, { read: counted, readOrdered: counted });
  let before = 0;
  await runInProcess(
    (m) => ({
      benchmarks: {
        b: () => {
          m.pass(100);
          calls.push(reads > before);
          before = reads;
        },
      },
    }),
    { mode: 'sample', warmupIterations: 3, iterations: 1, iterationTimeMs: 20 },
    machine,
  );
  // A call right after a read is a sampled one or the first of a chunk; look at the last stretch only.
  const tail = calls.slice(-100_000);
  const gaps: number[] = [];
  let last = -1;
  for (const [i, sampled] of tail.entries()) {
    if (!sampled) continue;
    if (last >= 0) gaps.push(i - last);
    last = i;
  }
  const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
  t.true(mean > 8 && mean < 24, `mean gap ${mean}`);
  t.true(new Set(gaps).size > 20, `${new Set(gaps).size} different gaps`);
  // No power of two is preferred: residues of the sampled positions are spread evenly.
  const residues = new Float64Array(8);
  let position = 0;
  for (const gap of gaps) residues[(position += gap) % 8]!++;
  const expected = gaps.length / 8;
  const chi2 = residues.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
  t.true(chi2 < 35, `chi2 ${chi2} with 7 degrees of freedom`);
});

test('sample: gaps keep the clock below a few percent', (t) => {
  t.is(gapLimit(0), 1);
  t.is(gapLimit(1e6), 1);
  t.is(gapLimit(2000), 3);
  t.is(gapLimit(10), 401);
});

test('sample: ops too short for the clock are told', async (t) => {
  const machine = fakeMachine(null, 20);
  await runInProcess((m) => ({ benchmarks: { b: () => m.pass(10) } }), { mode: 'sample' }, machine);
  t.true(findingsOf(machine.messages).includes('short-samples'));
  const long = fakeMachine(null, 20);
  await runInProcess((m) => ({ benchmarks: { b: () => m.pass(10_000) } }), { mode: 'sample' }, long);
  t.false(findingsOf(long.messages).includes('short-samples'));
});

test('sample: asynchronous benchmarks are sampled per invocation', async (t) => {
  const { machine, error } = await runInProcess(
    (m) => ({
      benchmarks: {
        b: async () => {
          await null;
          m.pass(3000);
        },
      },
    }),
    { mode: 'sample', iterationTimeMs: 5 },
  );
  t.is(error, null);
  for (const iteration of iterationsOf(machine.messages)) t.is(iteration.score, 3000);
});

test('ss: the first invocation of the process is measured, and nothing else is', async (t) => {
  let calls = 0;
  const { machine, error } = await runInProcess(
    (m) => ({ benchmarks: { b: () => (m.pass(calls++ === 0 ? 5e6 : 100), calls) } }),
    { mode: 'ss', warmupIterations: 0, iterations: 2, unit: 'us' },
  );
  t.is(error, null);
  t.is(calls, 2);
  t.deepEqual(
    iterationsOf(machine.messages).map(({ score, ops }) => [score, ops]),
    [
      [5000, 1],
      [0.1, 1],
    ],
  );
  const ready = machine.messages.find(({ type }) => type === 'ready');
  t.is(ready?.type === 'ready' && ready.resultKind, 'number');
});

test('ss: a batch is run whole and is one op; opsPerInvocation divides', async (t) => {
  let calls = 0;
  const { machine } = await runInProcess((m) => ({ benchmarks: { b: async () => (m.pass(100), calls++) } }), {
    mode: 'ss',
    warmupIterations: 1,
    warmupBatchSize: 3,
    batchSize: 10,
    opsPerInvocation: 5,
    iterations: 2,
  });
  t.is(calls, 3 + 20);
  for (const iteration of iterationsOf(machine.messages)) t.is(iteration.score, 200);
});

test('ss: failures and mixtures of promises and values are told', async (t) => {
  const boom = await runInProcess(() => ({ benchmarks: { b: () => Promise.reject(new Error('boom')) } }), {
    mode: 'ss',
  });
  t.is(boom.error?.phase, 'benchmark');
  let calls = 0;
  const mixed = await runInProcess(() => ({ benchmarks: { b: () => (calls++ % 2 ? 1 : Promise.resolve(1)) } }), {
    mode: 'ss',
    batchSize: 2,
  });
  t.regex(mixed.error!.message, /awaited always or never/);
});

for (const [what, later] of [
  ['synchronous', (_: () => void) => undefined],
  ['asynchronous', async (run: () => void) => (await null, run())],
] as const) {
  test(`invocation fixtures, ${what}: around every invocation, not timed, and their cost is told`, async (t) => {
    const log: string[] = [];
    const fixture = (name: string, m: { pass: (ns: number) => void }) => () => {
      log.push(name);
      m.pass(5000);
      return later(() => log.push(`${name}!`));
    };
    const { machine, error } = await runInProcess(
      (m) => ({
        setupInvocation: fixture('before', m),
        teardownInvocation: fixture('after', m),
        benchmarks: {
          b: () => {
            log.push('b');
            m.pass(1000);
          },
        },
      }),
      { iterationTimeMs: 2 },
    );
    t.is(error, null);
    const one = what === 'synchronous' ? ['before', 'b', 'after'] : ['before', 'before!', 'b', 'after', 'after!'];
    t.is(log.length % one.length, 0);
    for (const [i, name] of log.entries()) if (name !== one[i % one.length]) t.fail(`${i}: ${name}`);
    for (const iteration of iterationsOf(machine.messages)) {
      t.is(iteration.score, 1000);
      t.true(iteration.wallNs >= 2e6 && iteration.wallNs < 3e6, 'the budget is wall time');
    }
    t.true(findingsOf(machine.messages).includes('invocation-fixtures'));
  });
}

test('invocation fixtures that fail are told apart from the benchmark', async (t) => {
  for (const name of ['setupInvocation', 'teardownInvocation'] as const) {
    for (const boom of [
      () => {
        throw new Error('boom');
      },
      () => Promise.reject(new Error('boom')),
    ]) {
      const { error } = await runInProcess(() => ({ [name]: boom, benchmarks: { b: () => 1 } }));
      t.is(error?.phase, name);
      t.regex(error!.message, /suite "S" failed: Error: boom/);
    }
  }
});

test('pollution: the other benchmarks run first, each with a state and fixtures of its own', async (t) => {
  const log: string[] = [];
  const note = (name: string) => log[log.length - 1] !== name && log.push(name);
  let states = 0;
  const { machine, error } = await runInProcess(
    (m) => ({
      setup: () => (note('setup'), { id: states++ }),
      teardown: ({ id }) => note(`teardown ${id}`),
      benchmarks: {
        a: ({ id }) => (m.pass(1000), note(`a ${id}`)),
        b: ({ id }) => (m.pass(1000), note(`b ${id}`)),
      },
    }),
    { pollute: ['a', 'b'] },
  );
  t.is(error, null);
  t.deepEqual(log, ['setup', 'a 1', 'teardown 1', 'b 0', 'teardown 0']);
  t.is(iterationsOf(machine.messages).length, 2);
});

test('a body without arguments is told of where its time is not checked for linearity', async (t) => {
  const around = { setupInvocation() {} };
  const found = async (suite: Parameters<typeof runInProcess>[0], linearityCheck = true) => {
    const { machine, error } = await runInProcess(suite, { linearityCheck, warmupIterations: 2 });
    t.is(error, null);
    return findingsOf(machine.messages).filter((id) => id === 'no-input');
  };
  t.deepEqual(await found((m) => ({ benchmarks: { b: async () => m.pass(100) } })), ['no-input']);
  t.deepEqual(await found((m) => ({ ...around, benchmarks: { b: () => m.pass(100) } })), ['no-input']);
  t.deepEqual(await found((m) => ({ ...around, benchmarks: { b: (_: unknown) => m.pass(100) } })), []);
  t.deepEqual(await found((m) => ({ ...around, benchmarks: { b: () => m.pass(100) } }), false), []);
  // The iteration before the check lost its time to something else: its body is not long for that.
  let calls = 0;
  t.deepEqual(await found((m) => ({ benchmarks: { b: async () => m.pass(calls++ < 1000 ? 100 : 5e6) } })), [
    'no-input',
  ]);
});
