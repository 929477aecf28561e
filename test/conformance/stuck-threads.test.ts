/** A thread that throws, loops, waits for ever or exits fails its trial with a sentence; the fork ends and keeps what it measured. */
import test from 'ava';
import { iterationsOf, measured, TINY } from './support.js';

const EXPECTED: Readonly<Record<string, readonly [phase: string, message: RegExp]>> = {
  'One throws': [
    'benchmark',
    /benchmark "run" of suite "One throws" failed: Error: boom in a thread \(thread 2 of 2\)/,
  ],
  'One loops': ['timeout', /suite "One loops" did not return within \d+ ms: an endless loop.*thread 2 of 2/],
  'One never settles': [
    'timeout',
    /^(?:benchmark .*did not settle within \d+ ms.*thread 2 of 2\)|thread 2 of 2 of benchmark "run" of suite "One never settles" did not end the iteration)/,
  ],
  'One exits': ['exit', /thread 2 of 2 ended by itself with code 3/],
};

test.serial('one bad thread of two', async (t) => {
  const args = [...TINY, '-t', '2', '-to', '700ms', '--only', '^One', '--no-linearity'];
  const run = await measured(t, 'threads.bench.mjs', args);
  t.is(run.code, 1);
  t.is(run.result.trials.length, 4);
  for (const trial of run.result.trials) {
    const [phase, message] = EXPECTED[trial.suite]!;
    t.is(trial.failure?.phase, phase, trial.suite);
    t.regex(trial.failure!.message, message);
    t.is(trial.score, null);
    t.is(iterationsOf(trial).length, 1, 'iterations before are kept');
    t.true(trial.forks[0]!.wallMs < 20_000, 'nothing waits for the stuck thread');
  }
});
