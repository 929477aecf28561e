/** A fork warms its own benchmark only; on request each is measured a second time after the others of its suite, beside the first. */
import test from 'ava';
import { fixture, tscope } from '../support/cli.js';
import { measured, TINY, texts, trialOf } from './support.js';

const around = (name: string) => ['setup', name, 'teardown'];

test.serial('-wm indi (default): no other benchmark is called in a fork', async (t) => {
  const run = await measured(t, 'warmup.bench.mjs', [...TINY, '--only', '^Several', '--no-linearity']);
  for (const trial of run.result.trials) t.deepEqual(texts(run.of(trial)), around(trial.benchmark));
});

test.serial('-wm bulk_indi: each benchmark twice, alone and after the others with states of their own', async (t) => {
  const run = await measured(t, 'warmup.bench.mjs', [
    ...TINY,
    '-wm',
    'BULK_INDI',
    '--only',
    '^Several',
    '--no-linearity',
  ]);
  t.is(run.code, 0, run.stderr);
  t.deepEqual(
    run.result.trials.map(({ benchmark, baseline }) => [benchmark, baseline]),
    [
      ['a', true],
      ['a (polluted)', false],
      ['b', false],
      ['b (polluted)', false],
      ['c', false],
      ['c (polluted)', false],
    ],
  );
  t.is(new Set(run.result.trials.map(({ id }) => id)).size, 6);
  t.deepEqual(texts(run.of(trialOf(run.result, 'b'))), around('b'));
  t.deepEqual(texts(run.of(trialOf(run.result, 'b (polluted)'))), [
    'setup',
    ...around('a'),
    ...around('c'),
    'b',
    'teardown',
  ]);
  const [polluted] = trialOf(run.result, 'b (polluted)').forks;
  t.deepEqual([polluted!.warmup.length, polluted!.iterations.length], [2, 3], 'its own warm-up comes after');
  t.regex(run.stdout, /Several\.b \(polluted\) /);
});

test.serial(
  'a suite can ask for it, the command line can take it back, and the selection is by the plain name',
  async (t) => {
    const file = fixture('conformance/fixtures/warmup.bench.mjs');
    const list = async (...args: string[]) => (await tscope(['run', file, '-l', '--no-config', ...args])).stdout;
    t.is(await list('--only', '^Says so.a$'), 'Says so.a\nSays so.a (polluted)\n');
    t.is(await list('--only', '^Says so.a$', '-wm', 'indi'), 'Says so.a\n');
  },
);

test.serial('what cannot be polluted is measured alone and says why', async (t) => {
  const single = await measured(t, 'warmup.bench.mjs', [...TINY, '-wm', 'bulk_indi', '--only', '^Single']);
  t.deepEqual(
    single.result.trials.map(({ benchmark }) => benchmark),
    ['a'],
  );
  t.regex(single.stdout, /not-polluted.*the suite has no other benchmark/);
  const shot = await measured(t, 'warmup.bench.mjs', ['-f', '1', '-bm', 'ss', '--only', '^Says so.a$']);
  t.regex(shot.stdout, /not-polluted.*first call of a fresh process/);
});

test.serial('-wm bulk alone does not exist, which is said', async (t) => {
  const file = fixture('conformance/fixtures/warmup.bench.mjs');
  const { code, stderr } = await tscope(['run', file, '-wm', 'bulk']);
  t.is(code, 2);
  t.regex(stderr, /-wm \(--warmup-mode\): must be indi or bulk_indi, not "bulk"\. Every fork warms/);
});
