import test from 'ava';
import fc from 'fast-check';
import {
  groupQuantileInterval,
  groupQuantiles,
  harrellDavis,
  JMH_QUANTILE,
  meanInterval,
  median,
  minimumCountForUpperLimit,
  NEAREST_RANK,
  orderStatisticInterval,
  type QuantileType,
  quantile,
  quantileSorted,
  ratioLogMeans,
  ratioQuantiles,
  SHIFT_QUANTILES,
  shiftFunction,
  tQuantile,
  xoshiro128,
} from '#lib/stats/index.js';
import { normals } from './simulate.js';
import { close, closeAll, sets } from './vectors.js';

const { x, rows, n_min_upper_bound_two_sided95: two, n_min_upper_bound_one_sided95: one } = sets.e_quantiles;

test('three quantile types and Harrell-Davis answer the vectors', (t) => {
  for (const row of rows) {
    close(t, quantile(x, row.p), row.type7, `type 7 ${row.p}`);
    close(t, quantile(x, row.p, JMH_QUANTILE), row.type6_jmh, `type 6 ${row.p}`);
    close(t, quantile(x, row.p, NEAREST_RANK), row.nearest_rank, `nearest rank ${row.p}`);
    const hd = harrellDavis(x, row.p);
    t.is(hd.status, row.p === 0.99 || row.p === 0.9 ? 'far-tail' : 'ok');
    close(t, hd.value, row.hd, `HD ${row.p}`);
    close(t, hd.standardError, row.hd_se_maritz_jarrett, `HD se ${row.p}`);
    close(t, hd.jackknifeError, row.hd_se_jackknife, `HD jackknife ${row.p}`);
  }
});

test('all nine types on 1 .. 10 as numpy answers them', (t) => {
  // numpy 2.4 quantile(range(1, 11), p, method): inverted_cdf, averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf,
  // hazen, weibull, linear, median_unbiased, normal_unbiased.
  const answers: Record<QuantileType, number[]> = {
    1: [1, 3, 5, 8, 10],
    2: [1.5, 3, 5.5, 8, 10],
    3: [1, 2, 5, 8, 10],
    4: [1, 2.5, 5, 7.7, 9.5],
    5: [1.5, 3, 5.5, 8.2, 10],
    6: [1.1, 2.75, 5.5, 8.47, 10],
    7: [1.9, 3.25, 5.5, 7.93, 9.55],
    8: [4.1 / 3, 8.75 / 3, 5.5, 8.29, 10],
    9: [1.4, 2.9375, 5.5, 8.2675, 10],
  };
  const values = [7, 3, 10, 1, 5, 2, 9, 4, 8, 6];
  for (const [type, want] of Object.entries(answers)) {
    const got = [0.1, 0.25, 0.5, 0.77, 0.95].map((p) => quantile(values, p, Number(type) as QuantileType));
    closeAll(t, got, want, `type ${type}`, 1e-12);
  }
  t.is(median([4, 1, 3, 2]), 2.5);
  // 0.07 * 100 is 7.000000000000001 in binary.
  t.is(
    quantile(
      Array.from({ length: 100 }, (_, i) => i + 1),
      0.07,
      1,
    ),
    7,
  );
});

test('every type stays inside the sample, grows with p, and is that value for one value', (t) => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 });
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  const type = fc.integer({ min: 1, max: 9 }) as fc.Arbitrary<QuantileType>;
  fc.assert(
    fc.property(values, p, p, type, (list, a, b, k) => {
      const [low, high] = [quantile(list, Math.min(a, b), k), quantile(list, Math.max(a, b), k)];
      const slack = 1e-9 * Math.max(...list.map(Math.abs));
      return low <= high + slack && low >= Math.min(...list) - slack && high <= Math.max(...list) + slack;
    }),
    { seed: 4, numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), p, type, (v, a, k) => quantile([v], a, k) === v),
    { seed: 4 },
  );
  t.pass();
});

test('order-statistic intervals answer the vectors, and say null where there is no limit', (t) => {
  for (const { p, order_ci95: want } of rows) {
    const got = orderStatisticInterval(x, p);
    t.is(got.lowRank, want.l, `l ${p}`);
    t.is(got.highRank, want.u, `u ${p}`);
    t.is(got.low, want.lo);
    t.is(got.high, want.hi);
    close(t, got.coverage, want.coverage, `coverage ${p}`);
    t.is(got.status, want.u === null ? 'no-upper' : 'ok');
  }
  t.is(orderStatisticInterval(x, 0.01).status, 'no-lower');
  t.deepEqual(orderStatisticInterval([1, 2], 0.5), {
    status: 'no-limits',
    lowRank: null,
    highRank: null,
    low: null,
    high: null,
    coverage: 0,
  });
  for (const [p, n] of Object.entries(two)) t.is(minimumCountForUpperLimit(Number(p)), n as number);
  for (const [p, n] of Object.entries(one)) t.is(minimumCountForUpperLimit(Number(p), 0.95, 1), n as number);
  // The count is the first at which the interval has an upper limit.
  const values = Array.from({ length: 368 }, (_, i) => i);
  t.is(orderStatisticInterval(values, 0.99).high, 367);
  t.is(orderStatisticInterval(values.slice(1), 0.99).high, null);
});

