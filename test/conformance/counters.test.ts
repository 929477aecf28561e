/** Counters are zeroed at each iteration, count measured calls only, and are carried as secondary scores: rates and sums. */
import test from 'ava';
import { iterationsOf, measured, TINY, trialOf } from './support.js';

for (const threads of ['1', '2']) {
  test.serial(`operations and events in avgt and thrpt, threads ${threads}`, async (t) => {
    const args = [...TINY, '-f', '2', '-t', threads, '-bm', 'avgt,thrpt', '--only', '^Rates'];
    const run = await measured(t, 'counters.bench.mjs', args);
    t.is(run.code, 0, run.stderr);
    for (const mode of ['avgt', 'thrpt']) {
      const trial = trialOf(run.result, 'run', mode);
      let events = 0;
      for (const { counters, ops } of iterationsOf(trial)) {
        t.is(counters!.events, ops, 'as many as were measured, from zero');
        // Every second call: a thread's iteration may begin and end with one of either kind.
        t.true(Math.abs(counters!.half! - ops / 2) <= Number(threads));
        t.is(counters!.untouched, 0);
        events += counters!.events!;
      }
      const { half, events: sum, untouched } = trial.secondary;
      t.deepEqual([sum!.value, sum!.unit, untouched!.value], [events, '#', 0]);
      t.is(half!.unit, trial.score!.unit);
      const ratio = half!.value / trial.score!.value;
      t.true(Math.abs(ratio - (mode === 'avgt' ? 2 : 0.5)) < 0.05, `${mode} ${ratio}`);
    }
    t.regex(run.stdout, /Rates\.run:half +thrpt .*ops\//);
    t.regex(run.stdout, /Rates\.run:events .*#/);
  });
}

test.serial('events have a meaning in sample and single shot too', async (t) => {
  const run = await measured(t, 'counters.bench.mjs', [...TINY, '-bm', 'sample,ss', '--only', '^Events']);
  t.is(run.code, 0, run.stderr);
  const shots = iterationsOf(trialOf(run.result, 'run', 'ss'));
  t.deepEqual(
    shots.map(({ counters }) => counters!.events),
    [2, 2, 2],
  );
  t.is(trialOf(run.result, 'run', 'ss').secondary.events!.value, 6);
  const sampled = trialOf(run.result, 'run', 'sample');
  for (const { counters, histogram } of iterationsOf(sampled)) t.true(counters!.events! / 2 >= histogram!.total);
  t.true(Object.hasOwn(sampled.secondary, 'p0.999'));
});

test.serial('a counter that is not declared, or is no number, fails its benchmark: nothing is dropped', async (t) => {
  const run = await measured(t, 'counters.bench.mjs', [...TINY, '--only', '^Undeclared']);
  t.is(run.code, 1);
  const at = (name: string) => trialOf(run.result, name).failure!;
  t.is(at('misspelt').phase, 'benchmark');
  t.regex(
    at('misspelt').message,
    /benchmark "misspelt" of suite "Undeclared" used counter "knwon", which its suite does not declare/,
  );
  t.regex(
    at('text').message,
    /benchmark "text" of suite "Undeclared" left counter "known" at string: a counter holds a finite number/,
  );
});
