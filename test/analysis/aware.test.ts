import test from 'ava';
import { awareOf, forkAware } from '#lib/analysis/aware.js';
import { completeResult } from '#lib/analysis/complete.js';
import { forkScore } from '#lib/analysis/score.js';
import { awareLines } from '#lib/report/text.js';
import type { RunResult } from '#lib/result/model.js';
import { healthy, options, withForks, withIterations } from './make-trial.js';

/** Every iteration lasts `index` times a tenth longer than its ops take, and that time was left out. */
const taken = () =>
  withIterations(healthy(), (i) => {
    const own = i.ops * 100;
    const excludedNs = own * 0.1 * i.index;
    return { elapsedNs: own + excludedNs, aware: { score: 100, excludedNs, excludedChunks: 3 } };
  });

test('ops over what is left of the time, in both modes the exact reciprocal', (t) => {
  for (const fork of taken().forks) {
    const time = forkAware(fork, 'avgt', 'ns')!;
    t.true(Math.abs(time - 100) < 1e-9);
    t.true(Math.abs(forkAware(fork, 'thrpt', 's')! * time * 1e-9 - 1) < 1e-12);
    t.true(forkScore(fork, 'avgt', 'ns')! > 115);
    t.true(Math.abs(forkAware(fork, 'avgt', 'us')! - 0.1) < 1e-12);
  }
});

test('nothing left out: the same as the plain score', (t) => {
  for (const fork of healthy().forks) t.is(forkAware(fork, 'avgt', 'ns'), forkScore(fork, 'avgt', 'ns'));
});

test('a fork without one leaves the trial without one; so do modes that know none', (t) => {
  const of = taken();
  t.true(Math.abs(awareOf(of)!.score.value - 100) < 1e-9);
  t.true(Math.abs(awareOf(of)!.share - 1 / 6) < 0.001);
  const lacking = withIterations(of, (_, f) => (f.index === 4 ? { aware: null } : {}));
  t.is(awareOf(lacking), null);
  t.is(awareOf(withForks(of, (f) => (f.index === 1 ? { status: 'failed' } : {}))), null);
  t.is(awareOf({ ...of, mode: 'sample' }), null);
  t.is(awareOf({ ...of, forks: [] }), null);
});

test('over threads the scores of the iterations are averaged', (t) => {
  const of = withIterations(taken(), (i) => ({ threads: [], aware: { ...i.aware!, score: 100 + i.index } }));
  t.is(forkAware(of.forks[0]!, 'avgt', 'ns'), 102);
});

test('a completed result holds it, and the report shows both scores and the share', (t) => {
  const raw = { trials: [{ ...taken(), options: options() }, healthy()], findings: [] } as unknown as RunResult;
  const { trials } = completeResult(raw, { allow: new Set(), flags: new Set() });
  t.true(Math.abs(trials[0]!.aware!.score.value - 100) < 1e-9);
  t.is(trials[1]!.aware!.excludedNs, 0);
  const lines = awareLines(trials);
  t.is(lines.length, 2);
  t.regex(lines[1]!, /^ {2}S\.b \[avgt\]: 100\.000 ± \S+ ns\/op instead of 1\d\d\.\d{3}, 17 % taken$/);
  t.deepEqual(awareLines([trials[1]!]), []);
});
