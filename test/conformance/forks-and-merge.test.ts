/** Every fork is a fresh process; the headline is the mean of their scores, discarded forks not among them. */
import test from 'ava';
import { measured, TINY, trialOf } from './support.js';

test.serial('three forks, one discarded: three processes in the result, their mean in the table', async (t) => {
  const args = [...TINY, '-f', '3', '-wf', '1', '-bm', 'avgt,thrpt', '--only', 'Counts.run'];
  const run = await measured(t, 'counts.bench.mjs', args);
  t.is(run.code, 0, run.stderr);
  for (const mode of ['avgt', 'thrpt']) {
    const { forks, score } = trialOf(run.result, 'run', mode);
    t.deepEqual(
      forks.map(({ index }) => index),
      [0, 1, 2],
    );
    const pids = new Set(forks.map(({ runtime }) => runtime!.pid));
    t.is(pids.size, 3);
    const all = new Set(run.notes.map(({ pid }) => pid));
    t.is(all.size, 8, 'three and a discarded one in each mode');
    const scores = forks.map(({ iterations }) => {
      const ops = iterations.reduce((sum, it) => sum + it.ops, 0);
      const ns = iterations.reduce((sum, it) => sum + it.elapsedNs, 0);
      return mode === 'avgt' ? ns / ops : (ops * 1e9) / ns;
    });
    const mean = scores.reduce((a, b) => a + b) / 3;
    t.true(Math.abs(score!.value / mean - 1) < 1e-9);
    t.is(score!.n, 3);
    t.deepEqual([score!.min, score!.max], [Math.min(...scores), Math.max(...scores)]);
  }
});

test.serial(
  "arguments of node: the forks get what the highest layer says, the others' are replaced, and none leak from the host",
  async (t) => {
    const args = [...TINY, '-f', '1', '--only', '^Args', '--node-args=--max-semi-space-size=8'];
    const flags = async (more: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const run = await measured(t, 'args.bench.mjs', [...TINY, '-f', '1', '--only', '^Args', ...more], env);
      const { forks, options } = run.result.trials[0]!;
      const own = forks[0]!.runtime!.execArgv.filter((arg) => arg.startsWith('--max-semi'));
      return [own, options.nodeArgs!.source];
    };
    t.deepEqual(await flags([]), [['--max-semi-space-size=4'], 'suite']);
    t.deepEqual(await flags(args.slice(-1)), [['--max-semi-space-size=8'], 'command line']);
    const leaky = { NODE_OPTIONS: '--max-semi-space-size=2', TSCOPE_NODE_ARGS: '--max-semi-space-size=16' };
    t.deepEqual(await flags([], leaky), [['--max-semi-space-size=16'], 'environment']);
  },
);
