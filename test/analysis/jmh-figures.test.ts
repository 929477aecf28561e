/** What goes into JMH's formats, by hand: numbers that cannot be had are NaN, never those of something else. */
import test from 'ava';
import { bucketPercentile, iterationMetric } from '#lib/analysis/jmh/metric.js';
import { jmhBenchmarks } from '#lib/analysis/jmh.js';
import { perFork } from '#lib/analysis/per-fork.js';
import { trialScore } from '#lib/analysis/score.js';
import { secondaryScores } from '#lib/analysis/secondary.js';
import type { Iteration, Mode, Trial } from '#lib/result/model.js';
import { tQuantile } from '#lib/stats/index.js';
import { fork, iteration, trial } from '../support/result.js';

const near = (a: number, b: number) => Math.abs(a / b - 1) < 1e-12;
const NOTHING = [Number.NaN, Number.NaN];

/** A scored trial with these iterations in each fork. */
function scored(
  mode: Mode,
  unit: string,
  forks: readonly (readonly Partial<Iteration>[])[],
  over: Partial<Trial> = {},
) {
  const made = trial([], {
    mode,
    options: { unit: { value: unit, source: 'suite' } },
    forks: forks.map((list, f) => fork(f, [], { iterations: list.map((change, i) => iteration(i, 10, change)) })),
    ...over,
  });
  return { ...made, score: trialScore(made) };
}
const jmh = (of: Trial) => jmhBenchmarks({ trials: [of] })[0]!;

test('a score that is not there makes the mean unknown, in one place or in all', (t) => {
  for (const raw of [[[1, Number.NaN], [2]], [[1, 2], [Infinity]], [[]], []]) {
    const { score, error, confidence, percentiles, n } = iterationMetric(raw, 'ns/op');
    t.deepEqual([score, error], NOTHING);
    t.deepEqual(confidence, NOTHING);
    t.true(Object.values(percentiles).every(Number.isNaN));
    t.is(n, raw.flat().length);
  }
  const one = iterationMetric([[7]], 'ns/op');
  t.deepEqual([one.score, one.error, one.percentiles['99.0']], [7, Number.NaN, 7]);
  const two = iterationMetric([[7], [9]], 'ns/op');
  t.deepEqual([two.score, two.error], [8, Number.NaN], 'JMH has no error for two');
});

test('percentiles of counted values: between neighbours, and never outside of them', (t) => {
  t.is(bucketPercentile([], 0.5), Number.NaN);
  t.is(bucketPercentile([[5, 1]], 0.01), 5); // prettier-ignore
  // 1 3: position 3 p, held inside 1 to 2.
  const at = (p: number) =>
    bucketPercentile(
      [
        [1, 1],
        [3, 1],
      ],
      p,
    ); // prettier-ignore
  t.deepEqual([at(0.1), at(0.5), at(0.6), at(0.9)], [1, 2, 1 + (0.6 * 3 - 1) * 2, 3]);
});

const samples = (...buckets: [ns: number, count: number][]): Partial<Iteration> => {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  return {
    score: buckets.reduce((sum, [ns, count]) => sum + ns * count, 0) / total / 1000,
    histogram: { unit: 'ns', buckets, min: buckets[0]![0] - 1, max: buckets.at(-1)![0] + 1, total },
  };
};

test('samples of several iterations: one mean, one spread, the ends of all, in the unit of the trial', (t) => {
  const of = scored('sample', 'us', [[samples([1000, 2]), samples([2000, 1], [5000, 1])], [samples([3000, 4])]]);
  const { primary, secondary } = jmh(of);
  const values = [1, 1, 2, 5, 3, 3, 3, 3];
  const mean = values.reduce((a, b) => a + b) / 8;
  const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 7);
  t.is(primary!.n, 8);
  t.is(primary!.unit, 'us/op');
  t.true(near(primary!.score, mean));
  t.true(near(primary!.error, (tQuantile(0.9995, 7) * sd) / Math.sqrt(8)));
  const { percentiles } = primary!;
  t.true(near(percentiles['0.0']!, 0.999) && near(percentiles['100.0']!, 5.001));
  t.deepEqual(primary!.histogram, [
    [
      [[1, 2]],
      [
        [2, 1],
        [5, 1],
      ],
    ],
    [[[3, 4]]],
  ]); // prettier-ignore
  // Position 4.5 of 1 1 2 3 3 3 3 5.
  t.is(percentiles['50.0'], 3);
  t.is(secondary['p0.50']!.score, 3);
  t.true(near(secondary['p0.00']!.score, 0.999));
  for (const [count, error] of [
    [1, false],
    [2, false],
    [3, true],
  ] as const) {
    const few = jmh(scored('sample', 'us', [[samples([1000, count])]])).primary!;
    t.is(Number.isFinite(few.error), error, `${count} samples`);
  }
  // The scores in the report have the same ends.
  t.true(near(secondaryScores(of)['p1.00']!.value, 5.001));
  t.is(secondaryScores(of)['p0.95']!.value, 5);
});

