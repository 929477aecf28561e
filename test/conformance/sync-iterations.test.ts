/** Threads call the benchmark unmeasured until all have started and until all are done, if and only if iterations are synchronised. */
import test from 'ava';
import { type Measured, measured, TINY, texts, trialOf } from './support.js';

/** Calls made and calls measured, per thread, over the whole fork. */
function calls(run: Measured) {
  const trial = trialOf(run.result, 'run');
  const [fork] = trial.forks;
  const iterations = [...fork!.warmup, ...fork!.iterations];
  const made = [0, 1].map((index) => {
    const line = texts(run.of(trial)).find((text) => text.startsWith(`thread ${index} `))!;
    return Number(/calls (\d+)/.exec(line)![1]);
  });
  const measuredCalls = [0, 1].map((index) => iterations.reduce((sum, { threads }) => sum + threads![index]!.ops, 0));
  const counted = iterations.reduce((sum, { counters }) => sum + counters!.counted!, 0);
  const alone = iterations.reduce((sum, { counters }) => sum + counters!.alone!, 0);
  return { made, timed: measuredCalls, counted, alone };
}
const ARGS = [...TINY, '-t', '2', '--only', '^Late', '--no-linearity'];

test.serial('-si true: the thread that is early keeps calling, and none of that is measured or counted', async (t) => {
  const run = await measured(t, 'threads.bench.mjs', [...ARGS, '-si', 'true']);
  t.is(run.code, 0, run.stdout);
  const { made, timed, counted, alone } = calls(run);
  // Four of five iterations begin 60 ms late on the other thread (in the first it does not know its index yet); a call takes 0.2 ms.
  t.true(made[0]! - timed[0]! > 100, `${made[0]} made, ${timed[0]} measured`);
  t.is(counted, timed[0]! + timed[1]!);
  t.is(alone, 0, 'no call is measured while the other thread is not in its iteration');
});

test.serial('-si false: every call but the first of each thread is measured', async (t) => {
  const run = await measured(t, 'threads.bench.mjs', [...ARGS, '-si', 'false']);
  t.is(run.code, 0, run.stdout);
  const { made, timed, counted, alone } = calls(run);
  t.deepEqual(made, [timed[0]! + 1, timed[1]! + 1]);
  t.is(counted, timed[0]! + timed[1]!);
  t.true(alone > 0, 'the early thread measures alone');
});
