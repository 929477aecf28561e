import test from 'ava';
import { completeResult } from '#lib/analysis/complete.js';
import { entriesOf, type IndexEntry, judgeSeries, seriesOf } from '#lib/history/index.js';
import type { ResolvedOptions } from '#lib/result/model.js';
import { mulberry32 } from '#lib/stats/index.js';
import { around, resultOf, trialOf } from '../support/compare.js';
import { environment } from '../support/result.js';

const day = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString();

function entry(i: number, value: number, over: Partial<IndexEntry> = {}): IndexEntry {
  return {
    v: 1,
    run: `run-${String(i).padStart(4, '0')}`,
    at: day(i),
    trial: 'a.bench.ts:S.f:avgt:{}',
    name: 'S.f',
    params: {},
    mode: 'avgt',
    unit: 'ns/op',
    better: 'lower',
    status: 'ok',
    value,
    se: value / 100,
    forks: 10,
    host: 'lab1',
    cpu: 'Example CPU',
    node: '24.0.0',
    policy: 'abc',
    ...over,
  };
}

/** n values around each level with 0.5 % noise, seeded. */
function levels(seed: number, ...parts: readonly (readonly [level: number, n: number])[]): number[] {
  const random = mulberry32(seed);
  return parts.flatMap(([level, n]) =>
    Array.from({ length: n }, () => level * (1 + 0.01 * (random.float() + random.float() - 1))),
  );
}

const judged = (values: readonly number[], over: Partial<IndexEntry> = {}, delta?: number) =>
  judgeSeries(seriesOf(values.map((value, i) => entry(i, value, over)))[0]!, delta);

test('a step is found where it is, with its ratio and verdict; a flat series has none', (t) => {
  const { changes } = judged(levels(1, [100, 20], [110, 20]));
  t.is(changes.length, 1);
  t.is(changes[0]!.at, 20);
  t.is(changes[0]!.run, 'run-0020');
  t.is(changes[0]!.decision.verdict, 'regressed');
  t.true(changes[0]!.interval[0] < 1.1 && changes[0]!.interval[1] > 1.1);
  t.deepEqual(judged(levels(2, [100, 40])).changes, []);
});

test('a real change within delta is no alarm', (t) => {
  const { changes } = judged(levels(3, [100, 40], [102, 40]), {}, 0.05);
  t.is(changes.length, 1);
  t.is(changes[0]!.decision.verdict, 'equivalent');
  t.true(changes[0]!.decision.excludesOne);
});

test('more throughput is an improvement', (t) => {
  const { changes } = judged(levels(4, [100, 20], [120, 20]), { better: 'higher', mode: 'thrpt', unit: 'ops/s' });
  t.is(changes[0]!.decision.verdict, 'improved');
  t.true(changes[0]!.ratio < 1);
});

test('until five runs follow a step, the newest is judged against the level before', (t) => {
  const stepped = judged(levels(5, [100, 20], [130, 1]));
  t.deepEqual(stepped.changes, []);
  t.is(stepped.latest!.decision.verdict, 'regressed');
  t.true(stepped.latest!.ratio > 1.25);
  const quiet = judged(levels(6, [100, 21]));
  t.false(quiet.latest!.decision.excludesOne);
  t.is(judged(levels(7, [100, 5])).latest, null);
  t.not(judged(levels(7, [100, 6])).latest, null);
});

test('the interval of the newest run holds about 95 % of runs of an unchanged level', (t) => {
  let outside = 0;
  for (let seed = 0; seed < 1000; seed++) {
    if (judged(levels(1000 + seed, [100, 9])).latest!.decision.excludesOne) outside++;
  }
  t.true(outside >= 20 && outside <= 80, `${outside} of 1000`);
});

test('host, CPU, Node and policy start series of their own, also when they alternate', (t) => {
  for (const over of [{ host: 'lab2' }, { cpu: 'Other' }, { node: '22.0.0' }, { policy: 'def' }]) {
    const mixed = Array.from({ length: 20 }, (_, i) => entry(i, i % 2 ? 200 : 100, i % 2 ? over : {}));
    const series = seriesOf(mixed);
    t.is(series.length, 2);
    t.deepEqual(
      series.map(({ points }) => points.length),
      [10, 10],
    );
    t.true(series.every((of) => judgeSeries(of).changes.length === 0));
  }
});

test('failed and interrupted runs are counted, not drawn; order is that of time, not of the file', (t) => {
  const entries = [
    entry(2, 3),
    entry(0, 1),
    entry(1, 2),
    entry(3, 9, { status: 'partial' }),
    entry(4, 0, { status: 'failed', value: null }),
  ];
  const [series, ...more] = seriesOf(entries);
  t.is(more.length, 0);
  t.deepEqual(
    series!.points.map(({ value }) => value),
    [1, 2, 3],
  );
  t.is(series!.incomplete, 2);
  t.deepEqual(judgeSeries(seriesOf([entry(0, 0, { status: 'failed', value: null })])[0]!).changes, []);
});

test('index lines: one per trial, value and standard error of its forks, policy from options and machine', (t) => {
  const complete = (over = {}) =>
    completeResult(resultOf([trialOf(around(100)), trialOf(around(5), { benchmark: 'g' })], over), {
      allow: new Set(),
      flags: new Set(),
    });
  const entries = entriesOf(complete());
  t.deepEqual(
    entries.map(({ name, forks, unit, status }) => [name, forks, unit, status]),
    [
      ['S.f', 10, 'ns/op', 'ok'],
      ['S.g', 10, 'ns/op', 'ok'],
    ],
  );
  t.true(Math.abs(entries[0]!.value! - 100) < 1e-9);
  t.true(Math.abs(entries[0]!.se! - 1 / Math.sqrt(10)) < 0.02);
  const policy = (over: Partial<typeof environment>) =>
    entriesOf(complete({ environment: { ...environment, ...over } }))[0]!.policy;
  t.is(policy({ loadAverage: [9, 9, 9], host: 'x', node: '1' }), entries[0]!.policy);
  t.not(policy({ governor: 'powersave' }), entries[0]!.policy);
  t.not(policy({ nodeFlags: ['--no-opt'] }), entries[0]!.policy);
  const keeping = (names: string | null) => {
    const of = complete({});
    const options: ResolvedOptions = names === null ? {} : { keepEnv: { value: names, source: 'command line' } };
    const trials = of.trials.map((trial) => ({ ...trial, options: { ...trial.options, ...options } }));
    return entriesOf({ ...of, trials })[0]!.policy;
  };
  t.is(keeping(null), entries[0]!.policy);
  t.is(keeping('CI'), keeping('CI'));
  t.is(new Set([keeping(null), keeping('CI'), keeping('CI TZ')]).size, 3, 'forks that see more are another series');
});
