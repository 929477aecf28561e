/** Single shot measures the first call of a fresh process: nothing is called before it, and batches are run whole. */
import test from 'ava';
import { iterationsOf, measured, texts, trialOf } from './support.js';

test.serial('by default: one call a fork, unwarmed, in as many processes as forks', async (t) => {
  const run = await measured(t, 'shots.bench.mjs', ['-f', '3']);
  t.is(run.code, 0, run.stderr);
  for (const name of ['once', 'later']) {
    const trial = trialOf(run.result, name);
    t.is(trial.score!.n, 3);
    t.is(trial.score!.unit, 'ms/op');
    for (const [i, { iterations, warmup, startup, linearity }] of trial.forks.entries()) {
      t.deepEqual([iterations.length, warmup.length], [1, 0]);
      t.is(linearity, null);
      // It spins by the clock, so it cannot be shorter; longer only when the machine took time away.
      t.true(iterations[0]!.score! >= 29.9, `${name}: ${iterations[0]!.score} ms`);
      t.deepEqual(texts(run.of(trial, i)), ['calls 1']);
      // Start-up phases stand apart from the score: setup takes 10 ms, the first call comes after all of them.
      t.true(startup.setupMs! >= 9 && startup.loadMs! > 0 && startup.spawnToEntryMs! > 0);
      t.true(startup.spawnToFirstInvocationMs! >= startup.spawnToEntryMs! + startup.setupMs!);
    }
  }
});

test.serial('a batch is one op: its calls are all in it, and the next shot is warm', async (t) => {
  const run = await measured(t, 'shots.bench.mjs', ['-f', '1', '-bs', '3', '-i', '2', '--only', 'once']);
  const trial = trialOf(run.result, 'once');
  const [first, second] = iterationsOf(trial);
  t.deepEqual([first!.counters!.calls, second!.counters!.calls], [3, 3]);
  t.deepEqual([first!.ops, second!.ops], [1, 1]);
  t.true(first!.score! >= 31.9);
  t.true(second!.score! < first!.score!, 'three calls of 1 ms against one of 30 and two of 1');
  t.deepEqual(texts(run.notes), ['calls 6']);
});
