import test from 'ava';
import fc from 'fast-check';
import { hodgesLehmannRatio, mannWhitney, permutationTest, signFlipTest } from '#lib/stats/index.js';
import { normals } from './simulate.js';
import { close, closeAll, sets } from './vectors.js';

const { separated, overlap } = sets.n_rank;
const { base, cand } = overlap;
const low5 = [1, 2, 3, 4, 5];
const high5 = [11, 12, 13, 14, 15];

test('Mann-Whitney, Hodges-Lehmann and the permutation test answer the vectors', (t) => {
  const u = mannWhitney(cand, base);
  t.is(u.U, overlap.U_cand);
  t.true(u.exact);
  close(t, u.p, overlap.p_exact, 'p');
  const hl = hodgesLehmannRatio(cand, base);
  t.is(hl.status, 'ok');
  close(t, hl.ratio, overlap.hl_ratio, 'ratio');
  closeAll(t, [hl.low!, hl.high!], overlap.hl_ci95, 'limits');
  t.is(hl.rank, overlap.hl_k);
  const perm = permutationTest(cand, base, { seed: 1 });
  t.true(perm.status === 'ok' && perm.exact);
  if (perm.status !== 'ok') return;
  t.deepEqual([perm.count, perm.total], [overlap.perm_mean.count, overlap.perm_mean.total]);
  close(t, perm.p, overlap.perm_mean.p, 'p');
  t.is(mannWhitney(low5, high5).U, separated.U);
  close(t, mannWhitney(low5, high5).p, separated.p_exact, 'separated');
  const split = permutationTest(low5, high5, { seed: 1 });
  t.is(split.p, separated.perm_mean.count / separated.perm_mean.total);
});

test('smallest p: no rank test reaches 5 % with three a side', (t) => {
  for (const [n, p] of [
    [3, 0.1],
    [4, 0.0286],
    [5, 0.00794],
    [6, 0.00216],
    [8, 0.000155],
  ] as const) {
    const a = Array.from({ length: n }, (_, i) => i + 1);
    const got = mannWhitney(
      a,
      a.map((x) => x + 100),
    );
    close(t, got.p, p, `${n}`, 4e-3);
    t.is(got.p, got.smallestP);
    const perm = permutationTest(
      a,
      a.map((x) => x * 1000),
      { seed: 1 },
    );
    if (perm.status !== 'ok') return t.fail();
    t.true(Math.abs(perm.p - perm.smallestP) < 1e-12);
  }
  t.is(hodgesLehmannRatio([1, 2, 3], [4, 5, 6]).status, 'too-few');
  t.is(hodgesLehmannRatio([1, 2, 3, 4], [4, 5, 6, 7]).status, 'ok');
});

test('exact and approximate distributions agree where they meet', (t) => {
  const { next } = normals(6);
  const draw = (n: number) => Array.from({ length: n }, () => 100 + next());
  const exact = mannWhitney(draw(20), draw(20));
  t.true(exact.exact);
  // 21 a side is the first size past the table: compare the same data with one value more on each side.
  const [a, b] = [draw(21), draw(21).map((x) => x + 0.4)];
  const approximate = mannWhitney(a, b);
  t.false(approximate.exact);
  const perm = permutationTest(a, b, { seed: 4, replicates: 4999 });
  if (perm.status !== 'ok') return t.fail();
  t.false(perm.exact);
  t.true(Math.abs(Math.log(perm.p / approximate.p)) < 1.2, `${perm.p} ${approximate.p}`);
  const hl = hodgesLehmannRatio(a, b);
  t.is(hl.status, 'ok');
  t.true(hl.low! < hl.ratio! && hl.ratio! < hl.high! && Math.abs(hl.achieved! - 0.95) < 0.01);
});

test('ties: half counts and the corrected normal approximation', (t) => {
  // scipy 1.17 mannwhitneyu(method='asymptotic', use_continuity=True).
  const got = mannWhitney([1, 2, 2, 3, 5], [2, 3, 4, 6, 7]);
  t.is(got.U, 5.5);
  t.false(got.exact);
  close(t, got.p, 0.1679384709880123, 'p');
  // Past the exact table, 25 and 23 values with ties between them.
  const a = [
    99.2, 98.68, 99.75, 100.42, 101.14, 100.11, 99.45, 99.22, 100.75, 101.63, 100.27, 98.77, 99.04, 101.6, 100.2, 98.27,
    99.92, 98.84, 99.37, 99.51, 99.29, 100.55, 99.94, 99.41, 100.41,
  ];
  const b = [
    101.33, 98.86, 100.24, 99.52, 100.33, 99.21, 100.52, 100.46, 100.2, 99.45, 100.1, 99.41, 99.14, 100.72, 99.39,
    101.67, 101.22, 98.5, 100.77, 99.4, 100.53, 100.54, 98.51,
  ];
  const large = mannWhitney(a, b);
  t.is(large.U, 247.5);
  close(t, large.p, 0.41492888970069464, 'p of 25 and 23');
  t.deepEqual(mannWhitney([1, 1], [1, 1, 1]), { status: 'constant', U: 3, p: 1, exact: false, smallestP: 1 });
});

