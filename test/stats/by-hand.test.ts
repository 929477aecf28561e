/** Numbers of several parts computed by hand where the vectors and properties leave a sign, a size or a side open. */
import test from 'ava';
import { covWindow } from '#lib/stats/cov-window.js';
import {
  geometricMeanRatio,
  hodgesLehmannRatio,
  permutationTest,
  planForCost,
  ratioDuet,
  ratioPaired,
  signFlipTest,
  tQuantile,
  unitsForMean,
  unitsForRatio,
} from '#lib/stats/index.js';
import { classifySegments, mergeSegments, type Segment, segmentsOf } from '#lib/stats/segments.js';
import { normals } from './simulate.js';

const near = (a: number | null, b: number, within = 1e-9) => Math.abs(a! / b - 1) < within;

test('units for a mean and for a ratio: the smallest count whose half-width is small enough', (t) => {
  for (const sd of [0.004, 0.02, 0.05, 0.3]) {
    for (const confidence of [0.9, 0.95, 0.99]) {
      const q = 1 - (1 - confidence) / 2;
      let n = 2;
      while ((tQuantile(q, n - 1) * sd) / Math.sqrt(n) > 0.01) n++;
      t.is(unitsForMean(sd, 0.01, confidence).n, n, `mean ${sd} ${confidence}`);
      let a = 3;
      while (tQuantile(q, 2 * a - 2) * sd * Math.sqrt(2 / a) > 0.01) a++;
      t.is(unitsForRatio(sd, sd, 0.01, confidence).n, a, `ratio ${sd} ${confidence}`);
    }
  }
  // One side without variation: as many degrees of freedom as the other has.
  let n = 3;
  while ((tQuantile(0.975, n - 1) * 0.03) / Math.sqrt(n) > 0.01) n++;
  t.deepEqual([unitsForRatio(0.03, 0, 0.01).n, unitsForRatio(0, 0.03, 0.01).n], [n, n]);
});

test('Hodges-Lehmann beyond the exact table: rank, limits and level by the normal approximation', (t) => {
  const { next } = normals(77);
  const draw = (n: number, shift: number) => Array.from({ length: n }, () => Math.exp(0.1 * next() + shift));
  const [x, y] = [draw(21, 0.05), draw(21, 0)];
  const got = hodgesLehmannRatio(x, y);
  // 441 / 2 + 0.5 - 1.959964 sqrt(441 x 43 / 12) = 143.09.
  t.is(got.rank, 143);
  const d = x.flatMap((a) => y.map((b) => a / b)).sort((a, b) => a - b);
  t.true(near(got.low, d[142]!) && near(got.high, d[298]!) && near(got.ratio, d[220]!));
  // (142.5 - 220.5) / 39.7524 = -1.96215, which 2.4872 % lie below.
  t.true(Math.abs(got.achieved! - (1 - 2 * 0.024872)) < 1e-5, `${got.achieved}`);
  const [narrow, wide] = [0.8, 0.99].map((confidence) => hodgesLehmannRatio(x, y, { confidence }));
  // 221 - 1.281552 x 39.7524 and 221 - 2.575829 x 39.7524.
  t.deepEqual([narrow!.rank, wide!.rank], [170, 118]);
});

test('random permutations: the smallest p is that of their number; unequal sides have no mirror image', (t) => {
  const far = [1, 2, 3, 4, 5, 6].map((v) => 1e6 * v);
  const few = permutationTest([1, 2, 3], far, { seed: 1 });
  t.deepEqual([few.p, 'smallestP' in few && few.smallestP, 'total' in few && few.total], [1 / 84, 1 / 84, 84]);
  const even = permutationTest([1, 2, 3], far.slice(0, 3), { seed: 1 });
  t.deepEqual([even.p, 'smallestP' in even && even.smallestP], [2 / 20, 2 / 20]);
  const random = { seed: 1, exactLimit: 0, replicates: 199 };
  const some = permutationTest([1, 2, 3], far, random);
  t.is('smallestP' in some && some.smallestP, 1 / 200);
  const flips = signFlipTest([1, 2, 3, 4, 5], random);
  t.is('smallestP' in flips && flips.smallestP, 1 / 200);
  t.true(Math.abs(flips.p! - 2 / 32) < 0.06, `${flips.p}`);
  t.is(permutationTest([2, 2], [2, 2, 2], random).status, 'constant');
});

test('where higher is better, pairs and duets are turned over as well', (t) => {
  const base = [10, 11, 12, 13];
  const cand = [11, 13, 13, 15];
  const [cost, rate] = [ratioPaired(cand, base), ratioPaired(cand, base, { better: 'higher' })];
  t.true(near(cost.ratio! * rate.ratio!, 1) && cost.ratio! > 1);
  t.true(near(cost.low! * rate.high!, 1) && near(cost.high! * rate.low!, 1));
  t.deepEqual([cost.numerator, rate.numerator], ['candidate', 'baseline']);
  const runs = base.map((b, i) => [[b, cand[i]!]] as const);
  const duet = ratioDuet(runs, { better: 'higher' });
  t.true(near(duet.ratio, rate.ratio!) && near(duet.low, rate.low!) && near(duet.high, rate.high!));
});

