/** Threads that spin for each other inside an invocation see when the iteration starts and that it is over. */
import test from 'ava';
import { iterationsOf, measured, TINY, texts, trialOf } from './support.js';

test.serial(
  'partners that wait for each other, and threads that wait for nobody, all end with their iterations',
  async (t) => {
    const run = await measured(t, 'control.bench.mjs', [...TINY, '-to', '5s', '--no-linearity']);
    t.is(run.code, 0, run.stdout);
    const rally = trialOf(run.result, 'rally');
    for (const { threads } of iterationsOf(rally)) t.true(threads!.every(({ ops }) => ops > 0));
    t.deepEqual(texts(run.of(rally)), ['saw both flags', 'saw both flags']);
    const waiting = trialOf(run.result, 'waiting');
    t.deepEqual(texts(run.of(waiting)), ['saw both flags', 'saw both flags']);
    t.true(waiting.forks[0]!.wallMs < 20_000);
  },
);
