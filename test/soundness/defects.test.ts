import test from 'ava';
import { fixture, runFork } from '../engine/support/run-fork.js';

const file = fixture('soundness/fixtures/suites.mjs');

test.serial('a cold first call of 5 ms does not decide the chunks', async (t) => {
  const report = await runFork({ file, suite: 'Cold', benchmark: 'cold', warmupIterations: 3, iterations: 2 });
  for (const { chunks } of report.iterations) t.true(chunks!.invocations > 500, `${chunks!.invocations} invocations`);
});

test.serial('GC is seen inside iterations', async (t) => {
  const report = await runFork({
    file,
    suite: 'Garbage',
    benchmark: 'garbage',
    warmupIterations: 2,
    iterations: 3,
    iterationTimeMs: 100,
  });
  const { iterations } = report;
  t.true(
    iterations.some(({ gc }) => gc.count > 0 && gc.ns > 0),
    JSON.stringify(iterations.map(({ gc }) => gc)),
  );
  for (const { gc, tags } of iterations) t.is(tags.includes('gc'), gc.count > 0);
});

test.serial('kept chunks are in the order of time', async (t) => {
  const report = await runFork({
    file,
    suite: 'Slowing',
    benchmark: 'slowing',
    warmupIterations: 2,
    iterations: 1,
    iterationTimeMs: 100,
    keepChunks: true,
  });
  const values = report.iterations[0]!.chunks!.values!;
  const quarter = values.length >> 2;
  t.true(quarter > 10);
  const middle = (part: readonly number[]) => [...part].sort((a, b) => a - b)[part.length >> 1]!;
  t.true(middle(values.slice(-quarter)) > 1.3 * middle(values.slice(0, quarter)));
});

test.serial('memory stays flat while 1e8 ops are sampled', async (t) => {
  t.timeout(60_000);
  const plan = { file, suite: 'Flat', benchmark: 'flat', mode: 'sample', warmupIterations: 2, iterations: 4 } as const;
  const report = await runFork({ ...plan, iterationTimeMs: 400 }, { args: ['--expose-gc'] });
  const seen = [...report.output.matchAll(/memory (\d+) heap (\d+) calls (\d+)/g)].map(([, ...sizes]) =>
    sizes.map(Number),
  );
  t.is(seen.length, 6);
  const [outside, heap] = [0, 1].map((which) => seen[5]![which]! - seen[1]![which]!) as [number, number];
  t.true(outside < 2_000_000, `${outside} bytes outside of the heap`);
  // A number for each sample, in the smallest kind of array, would be 4 bytes.
  const samples = report.iterations.reduce((sum, { histogram }) => sum + histogram!.total, 0);
  const calls = seen[5]![2]! - seen[1]![2]!;
  t.log(`${heap} bytes of heap, ${samples} samples of ${calls} calls`);
  t.true(calls > 1e8, `${calls} calls`);
  t.true(heap < 100_000 + samples, `${heap} bytes of heap for ${samples} samples`);
  t.true(report.iterations.every(({ histogram }) => histogram!.total > 1000));
});

test.serial('a stop of 300 ms inside an iteration is a gap, not a slow benchmark', async (t) => {
  t.timeout(60_000);
  let stopped = false;
  const report = await runFork(
    { file, suite: 'abc', benchmark: 'a', warmupIterations: 2, iterations: 3, iterationTimeMs: 400 },
    {
      onMessage: (message, pid) => {
        if (message.type !== 'iteration' || stopped) return;
        stopped = true;
        setTimeout(() => {
          process.kill(pid, 'SIGSTOP');
          setTimeout(() => process.kill(pid, 'SIGCONT'), 300);
        }, 100);
      },
    },
  );
  const worst = Math.max(...report.iterations.map(({ gaps }) => gaps.worstNs));
  t.true(worst > 250e6 && worst < 2000e6, `${worst} ns`);
  const hit = report.iterations.find(({ gaps }) => gaps.worstNs === worst)!;
  t.true(hit.tags.includes('gap'));
  t.true(hit.gaps.lostNs >= 250e6);
  // The score includes the stop, as JMH's would, and so does the aware one: to the kernel a stopped thread sleeps, as a benchmark may by
  // itself. The gap and the chunks tell.
  t.true(hit.chunks!.medianNs < 0.8 * hit.score!);
});
