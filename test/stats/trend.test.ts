import test from 'ava';
import fc from 'fast-check';
import { covWindow, windowCov } from '#lib/stats/cov-window.js';
import { welchTest } from '#lib/stats/history-changes.js';
import { mulberry32 } from '#lib/stats/prng.js';
import { tTwoSided } from '#lib/stats/special.js';
import { mannKendall, senSlope, sessionDrift, slotEffect } from '#lib/stats/trend.js';
import { near, nearP, vectors } from './near.js';

const { k_mann_kendall, h_cov } = vectors;

test('vectors: Mann-Kendall and Sen', (t) => {
  const found = mannKendall(k_mann_kendall.x);
  if (found.status !== 'ok') return t.fail(found.status);
  t.is(found.s, k_mann_kendall.S);
  near(t, found.variance, k_mann_kendall.varS);
  near(t, found.z, k_mann_kendall.z);
  nearP(t, found.p, k_mann_kendall.p);
  near(t, senSlope(k_mann_kendall.x), k_mann_kendall.sen_slope);
});

test('vectors: how the CoV window fails on a drift, a period of two and an early plateau', (t) => {
  const drift = Array.from({ length: 1000 }, (_, i) => 100 * (1 + 0.0005 * (i + 1)));
  const accepted = covWindow(drift);
  if (accepted.status !== 'accepted') return t.fail();
  t.is(accepted.accepted, h_cov.drift.first_accept_iteration);
  near(t, accepted.cov, h_cov.drift.cov_first_window);
  t.is(h_cov.formula_cov_of_linear_ramp, 'slope*sqrt(k(k+1)/12)/mean');
  for (const [end, k] of [
    [10, 10],
    [500, 10],
    [40, 25],
  ] as const) {
    const mean = 100 * (1 + 0.0005 * (end - (k - 1) / 2));
    near(t, windowCov(drift, end, k), (0.05 * Math.sqrt((k * (k + 1)) / 12)) / mean, `ramp to ${end}`);
  }
  near(t, drift[999]! / drift[0]! - 1, h_cov.drift.total_change);
  const trend = mannKendall(drift.slice(0, 100));
  if (trend.status !== 'ok') return t.fail();
  t.is(trend.s, h_cov.drift.mk_first100.S);
  near(t, trend.variance, h_cov.drift.mk_first100.varS);
  near(t, trend.z, h_cov.drift.mk_first100.z);
  nearP(t, trend.p, h_cov.drift.mk_first100.p);

  const alternating = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 97 : 103));
  t.is(covWindow(alternating).status, 'never');
  for (let end = 10; end <= 200; end++) near(t, windowCov(alternating, end, 10), h_cov.alternating.cov_any_window10);

  const plateau = Array.from({ length: 200 }, (_, k) => (k + 1 <= 60 ? 140 : 100) + 0.2 * (((7 * (k + 1)) % 5) - 2));
  const early = covWindow(plateau);
  if (early.status !== 'accepted') return t.fail();
  t.is(early.accepted, h_cov.plateau.first_accept_iteration);
  near(t, early.cov, h_cov.plateau.cov_first_window);
  near(t, early.mean, h_cov.plateau.mean_at_accept);
  near(t, plateau.slice(100).reduce((a, b) => a + b) / 100, h_cov.plateau.mean_last100);
});

test('CoV window: short, constant and zero series', (t) => {
  t.is(covWindow([1, 2]).status, 'too-short');
  t.deepEqual(covWindow(new Array(10).fill(4)), { status: 'accepted', accepted: 10, cov: 0, mean: 4 });
  t.is(covWindow(new Array(20).fill(0)).status, 'never');
  t.is(windowCov([0, 0, 0], 3, 3), null);
  t.throws(() => covWindow([1, 2], { window: 1 }), { instanceOf: RangeError });
});

const ints = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 3, maxLength: 40 });

test('property: scaling leaves the trend alone, reversing turns its sign', (t) => {
  fc.assert(
    fc.property(ints, (x) => {
      const [a, b, c] = [mannKendall(x), mannKendall(x.map((v) => v * 1000)), mannKendall([...x].reverse())];
      t.deepEqual(a, b);
      if (a.status !== 'ok' || c.status !== 'ok') return t.is(c.status, a.status);
      t.is(c.s + a.s, 0);
      t.is(c.p, a.p);
      t.true(Math.abs(senSlope(x.map((v) => v * 1000))! - 1000 * senSlope(x)!) < 1e-6);
    }),
  );
  t.pass();
});