test('the order-statistic interval covers at least its level', (t) => {
  const rng = xoshiro128(2);
  let covered = 0;
  for (let d = 0; d < 3000; d++) {
    const { low, high } = orderStatisticInterval(
      Array.from({ length: 40 }, () => rng.float()),
      0.75,
    );
    if (low! <= 0.75 && 0.75 <= high!) covered++;
  }
  // Exact level 0.9724 for continuous values; 4 standard errors of 3,000 draws are 0.012.
  t.true(Math.abs(covered / 3000 - 0.9724) < 0.012, `${covered}`);
});

test('quantile ratio between groups answers the vectors', (t) => {
  const set = sets.e_quantile_ratio;
  const asGroups = (list: number[]) => list.map((value) => [value]);
  const got = ratioQuantiles(asGroups(set.per_fork_p99_cand), asGroups(set.per_fork_p99_base), 0.99);
  t.is(got.status, 'ok');
  close(t, got.ratio, set.ratio, 'ratio');
  close(t, got.low, set.lo, 'low');
  close(t, got.high, set.hi, 'high');
  close(t, got.df, set.df, 'df');
  // Through real groups: the quantiles are taken first.
  const [c, b] = [sets.data.cand5x10, sets.data.base5x10];
  const medians = ratioQuantiles(c, b, 0.5);
  close(t, medians.low, ratioLogMeans(groupQuantiles(c, 0.5), groupQuantiles(b, 0.5)).low!, 'medians', 1e-14);
  const nearest = ratioQuantiles(c, b, 0.72, { type: 1, better: 'higher' });
  const by = ratioLogMeans(groupQuantiles(b, 0.72, 1), groupQuantiles(c, 0.72, 1));
  t.deepEqual(
    [nearest.ratio, nearest.low, nearest.high],
    [by.ratio, by.low, by.high],
    'type and direction reach both sides',
  );
  t.not(nearest.ratio, ratioQuantiles(c, b, 0.72, { better: 'higher' }).ratio);
});

test('shift function: the ratio of every quantile asked for, tails included', (t) => {
  const { next } = normals(9);
  const groups = (tail: number) =>
    Array.from({ length: 6 }, () => Array.from({ length: 300 }, (_, i) => 100 + next() + (i % 50 === 0 ? tail : 0)));
  const rows = shiftFunction(groups(80), groups(40));
  t.deepEqual(
    rows.map(({ p }) => p),
    [...SHIFT_QUANTILES],
  );
  const [p50, , p99] = rows;
  t.true(p50!.low! < 1 && p50!.high! > 1 && p50!.high! < 1.01, 'the middle stays');
  t.true(p99!.low! > 1.2, 'the tail moves');
  t.deepEqual(shiftFunction(groups(80), groups(40), [0.5])[0]!.method, 'quantile');
  const [a, b] = [groups(80), groups(40)];
  const { p, ...row } = shiftFunction(a, b, [0.9], { type: 1 })[0]!;
  t.deepEqual(row as unknown, ratioQuantiles(a, b, 0.9, { type: 1 }));
  t.is(p, 0.9);
  t.throws(() => shiftFunction(a, b, []), { instanceOf: RangeError });
  t.throws(() => shiftFunction(a, b, [99]), { instanceOf: RangeError, message: /0\.99/ });
});

test('group quantile interval: t on the logarithms', (t) => {
  const groups: number[][] = sets.data.base5x10;
  const got = groupQuantileInterval(groups, 0.9);
  const logs = groups.map((group) => Math.log(quantile(group, 0.9)));
  const want = meanInterval(logs);
  close(t, got.value, Math.exp(want.mean), 'value', 1e-13);
  close(t, got.low, Math.exp(want.mean - (tQuantile(0.975, 4) * want.sd!) / Math.sqrt(5)), 'low', 1e-13);
  close(t, got.high, Math.exp(want.high!), 'high', 1e-13);
  t.is(groupQuantileInterval([[1], [2]], 0.5).status, 'too-few');
  t.is(groupQuantileInterval([[1], [0], [3]], 0.5).status, 'not-positive');
  const constant = groupQuantileInterval([[3, 3], [3], [3]], 0.5);
  t.deepEqual([constant.status, constant.low, constant.value, constant.high], ['constant', 3, 3, 3]);
});

test('Harrell-Davis of equal values is that value without error; of one value there is no error to tell', (t) => {
  t.deepEqual(harrellDavis(new Array(30).fill(0.1), 0.5), {
    status: 'ok',
    value: 0.1,
    standardError: 0,
    jackknifeError: 0,
  });
  t.deepEqual(harrellDavis([2], 0.5), { status: 'too-few', value: 2, standardError: null, jackknifeError: null });
});

test('misuse', (t) => {
  t.throws(() => quantile([], 0.5), { instanceOf: RangeError });
  t.throws(() => quantileSorted([], 0.5), { instanceOf: RangeError });
  t.throws(() => quantile([1], 99), { instanceOf: RangeError, message: /0\.99 for p99/ });
  t.throws(() => quantile([1, 2], 0.5, 10 as QuantileType), { instanceOf: RangeError });
  t.throws(() => harrellDavis([1, 2], 0), { instanceOf: RangeError });
  t.throws(() => orderStatisticInterval([1, 2], 1), { instanceOf: RangeError });
  t.throws(() => minimumCountForUpperLimit(0.9, 0.95, 3 as 2), { instanceOf: RangeError });
  t.throws(() => groupQuantileInterval([[1]], 2), { instanceOf: RangeError });
});
