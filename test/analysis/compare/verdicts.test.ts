import test from 'ava';
import { compareRuns, gate } from '#lib/analysis/compare/index.js';
import { ratioLogDelta } from '#lib/stats/index.js';
import { around, runOf, trialOf } from '../../support/compare.js';

const both = (before: readonly number[], after: readonly number[], over = {}) =>
  [runOf([trialOf(before, over)]), runOf([trialOf(after, over)], 'b.json')] as const;

test('each verdict, with the gate it leads to', (t) => {
  const cases = [
    [around(90), 'improved', 'ok'],
    [around(110), 'regressed', 'regressed'],
    [around(100.2), 'inconclusive', 'inconclusive'],
  ] as const;
  for (const [after, verdict, outcome] of cases) {
    const comparison = compareRuns(...both(around(100), after));
    t.is(comparison.rows[0]!.verdict, verdict);
    t.is(comparison.rows[0]!.status, 'ok');
    t.is(gate(comparison), outcome);
  }
  const tight = compareRuns(...both(around(100, 0.001), around(100.2, 0.001)));
  t.is(tight.rows[0]!.verdict, 'equivalent');
  t.true(tight.rows[0]!.excludesOne, 'real, but too small to matter');
  t.is(gate(tight), 'ok');
});

test('the default is log-delta over fork scores', (t) => {
  const row = compareRuns(...both(around(100), around(95))).rows[0]!;
  const expected = ratioLogDelta(around(95), around(100));
  t.is(row.method, 'log-delta');
  const near = (a: number | null | undefined, b: number | null) => t.true(Math.abs(a! / b! - 1) < 1e-12, `${a} ${b}`);
  near(row.ratio, expected.ratio);
  near(row.interval?.[0], expected.low);
  near(row.interval?.[1], expected.high);
  near(row.df, expected.df);
});

test('direction: throughput is turned over, so that below 1 is better in every mode', (t) => {
  const over = { mode: 'thrpt' as const, options: { unit: { value: 's', source: 'default' as const } } };
  const row = compareRuns(...both(around(100), around(80), over)).rows[0]!;
  t.is(row.better, 'higher');
  t.is(row.numerator, 'baseline');
  t.is(row.unit, 'ops/s');
  t.true(row.candidate.mean! > row.baseline.mean!);
  t.true(row.ratio! < 1);
  t.is(row.verdict, 'improved');
  const cost = compareRuns(...both(around(100), around(80))).rows[0]!;
  t.is(cost.numerator, 'candidate');
  t.true(Math.abs(cost.ratio! / row.ratio! - 1) < 1e-3, 'the same ratio, up to the mean of reciprocals');
});

test('swapping the files gives the reciprocal', (t) => {
  const [a, b] = both(around(100), around(93));
  const forth = compareRuns(a, b).rows[0]!;
  const back = compareRuns(b, a).rows[0]!;
  t.true(Math.abs(forth.ratio! * back.ratio! - 1) < 1e-12);
  t.true(Math.abs(forth.interval![0] * back.interval![1] - 1) < 1e-12);
  t.deepEqual([forth.verdict, back.verdict], ['improved', 'regressed']);
});

test('Holm: one weak difference among many rows is not believed, and the interval stays as it is', (t) => {
  const weak = [around(100), around(97.8)] as const;
  const alone = compareRuns(...both(...weak)).rows[0]!;
  t.is(alone.verdict, 'improved');
  const others = Array.from({ length: 20 }, (_, i) => ({ benchmark: `g${i}` }));
  const before = [trialOf(weak[0]), ...others.map((over) => trialOf(around(100), over))];
  const after = [trialOf(weak[1]), ...others.map((over) => trialOf(around(100.1), over))];
  const comparison = compareRuns(runOf(before), runOf(after));
  const among = comparison.rows[0]!;
  t.is(among.verdict, 'inconclusive');
  t.is(among.reading, 'better-or-same');
  t.deepEqual(among.interval, alone.interval);
  t.true(among.adjustedP! > 0.05 && alone.adjustedP! < 0.05);
  t.true(among.notes.some(({ id }) => id === 'holm'));
  t.true(comparison.rows.every((row) => row.verdict === 'inconclusive'));
});