test('Sen slope over times of unequal spacing, of one value, of equal times', (t) => {
  near(t, senSlope([1, 3, 7, 9], [0, 1, 3, 4]), 2);
  t.is(senSlope([1]), null);
  t.is(senSlope([1, 2], [3, 3]), null);
  t.throws(() => senSlope([1, 2], [1]), { instanceOf: RangeError });
});

test('a drifting machine is seen through two versions of different speed, a still one is not', (t) => {
  const groups = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
  const random = mulberry32(11);
  const still = groups.map((g) => (g === 'a' ? 100 : 300) * (1 + 0.01 * (random.float() - 0.5)));
  const drifting = still.map((x, i) => x * (1 + 0.002 * i));
  const [a, b] = [sessionDrift(still, groups), sessionDrift(drifting, groups)];
  t.true(a.status === 'ok' && !a.drifted);
  t.true(b.status === 'ok' && b.drifted && b.relativeSlope > 0.001 && b.relativeSlope < 0.003);
  t.is(sessionDrift([1, 1], ['a', 'a']).status, 'too-short');
  t.is(sessionDrift([1, 1, 1, 2], ['a', 'a', 'a', 'b']).status, 'constant');
  t.throws(() => sessionDrift([1, 0, 1], ['a', 'a', 'a']), { instanceOf: RangeError });
});

test('slot effect: of two positions it is the pooled t test, p by the same distribution', (t) => {
  const values = [0.01, 0.02, 0.015, 0.012, -0.01, -0.012, -0.02, -0.009];
  const found = slotEffect(values, [0, 0, 0, 0, 1, 1, 1, 1]);
  if (found.status !== 'ok') return t.fail();
  const welch = welchTest(values.slice(0, 4), values.slice(4));
  if (welch.status !== 'ok') return t.fail();
  // Equal sizes: Welch's t is the pooled t, only its df differ.
  near(t, found.f, welch.t ** 2);
  t.deepEqual(found.df, [1, 6]);
  t.true(found.p < 0.001);
  t.is(found.means.length, 2);
  nearP(t, found.p, tTwoSided(welch.t, 6));
  // With 2 degrees of freedom between: p = (1 + 2 f / df)^(-df / 2). Means 2, 3 and 7 of 4: 42 between and 12 within.
  const three = slotEffect([1, 2, 3, 2, 3, 4, 5, 7, 9], [10, 10, 10, 2, 2, 2, 1, 1, 1]);
  if (three.status !== 'ok') return t.fail();
  t.deepEqual(
    [three.means, three.df],
    [
      [7, 3, 2],
      [2, 6],
    ],
  );
  near(t, three.f, 42 / 2 / (12 / 6));
  nearP(t, three.p, (1 + (2 * three.f) / 6) ** -3);
  t.is(slotEffect([1, 2], [0, 1]).status, 'too-few');
  t.is(slotEffect([1, 1, 2, 2], [0, 0, 1, 1]).status, 'constant');
});

test('property: labels of positions and order of rounds do not matter to the slot effect', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(2)), { minLength: 6 }), (rows) => {
      const of = (r: typeof rows) =>
        slotEffect(
          r.map(([v]) => v),
          r.map(([, p]) => p * 5 + 1),
        );
      const [a, b] = [of(rows), of([...rows].reverse())];
      t.is(a.status, b.status);
      if (a.status === 'ok' && b.status === 'ok') {
        t.true(Math.abs(a.p - b.p) < 1e-9 && a.p >= 0 && a.p <= 1 && a.f >= 0);
      }
    }),
  );
  t.pass();
});

test('n = 0, 1, 2 and constants get a status', (t) => {
  for (const x of [[], [1], [1, 2]]) t.is(mannKendall(x).status, 'too-short');
  t.is(mannKendall([2, 2, 2, 2]).status, 'constant');
  t.is(mannKendall([1, 2, 1, 2, 1]).status, 'ok');
});
