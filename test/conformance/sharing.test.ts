/** What threads see of each other: setup gives each thread its own state, shared memory is one, plain shared data are copies. */
import test from 'ava';
import { measured, TINY, texts, trialOf } from './support.js';

const read = (text: string) => {
  const match = /^own (\d+) plain (\d+) memory (\d+) input (\d+)$/.exec(text);
  if (!match) throw new Error(text);
  const [own, plain, memory, input] = match.slice(1).map(Number) as [number, number, number, number];
  return { own, plain, memory, input };
};

test.serial("one thread: all of it is that thread's", async (t) => {
  const run = await measured(t, 'threads.bench.mjs', [...TINY, '--only', '^Scopes']);
  const [only] = texts(run.of(trialOf(run.result, 'run'))).map(read);
  t.true(only!.own >= 5);
  t.deepEqual([only!.plain, only!.memory, only!.input], [only!.own, only!.own, only!.own]);
});

test.serial(
  'two threads: state, inputs and plain shared data are separate, a SharedArrayBuffer counts the calls of both',
  async (t) => {
    const run = await measured(t, 'threads.bench.mjs', [...TINY, '-t', '2', '--only', '^Scopes', '--no-linearity']);
    t.is(run.code, 0, run.stdout);
    const seen = texts(run.of(trialOf(run.result, 'run'))).map(read);
    t.is(seen.length, 2);
    for (const { own, plain, input } of seen) t.deepEqual([plain, input], [own, own]);
    // Teardown begins when every thread has ended its last iteration, so both see all calls.
    const total = seen[0]!.own + seen[1]!.own;
    t.deepEqual([seen[0]!.memory, seen[1]!.memory], [total, total]);
  },
);
