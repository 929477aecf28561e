/** Each fixture runs exactly as often as promised: once, or once an iteration; after a failure, what was set up is torn down once. */
import test from 'ava';
import { iterationsOf, measured, TINY, texts, times, trialOf } from './support.js';

test.serial('once per fork: shared, setup, inputs and teardown; once per iteration: theirs', async (t) => {
  const run = await measured(t, 'order.bench.mjs', [
    ...TINY,
    '-f',
    '3',
    '-wf',
    '1',
    '--only',
    '^Sync',
    '--no-linearity',
  ]);
  const trial = trialOf(run.result, 'run');
  t.is(trial.forks.length, 3);
  for (const fork of [0, 1, 2]) {
    const notes = run.of(trial, fork);
    for (const name of ['shared', 'setup', 'inputs', 'teardown']) t.is(times(notes, name), 1, name);
    for (const name of ['setupIteration', 'teardownIteration']) t.is(times(notes, name), 2 + 3, name);
  }
  // The discarded fork ran as well, and whole.
  t.is(times(run.notes, 'teardown'), 4);
});

test.serial('without warm-up there are exactly the measured iterations', async (t) => {
  const run = await measured(t, 'order.bench.mjs', [
    ...TINY,
    '-wi',
    '0',
    '-i',
    '1',
    '--only',
    '^Sync',
    '--no-linearity',
  ]);
  const notes = run.of(trialOf(run.result, 'run'));
  t.is(times(notes, 'setupIteration'), 1);
  t.is(times(notes, 'teardownIteration'), 1);
});

/** Place, what was noted, and the measured iterations that are kept. */
const OPEN = ['shared', 'setup', 'inputs'];
const ONE = ['setupIteration', 'run', 'teardownIteration'];
const FAILURES: readonly (readonly [place: string, notes: readonly string[], kept: number])[] = [
  ['shared', ['shared'], 0],
  ['setup', ['shared', 'setup'], 0],
  ['inputs', [...OPEN, 'teardown'], 0],
  ['setupIteration', [...OPEN, 'setupIteration', 'teardown'], 0],
  ['run', [...OPEN, ...ONE, 'teardown'], 0],
  ['measured run', [...OPEN, ...ONE, ...ONE, ...ONE, ...ONE, 'teardown'], 1],
  ['teardownIteration', [...OPEN, ...ONE, 'teardown'], 0],
  ['teardown', [...OPEN, ...ONE, ...ONE, ...ONE, ...ONE, ...ONE, 'teardown'], 3],
];

test.serial(
  'after a failure exactly what was set up is torn down, once, and the failure names its place',
  async (t) => {
    const run = await measured(t, 'failures.bench.mjs', [...TINY, '--no-linearity']);
    t.is(run.code, 1);
    t.is(run.result.trials.length, FAILURES.length + 1);
    for (const trial of run.result.trials) {
      const place = trial.params.place as string;
      const expected = FAILURES.find(([name]) => name === place);
      if (!expected) {
        t.is(place, 'nowhere');
        t.is(trial.status, 'ok');
        continue;
      }
      const [, notes, kept] = expected;
      t.deepEqual(texts(run.of(trial)), notes, place);
      t.is(trial.failure!.phase, place.endsWith('run') ? 'benchmark' : place);
      t.true(trial.failure!.message.includes(`boom in ${place}`), trial.failure!.message);
      t.regex(trial.failure!.message, /suite "Fails"/);
      t.regex(trial.failure!.stack!, /failures\.bench\.mjs:\d+/);
      t.is(trial.score, null, 'half a trial has no score');
      t.is(iterationsOf(trial).length, kept, 'what was measured before is kept');
    }
  },
);
