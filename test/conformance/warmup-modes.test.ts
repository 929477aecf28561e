/** A fork warms its own benchmark only; on request all of its suite, or each is measured a second time after the others, beside the first. */
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

test.serial(
  '-wm bulk: a fork warms all in declared order, its own at its place, and measures without warming again',
  async (t) => {
    const args = [...TINY, '-wm', 'BULK', '--only', '^Several', '--no-linearity'];
    const run = await measured(t, 'warmup.bench.mjs', args);
    t.is(run.code, 0, run.stderr);
    t.deepEqual(
      run.result.trials.map(({ benchmark, baseline }) => [benchmark, baseline]),
      [
        ['a (bulk)', true],
        ['b (bulk)', false],
        ['c (bulk)', false],
      ],
    );
    const order = (benchmark: string) => texts(run.of(trialOf(run.result, benchmark)));
    t.deepEqual(order('a (bulk)'), ['setup', 'a', ...around('b'), ...around('c'), 'a', 'teardown']);
    t.deepEqual(order('b (bulk)'), ['setup', ...around('a'), 'b', ...around('c'), 'b', 'teardown']);
    t.deepEqual(order('c (bulk)'), ['setup', ...around('a'), ...around('b'), 'c', 'teardown']);
    for (const { forks } of run.result.trials)
      t.deepEqual([forks[0]!.warmup.length, forks[0]!.iterations.length], [2, 3]);
    t.regex(run.stdout, /Several\.b \(bulk\) /);
    t.regex(run.stdout, /bulk-order\] Several\.a \(bulk\): .* before 2 of 2 other benchmarks/);
    t.notRegex(run.stdout, /bulk-order\] Several\.c/, 'the last one has met all');
    const cold = await measured(t, 'warmup.bench.mjs', [...args, '-wi', '0']);
    const [b] = cold.result.trials.filter(({ benchmark }) => benchmark === 'b (bulk)');
    t.deepEqual(
      texts(cold.of(b!)),
      ['setup', ...around('a'), ...around('c'), 'b', 'teardown'],
      'with -wi 0 the others all the same',
    );
  },
);

test.serial('what has no company is measured alone under -wm bulk as well, and says why', async (t) => {
  const single = await measured(t, 'warmup.bench.mjs', [...TINY, '-wm', 'bulk', '--only', '^Single']);
  t.deepEqual(
    single.result.trials.map(({ benchmark }) => benchmark),
    ['a'],
  );
  t.regex(single.stdout, /not-polluted.*although warmupMode is bulk: the suite has no other benchmark/);
});

test.serial('a warm-up mode that does not exist is refused', async (t) => {
  const file = fixture('conformance/fixtures/warmup.bench.mjs');
  const { code, stderr } = await tscope(['run', file, '-wm', 'block']);
  t.is(code, 2);
  t.regex(stderr, /-wm \(--warmup-mode\): must be indi, bulk or bulk_indi, not "block"\./);
});
