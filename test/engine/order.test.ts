import test from 'ava';
import type { LoadedDefinition } from '#lib/engine/load.js';
import { runInProcess } from './support/in-process.js';

/** A suite whose every function notes its name; benchmark calls that follow each other are noted once. */
function noting(log: string[], machine: { pass: (ns: number) => void }, more: Partial<LoadedDefinition> = {}) {
  const note = (name: string) => {
    if (log[log.length - 1] !== name) log.push(name);
  };
  const later = async (name: string) => {
    await null;
    note(name);
  };
  return {
    shared: () => (note('shared'), 1),
    setup: () => (note('setup'), { n: 1 }),
    inputs: () => (note('inputs'), [1, 2, 3]),
    setupIteration: () => note('setupIteration'),
    teardownIteration: () => later('teardownIteration'),
    teardown: () => later('teardown'),
    benchmarks: {
      b: () => {
        note('b');
        machine.pass(1000);
        return 1;
      },
    },
    ...more,
  } as LoadedDefinition;
}

const ITERATION = ['setupIteration', 'b', 'teardownIteration'];

test('fixtures run in order, warm-up iterations included', async (t) => {
  const log: string[] = [];
  const { machine, error } = await runInProcess((m) => noting(log, m));
  t.is(error, null);
  t.deepEqual(log, ['shared', 'setup', 'inputs', ...ITERATION, ...ITERATION, ...ITERATION, ...ITERATION, 'teardown']);
  t.deepEqual(
    machine.messages.map(({ type }) => type),
    ['loaded', 'ready', 'warmup', 'warmup', 'warm', 'finding', 'iteration', 'iteration']
      .filter((type) => type !== 'finding')
      .concat('finding'),
  );
});

test('asynchronous benchmarks and fixtures run in the same order', async (t) => {
  const log: string[] = [];
  const { error } = await runInProcess((m) =>
    noting(log, m, {
      setup: async () => (await null, log.push('setup'), {}),
      benchmarks: {
        b: async () => {
          if (log[log.length - 1] !== 'b') log.push('b');
          await null;
          m.pass(1000);
        },
      },
    }),
  );
  t.is(error, null);
  t.deepEqual(log, ['shared', 'setup', 'inputs', ...ITERATION, ...ITERATION, ...ITERATION, ...ITERATION, 'teardown']);
});

const boom = () => {
  throw new Error('boom');
};
const AFTER_FAILURE: readonly [name: string, more: Partial<LoadedDefinition>, log: readonly string[]][] = [
  ['shared', { shared: boom }, []],
  ['setup', { setup: boom }, ['shared']],
  ['setup', { setup: async () => boom() }, ['shared']],
  ['inputs', { inputs: boom }, ['shared', 'setup', 'teardown']],
  ['setupIteration', { setupIteration: boom }, ['shared', 'setup', 'inputs', 'teardown']],
  [
    'benchmark',
    { benchmarks: { b: boom } },
    ['shared', 'setup', 'inputs', 'setupIteration', 'teardownIteration', 'teardown'],
  ],
  ['teardownIteration', { teardownIteration: boom }, ['shared', 'setup', 'inputs', 'setupIteration', 'b', 'teardown']],
  [
    'teardown',
    { teardown: boom },
    ['shared', 'setup', 'inputs', ...ITERATION, ...ITERATION, ...ITERATION, ...ITERATION],
  ],
];
for (const [k, [phase, more, expected]] of AFTER_FAILURE.entries()) {
  test(`${k}: after ${phase} failed, exactly what was set up is torn down`, async (t) => {
    const log: string[] = [];
    const { error } = await runInProcess((m) => noting(log, m, more));
    t.is(error?.phase, phase);
    t.regex(error!.message, /suite "S".*boom/);
    t.deepEqual(log, expected);
  });
}

test('a benchmark that fails in the middle of measuring is torn down once, and what was measured before is kept', async (t) => {
  const log: string[] = [];
  let iterations = 0;
  const { machine, error } = await runInProcess((m) =>
    noting(log, m, {
      setupIteration: () => {
        log.push('setupIteration');
        iterations++;
      },
      benchmarks: {
        b: () => {
          m.pass(1000);
          if (iterations === 4) boom();
          return 1;
        },
      },
    }),
  );
  t.is(error?.phase, 'benchmark');
  t.deepEqual(log.slice(-3), ['setupIteration', 'teardownIteration', 'teardown']);
  t.is(machine.messages.filter(({ type }) => type === 'iteration').length, 1);
});

test('without setup the params are the state; state, harness and input arrive', async (t) => {
  const seen: unknown[][] = [];
  await runInProcess(
    (m) => ({
      inputs: () => ['x', 'y', 'z'],
      benchmarks: { b: (...args: unknown[]) => (m.pass(100_000), seen.push(args), 'r') },
    }),
    { params: { size: 3, name: 'n' } },
  );
  t.deepEqual(seen[0]![0], { size: 3, name: 'n' });
  t.deepEqual(Object.keys(seen[0]![1] as object).sort(), ['blackhole', 'control', 'counters', 'thread']);
  // Each invocation gets the next one, from the first call on and over the borders of chunks and iterations.
  t.deepEqual(
    seen.slice(0, 7).map((args) => args[2]),
    ['x', 'y', 'z', 'x', 'y', 'z', 'x'],
  );
});

for (const [what, inputs] of [
  ['an empty array', []],
  ['no array', { length: 3 }],
] as const) {
  test(`inputs that are ${what} are refused with a sentence`, async (t) => {
    const { error } = await runInProcess(() => ({ inputs: () => inputs as never, benchmarks: { b: () => 1 } }));
    t.is(error?.phase, 'inputs');
    t.regex(error!.message, /inputs of suite "S"/);
  });
}
