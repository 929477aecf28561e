/** Setup, invocations and teardown of a state happen on one thread, and every thread keeps its place. */
import test from 'ava';
import { measured, type Note, TINY, times, trialOf } from './support.js';

const byThread = (notes: readonly Note[]) => {
  const threads = new Map<number, Note[]>();
  for (const note of notes) threads.set(note.thread, [...(threads.get(note.thread) ?? []), note]);
  return threads;
};
const noStrays = (notes: readonly Note[]) => notes.filter(({ text }) => /^(stray|role changed)/.test(text));

test.serial('one thread: everything runs on the main thread of the fork', async (t) => {
  const run = await measured(t, 'threads.bench.mjs', [...TINY, '--only', '^Same']);
  const notes = run.of(trialOf(run.result, 'run'));
  t.deepEqual([...byThread(notes).keys()], [0]);
  t.is(notes.at(-1)!.text, 'teardown run 0 of 1 in null');
  t.deepEqual(noStrays(notes), []);
});

test.serial(
  'three threads: each sets up, runs and tears down its own state; shared runs once, before them',
  async (t) => {
    const run = await measured(t, 'threads.bench.mjs', [...TINY, '-t', '3', '--only', '^Same', '--no-linearity']);
    t.is(run.code, 0, run.stdout);
    const notes = run.of(trialOf(run.result, 'run'));
    t.is(notes[0]!.text, 'shared');
    t.is(times(notes, 'shared'), 1);
    t.deepEqual(noStrays(notes), []);
    const workers = [...byThread(notes.slice(1))];
    t.is(workers.length, 3);
    for (const [thread, own] of workers) {
      t.true(thread > 0, 'the main thread only conducts');
      t.is(own[0]!.text, 'setup');
      t.is(times(own, 'setup'), 1);
      t.is(times(own, 'setupIteration'), 5);
      t.is(times(own, 'teardownIteration'), 5);
    }
    const ends = workers.map(([, own]) => own.at(-1)!.text).sort();
    t.deepEqual(ends, ['teardown run 0 of 3 in null', 'teardown run 1 of 3 in null', 'teardown run 2 of 3 in null']);
  },
);