test('the mean of ratios: Satterthwaite over rows of different precision', (t) => {
  const got = geometricMeanRatio([
    { ratio: 0.9, standardError: 0.01, df: 4 },
    { ratio: 1.1, standardError: 0.02, df: 9 },
  ]);
  const se = Math.sqrt(5e-4) / 2;
  const df = 5e-4 ** 2 / (1e-8 / 4 + 1.6e-7 / 9);
  t.true(near(got.ratio, Math.sqrt(0.99)) && near(got.standardError, se) && near(got.df, df));
  const t95 = tQuantile(0.975, df);
  t.true(near(got.low, Math.sqrt(0.99) * Math.exp(-t95 * se)) && near(got.high, Math.sqrt(0.99) * Math.exp(t95 * se)));
});

test('a cost that buys values below a top that adds nothing, at their price', (t) => {
  // Means alike, values not: the top level is negligible.
  const data = [
    [1, 3, 2],
    [3, 1, 2],
    [2, 1, 3],
    [1, 2, 3],
  ];
  // Top units at 20, values at 4: 3 x (20 + 4 r) <= 300 gives r = 20; 4 x (20 + 4 r) gives 13, 5 gives 10 and so on.
  const plan = planForCost(data, [4, 20], { cost: 300 });
  if (plan.status !== 'ok') return t.fail(plan.status);
  t.true(plan.topNegligible);
  const [r, n] = plan.counts as [number, number];
  t.is(r, Math.floor((300 / n - 20) / 4));
  t.is(plan.totalCost, n * (20 + 4 * r));
  const width = (top: number) => {
    const values = Math.floor((300 / top - 20) / 4);
    return values < 1 ? Infinity : tQuantile(0.975, top - 1) / Math.sqrt(top * values);
  };
  const widths = Array.from({ length: 20 }, (_, i) => width(i + 3));
  t.is(widths.indexOf(Math.min(...widths)) + 3, n);
  t.is(planForCost(data, [4, 20], { cost: 71 }).status, 'out-of-reach');
  t.is(planForCost(data, [4, 20], { cost: 72 }).status, 'ok');
});

test('segments joined anywhere have the mean and variance of their values', (t) => {
  const x = [9, 8, 1, 2, 6, 4, 4, 7, 5, 5, 5, 20];
  const parts = segmentsOf(x, [2, 5, 9]);
  // The first stays apart; the other three become one.
  const [first, rest, ...none] = mergeSegments(parts, (left) => left.start > 0);
  t.deepEqual([first, none], [parts[0], []]);
  const [, whole] = segmentsOf(x, [2]) as [Segment, Segment];
  t.deepEqual([rest!.start, rest!.end], [2, 12]);
  t.true(near(rest!.mean, whole.mean) && near(rest!.variance, whole.variance));
  t.throws(() => segmentsOf(x, [5, 5]), { message: /from 1 to 11/ });
});

test('equivalence of segments: of the last mean whatever its sign, at least one step, or by Barrett', (t) => {
  const segment = (start: number, end: number, mean: number, variance = 0) => ({ start, end, mean, variance });
  const two = (a: number, b: number, rule = {}) =>
    classifySegments([segment(0, 10, a), segment(10, 20, b)], { rule: { mode: 'relative', ...rule } });
  t.deepEqual([two(101, 100).class, two(101.01, 100).class, two(98.99, 100).class], ['flat', 'warmup', 'slowdown']);
  t.deepEqual([two(-101, -100).class, two(-98.9, -100).class, two(-101.1, -100).class], ['flat', 'warmup', 'slowdown']);
  t.deepEqual([two(105, 100, { step: 5 }).class, two(105.1, 100, { step: 5 }).class], ['flat', 'warmup']);
  t.is(two(1, 1).rule, 'relative, 1 % of the last mean');
  t.is(two(1, 1, { tolerance: 0.05, step: 5 }).rule, 'relative, 5 % of the last mean, at least 5');
  const barrett = (mean: number, variance: number) =>
    classifySegments([segment(0, 10, mean, variance), segment(10, 20, 1, 0)], {
      rule: { mode: 'barrett', toSeconds: 1, deltaSeconds: 0.125 },
    }).class;
  // 1 +- 0.125 against mean +- variance.
  t.deepEqual(
    [barrett(1.25, 0.125), barrett(1.25, 0.0625), barrett(0.75, 0.125), barrett(0.75, 0.0625)],
    ['flat', 'warmup', 'flat', 'slowdown'],
  );
  // The steady run must be a quarter at the end.
  const late = (at: number) => classifySegments([segment(0, at, 2), segment(at, 20, 1)]);
  t.deepEqual([late(15).steadyStart, late(16).steadyStart, late(16).class], [15, null, 'no steady state']);
});

test('the warm-up rule of 2007 goes by the size of a mean, not by its sign', (t) => {
  const wild = [-10, -20, -10, -20, -10, -20, -10, -20, -10, -20, -10];
  t.is(covWindow(wild).status, 'never');
  const calm = covWindow(wild.map((_, i) => -100 - (i % 2) / 100));
  t.true(calm.status === 'accepted' && calm.cov > 0);
});
