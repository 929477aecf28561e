/** Iterations, batches and ops per invocation are counted exactly, in every mode, and scale the score exactly. */
import test from 'ava';
import { iterationsOf, measured, TINY, texts, trialOf } from './support.js';

const close = (a: number, b: number) => Math.abs(a / b - 1) < 1e-9;
const ARGS = [...TINY, '-bs', '4', '-opi', '6', '-bm', 'all', '--only', '^Counts', '--no-linearity'];

for (const benchmark of ['run', 'later']) {
  test.serial(
    `${benchmark}: ops are invocations x ops per invocation / batch in avgt and thrpt; sample and ss really run the batch as one op`,
    async (t) => {
      const run = await measured(t, 'counts.bench.mjs', [...ARGS, '-e', benchmark === 'run' ? 'later' : 'run']);
      t.is(run.code, 0, run.stderr);
      for (const mode of ['avgt', 'thrpt', 'sample', 'ss']) {
        const iterations = iterationsOf(trialOf(run.result, benchmark, mode));
        t.is(iterations.length, 3);
        for (const { ops, counters, elapsedNs, score, histogram } of iterations) {
          const calls = counters!.calls!;
          if (mode === 'ss') t.deepEqual([calls, ops], [4, 6]);
          // With lanes, one call may be in flight when the time is over; it is made and not measured.
          else if (mode !== 'sample')
            t.true(close(ops, (calls * 6) / 4) || (benchmark === 'later' && calls > 0), `${mode} ${ops} ${calls}`);
          else {
            t.is(calls % 4, 0);
            t.is(ops, histogram!.total * 6);
            t.true(histogram!.total <= calls / 4);
          }
          const perOp = elapsedNs / ops;
          t.true(close(score!, mode === 'thrpt' ? 1e9 / perOp : perOp), mode);
        }
      }
    },
  );
}

test.serial('a warm-up batch is its own: -wbs calls in each warm-up shot, -bs in each measured one', async (t) => {
  const args = ['-f', '1', '-bm', 'ss', '-wi', '2', '-wbs', '3', '-i', '2', '-bs', '5', '--only', 'Counts.run'];
  const run = await measured(t, 'counts.bench.mjs', args);
  const [fork] = trialOf(run.result, 'run').forks;
  t.deepEqual(
    [...fork!.warmup, ...fork!.iterations].map(({ counters }) => counters!.calls),
    [3, 3, 5, 5],
  );
  t.deepEqual(texts(run.notes), ['made 16'], 'and no call beside them');
});

test.serial("iteration counts: the benchmark's own before the suite's, the command line before both", async (t) => {
  const short = ['-f', '1', '-w', '5ms', '-r', '5ms', '--only', '^Declared', '--no-linearity', '--no-canaries'];
  const declared = await measured(t, 'counts.bench.mjs', short);
  const counts = (run: typeof declared) =>
    ['own', 'suites'].map((name) => {
      const [fork] = trialOf(run.result, name).forks;
      return [fork!.warmup.length, fork!.iterations.length];
    });
  t.deepEqual(counts(declared), [
    [1, 4],
    [1, 2],
  ]);
  const { iterations } = trialOf(declared.result, 'suites').forks[0]!;
  for (const { ops } of iterations) t.is(ops % 10, 0, 'ten ops an invocation');
  t.deepEqual(counts(await measured(t, 'counts.bench.mjs', [...short, '-i', '1', '-wi', '0'])), [
    [0, 1],
    [0, 1],
  ]);
});
