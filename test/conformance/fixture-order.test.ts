/** Fixtures run in one order, whatever the mode, and whether they are asynchronous or not. */
import test from 'ava';
import { measured, TINY, texts, times, trialOf } from './support.js';

const MODES = ['avgt', 'thrpt', 'sample', 'ss'];
const ITERATION = ['setupIteration', 'run', 'teardownIteration'];
const repeat = (n: number, list: readonly string[]) => Array.from({ length: n }, () => list).flat();
const begun = (name: string) => [`${name} begins`, name];

test.serial(
  'between levels: shared, setup, inputs, iterations with theirs around each, teardown; in every mode',
  async (t) => {
    const run = await measured(t, 'order.bench.mjs', [...TINY, '-bm', 'all', '--only', '^Sync', '--no-linearity']);
    t.is(run.code, 0, run.stderr);
    t.is(run.result.trials.length, 4);
    for (const mode of MODES) {
      const notes = run.of(trialOf(run.result, 'run', mode));
      t.deepEqual(texts(notes), ['shared', 'setup', 'inputs', ...repeat(5, ITERATION), 'teardown'], mode);
    }
  },
);

test.serial('asynchronous fixtures are awaited before anything else begins', async (t) => {
  const run = await measured(t, 'order.bench.mjs', [...TINY, '-bm', 'all', '--only', '^Async']);
  t.is(run.code, 0, run.stderr);
  const iteration = [...begun('setupIteration'), 'run', ...begun('teardownIteration')];
  const whole = [
    ...begun('shared'),
    ...begun('setup'),
    ...begun('inputs'),
    ...repeat(5, iteration),
    ...begun('teardown'),
  ];
  for (const mode of MODES) t.deepEqual(texts(run.of(trialOf(run.result, 'run', mode))), whole, mode);
});

test.serial(
  'the check for removed work is one more iteration to the fixtures: no call is made outside of an open one',
  async (t) => {
    const run = await measured(t, 'order.bench.mjs', [...TINY, '--only', '^Sync']);
    const notes = run.of(trialOf(run.result, 'run'));
    t.deepEqual(texts(notes), ['shared', 'setup', 'inputs', ...repeat(6, ITERATION), 'teardown']);
  },
);

test.serial(
  'inside an iteration every invocation is between its own two fixtures, as often as it was called',
  async (t) => {
    const run = await measured(t, 'order.bench.mjs', [...TINY, '-bm', 'all', '--only', '^Invocation']);
    t.is(run.code, 0, run.stderr);
    for (const mode of MODES) {
      const trial = trialOf(run.result, 'run', mode);
      const notes = run.of(trial);
      t.deepEqual(
        texts(notes).filter((text) => text.startsWith('violation')),
        [],
        mode,
      );
      t.is(times(notes, 'setup'), 1);
      const [before, runs, after] = /calls (\d+) (\d+) (\d+)/.exec(texts(notes).at(-1)!)!.slice(1).map(Number);
      t.deepEqual([before, after], [runs, runs], mode);
      t.true(runs! >= 5, 'at least one call an iteration');
      if (mode === 'ss') t.is(runs, 5);
    }
  },
);