test('Holm leaves strong differences alone', (t) => {
  const names = Array.from({ length: 20 }, (_, i) => ({ benchmark: `g${i}` }));
  const { rows } = compareRuns(
    runOf(names.map((over) => trialOf(around(100), over))),
    runOf(names.map((over, i) => trialOf(around(i < 10 ? 80 : 120), over))),
  );
  t.deepEqual(
    rows.map((row) => row.verdict),
    names.map((_, i) => (i < 10 ? 'improved' : 'regressed')),
  );
});

test('forks to decide: with 1.3 % between forks, delta 1 % takes 54 a side; a large difference takes fewer than a near miss', (t) => {
  const exact = around(100);
  const m = exact.reduce((sum, x) => sum + x, 0) / exact.length;
  const sd = Math.sqrt(exact.reduce((sum, x) => sum + (x - m) ** 2, 0) / 9);
  const scaled = exact.map((x) => 100 + ((x - m) / sd) * 1.3);
  const row = compareRuns(...both(scaled, scaled)).rows[0]!;
  t.is(row.verdict, 'inconclusive');
  t.is(row.forksNeeded, 54);
  const wide = compareRuns(...both(around(100, 0.1), around(105, 0.1))).rows[0]!;
  const near = compareRuns(...both(around(100, 0.1), around(101, 0.1))).rows[0]!;
  t.is(wide.verdict, 'inconclusive');
  t.true(wide.forksNeeded! > 10);
  t.true(near.forksNeeded! > 10 * wide.forksNeeded!, 'a large difference needs fewer forks than one at the edge');
  t.is(compareRuns(...both(around(100), around(80))).rows[0]!.forksNeeded, null);
});

test('delta and confidence shift the verdict, and nonsense is refused', (t) => {
  const [a, b] = both(around(100), around(96));
  t.is(compareRuns(a, b).rows[0]!.verdict, 'improved');
  t.not(compareRuns(a, b, { delta: 0.04 }).rows[0]!.verdict, 'improved');
  t.is(compareRuns(a, b, { delta: 0.1 }).rows[0]!.verdict, 'equivalent');
  const wide = compareRuns(a, b, { confidence: 0.999 }).rows[0]!.interval!;
  const usual = compareRuns(a, b).rows[0]!.interval!;
  t.true(wide[0] < usual[0] && wide[1] > usual[1]);
  t.throws(() => compareRuns(a, b, { delta: 0 }), { instanceOf: RangeError });
  t.throws(() => compareRuns(a, b, { confidence: 1 }), { instanceOf: RangeError });
  t.throws(() => compareRuns(a, b, { method: 'best' as never }), { instanceOf: TypeError });
});

test('every method gives its interval and the same verdict on a clear difference', (t) => {
  const [a, b] = both(around(100), around(80));
  const methods = { geometric: 'log-means', fieller: 'fieller', bootstrap: 'bootstrap-percentile' } as const;
  for (const [method, named] of Object.entries(methods)) {
    const row = compareRuns(a, b, { method: method as 'geometric' }).rows[0]!;
    t.is(row.method, named);
    t.is(row.verdict, 'improved');
    t.true(row.interval![0] < 0.8 && row.interval![1] > 0.8);
  }
  const few = [around(100).slice(0, 5), around(80).slice(0, 5)] as const;
  const notes = compareRuns(...both(...few), { method: 'bootstrap' }).rows[0]!.notes;
  t.true(notes.some(({ id }) => id === 'few-groups'));
});

test('the suite has a geometric mean beside its rows, over those that have an interval', (t) => {
  const trials = (levels: readonly (number | null)[]) =>
    levels.map((level, i) => trialOf(level === null ? [1, 2] : around(level, 0.001), { params: { n: i } }));
  const { summaries, rows } = compareRuns(runOf(trials([100, 100, null])), runOf(trials([50, 200, null])));
  t.is(rows.length, 3);
  t.is(summaries.length, 1);
  t.true(Math.abs(summaries[0]!.ratio - 1) < 1e-12, 'half and double cancel');
  t.deepEqual([summaries[0]!.rows, summaries[0]!.left], [2, 1]);
  t.true(summaries[0]!.interval[0] < 1 && summaries[0]!.interval[1] > 1);
});