test('per fork: time in ns or ops/s whatever the unit, with percentiles of the samples', (t) => {
  const [first] = perFork(scored('sample', 'us', [[samples([1000, 8], [2000, 2]), samples([9000, 1])]]));
  t.true(near(first!.value, (12000 + 9000) / 11));
  t.deepEqual([first!.unit, first!.percentiles], ['ns/op', { p50: 1000, p90: 2000, p99: 9000 }]);
  const [rate] = perFork(
    scored('thrpt', 'ms', [
      [
        { ops: 10, elapsedNs: 1e6 },
        { ops: 30, elapsedNs: 1e6 },
      ],
    ]),
  ); // prettier-ignore
  t.deepEqual([rate!.ops, rate!.unit, rate!.percentiles], [40, 'ops/s', null]);
  t.true(near(rate!.value, 20_000));
  t.deepEqual(perFork({ ...scored('avgt', 'ns', [[{}]]), score: null }), []);
});

const threads: Partial<Iteration> = {
  threads: [
    { ops: 100, elapsedNs: 1e6, label: 'put', counters: { hits: 10 } },
    { ops: 400, elapsedNs: 2e6, label: 'take', counters: { hits: 40 } },
    { ops: 200, elapsedNs: 2e6, label: 'take', counters: { hits: 20 } },
  ],
  counters: { hits: 70 },
};

test('methods of a group and counters: sums of rates in thrpt, means of times in avgt, nothing in sample and ss', (t) => {
  const counters = { hits: 'operations' } as const;
  const rates = jmh(scored('thrpt', 'ms', [[threads]], { counters })).secondary;
  t.deepEqual([rates.put!.score, rates.take!.score, rates.hits!.score], [100, 300, 10 + 20 + 10]);
  const times = jmh(scored('avgt', 'us', [[threads]], { counters })).secondary;
  t.deepEqual([times.put!.score, times.take!.score], [10, (5 + 10) / 2]);
  t.true(near(times.hits!.score, (100 + 50 + 100) / 3));
  // The same as in our own report.
  const own = secondaryScores(scored('avgt', 'us', [[threads]], { counters }));
  t.true(near(own.hits!.value, times.hits!.score) && near(own.take!.value, times.take!.score));

  const single = (mode: Mode, unit: string) =>
    jmh(scored(mode, unit, [[{ ops: 100, elapsedNs: 1e6, counters: { hits: 50 } }]], { counters })).secondary;
  t.is(single('thrpt', 'ms').hits!.score, 50);
  t.is(single('avgt', 'us').hits!.score, 20);
  t.deepEqual(single('ss', 'us'), {});
  const nothing = jmh(scored('avgt', 'us', [[{ counters: { hits: 0 } }]], { counters })).secondary.hits!;
  t.is(nothing.score, Number.NaN, 'no time per op that was never counted');
  t.is(jmh(scored('thrpt', 'ms', [[{ counters: null }]], { counters })).secondary.hits!.score, 0);

  const sampled = { ...threads, ...samples([1000, 3]) };
  t.false(
    Object.keys(jmh(scored('sample', 'us', [[sampled]], { counters })).secondary).some(
      (name) => !name.startsWith('p0') && !name.startsWith('p1'),
    ),
  );
  const plain = { threads: threads.threads!.map((one) => ({ ...one, label: null })) };
  t.deepEqual(jmh(scored('thrpt', 'ms', [[plain]])).secondary, {}, 'threads of no group have no method');
});

test('what a benchmark was run with: as asked, or as it came out where nothing was asked', (t) => {
  const warm = (n: number) => Array.from({ length: n }, (_, i) => iteration(i, 10));
  const made = scored('avgt', 'ns', [
    [{}, {}],
    [{}, {}],
  ]);
  const ran = { ...made, forks: made.forks.map((f, i) => ({ ...f, warmup: warm(4 + 3 * i) })) };
  const none = jmh(ran);
  t.deepEqual(
    [none.forks, none.warmupIterations, none.iterations, none.batchSize, none.warmupBatchSize, none.threads],
    [2, 7, 2, 1, 1, 1],
  );
  t.deepEqual([none.warmupTime, none.iterationTime, none.nodeArgs], ['single-shot', 'single-shot', []]);
  const option = (value: number | string) => ({ value, source: 'suite' as const });
  const asked = {
    ...ran.options,
    ...{ forks: option(5), warmupIterations: option(3), iterations: option(9), batchSize: option(2) },
    ...{ warmupBatchSize: option(4), warmupTimeMs: option(1500), iterationTimeMs: option(120_000) },
    nodeArgs: option('--a --b'),
  };
  const set = jmh({ ...ran, options: asked });
  t.deepEqual([set.forks, set.warmupIterations, set.iterations, set.batchSize, set.warmupBatchSize], [5, 3, 9, 2, 4]);
  t.deepEqual([set.warmupTime, set.iterationTime, set.nodeArgs], ['1500 ms', '2 min', ['--a', '--b']]);
  t.is(jmh({ ...ran, options: asked, mode: 'ss' }).iterationTime, 'single-shot');
  const two = scored('thrpt', 's', [[threads]]);
  t.is(jmh(two).threads, 3);
  t.is(jmh({ ...two, score: null }).primary, null);
});