test('random permutations: never p = 0, close to the exact answer, repeatable', (t) => {
  const random = permutationTest(cand, base, { seed: 3, exactLimit: 0 });
  if (random.status !== 'ok') return t.fail();
  t.false(random.exact);
  t.is(random.total, 9999);
  t.is(random.p, (random.count + 1) / 10_000);
  t.true(Math.abs(random.p - overlap.perm_mean.p) < 0.004, `${random.p}`);
  t.deepEqual(permutationTest(cand, base, { seed: 3, exactLimit: 0 }), random);
  const far = permutationTest(
    Array.from({ length: 12 }, (_, i) => 1 + i),
    Array.from({ length: 12 }, (_, i) => 1e4 + i),
    { seed: 1 },
  );
  if (far.status !== 'ok') return t.fail();
  t.is(far.p, 1 / 10_000);
});

test('sign flips: all signs, then random ones', (t) => {
  const d = [0.3, 0.1, 0.2, 0.4, -0.05];
  // By hand: only the sum of the data (0.95), the two with -0.05 turned, and their mirrors reach |0.95|.
  const got = signFlipTest(d, { seed: 1 });
  if (got.status !== 'ok') return t.fail();
  t.deepEqual([got.count, got.total, got.exact, got.smallestP], [4, 32, true, 2 / 32]);
  const random = signFlipTest(d, { seed: 1, exactLimit: 0 });
  if (random.status !== 'ok') return t.fail();
  t.true(Math.abs(random.p - 4 / 32) < 0.015);
  const set = sets.c_paired;
  const paired = signFlipTest(
    set.cand.map((c: number, i: number) => Math.log(c / set.base[i])),
    { seed: 1 },
  );
  t.is(paired.p, 2 / 1024);
});

test('equal and non-positive values: a status', (t) => {
  const constant = permutationTest([2, 2], [2, 2], { seed: 1 });
  t.deepEqual([constant.status, constant.p], ['constant', 1]);
  t.is(permutationTest([0, 1], [1, 2], { seed: 1 }).status, 'not-positive');
  t.deepEqual([signFlipTest([0, 0], { seed: 1 }).status, signFlipTest([0, 0], { seed: 1 }).p], ['constant', 1]);
  t.is(permutationTest([1], [2], { seed: 1 }).p, 1);
  t.is(mannWhitney([1], [2]).p, 1);
  t.is(hodgesLehmannRatio([-1, 2], [1, 2]).status, 'not-positive');
  const equal = hodgesLehmannRatio(new Array(6).fill(2), new Array(6).fill(4));
  t.deepEqual([equal.status, equal.low, equal.high], ['constant', 0.5, 0.5]);
});

test('properties: exchange of sides, units, monotone transforms', (t) => {
  const sample = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(sample, sample, (a, b) => {
      const [one, two, scaled] = [mannWhitney(a, b), mannWhitney(b, a), mannWhitney(a.map(Math.log), b.map(Math.log))];
      const [p, q, k] = [
        permutationTest(a, b, { seed: 1 }),
        permutationTest(b, a, { seed: 1 }),
        permutationTest(
          a.map((x) => x * 1000),
          b.map((x) => x * 1000),
          { seed: 1 },
        ),
      ];
      const hl = [hodgesLehmannRatio(a, b, { confidence: 0.8 }), hodgesLehmannRatio(b, a, { confidence: 0.8 })];
      return (
        one.U + two.U === a.length * b.length &&
        Math.abs(one.p - two.p) < 1e-12 &&
        one.p === scaled.p &&
        p.p === q.p &&
        p.p === k.p &&
        Math.abs(hl[0]!.ratio! * hl[1]!.ratio! - 1) < 1e-9 &&
        (hl[0]!.low === null || Math.abs(hl[0]!.low * hl[1]!.high! - 1) < 1e-9)
      );
    }),
    { seed: 9 },
  );
  t.pass();
});

test('the permutation test keeps its level: p <= 5 % in about 5 % of equal samples', (t) => {
  const { next } = normals(31);
  let rejected = 0;
  const draws = 1500;
  for (let d = 0; d < draws; d++) {
    const draw = () => Array.from({ length: 5 }, () => Math.exp(0.3 * next()));
    if (permutationTest(draw(), draw(), { seed: 1 }).p! <= 0.05) rejected++;
  }
  // Exact level 12/252 = 0.0476; 4 standard errors are 0.022.
  t.true(Math.abs(rejected / draws - 0.0476) < 0.022, `${rejected}`);
});

test('misuse', (t) => {
  t.throws(() => permutationTest([], [1], { seed: 1 }), { instanceOf: RangeError });
  t.throws(() => permutationTest([1], [1], { seed: 0.5 }), { instanceOf: RangeError });
  t.throws(() => permutationTest([1], [1], { seed: 1, replicates: 5 }), { instanceOf: RangeError });
  t.throws(() => signFlipTest([1], { seed: 1, exactLimit: -1 }), { instanceOf: RangeError });
  t.throws(() => mannWhitney([1], []), { instanceOf: RangeError });
  t.throws(() => hodgesLehmannRatio([1], [1], { confidence: 0 }), { instanceOf: RangeError });
});
