import test from 'ava';
import fc from 'fast-check';
import { eDivisive, energySplit } from '#lib/stats/energy.js';
import { historyChanges, welchTest } from '#lib/stats/history-changes.js';
import { mulberry32, shuffle } from '#lib/stats/prng.js';
import { tTwoSided } from '#lib/stats/special.js';
import { near, nearP, vectors } from './near.js';

const { m_edivisive: set } = vectors;

test('vectors: energy split in both forms, permutation p, Welch p', (t) => {
  const v = energySplit(set.x)!;
  t.is(v.at, set.tau);
  near(t, v.q, set.q_v_statistic);
  const u = energySplit(set.x, { form: 'U' })!;
  t.is(u.at, set.tau_u);
  near(t, u.q, set.q_u_statistic);
  const random = mulberry32(set.perm.seed);
  set.perm.first3_max.forEach((expected: number) => {
    near(t, energySplit(shuffle([...set.x], random), { minSegment: 1 })!.q, expected);
  });
  const found = eDivisive(set.x, { seed: set.perm.seed, permutations: set.perm.R });
  t.is(found[0]!.at, set.tau);
  near(t, found[0]!.p, set.perm.p);
  const welch = welchTest(set.x.slice(0, set.tau), set.x.slice(set.tau));
  if (welch.status !== 'ok') return t.fail();
  nearP(t, welch.p, set.welch_p);
  // With sides of one length Student's t is Welch's; only the degrees of freedom differ.
  nearP(t, tTwoSided(welch.t, set.x.length - 2), set.student_p);
});

test('vectors: the history variant finds the change and its size', (t) => {
  const found = historyChanges(set.x);
  t.is(found.length, 1);
  t.is(found[0]!.at, set.tau);
  near(t, found[0]!.relative, set.rel_change);
  nearP(t, found[0]!.p, set.welch_p);
});

/** q by its definition, for the incremental sums. */
function energyAt(x: readonly number[], at: number): number {
  const [l, r] = [x.slice(0, at), x.slice(at)];
  const mean = (a: readonly number[], b: readonly number[]) =>
    a.flatMap((p) => b.map((q) => Math.abs(p - q))).reduce((s, d) => s + d, 0) / (a.length * b.length);
  return ((l.length * r.length) / x.length) * (2 * mean(l, r) - mean(l, l) - mean(r, r));
}

test('property: the incremental energy is the definition, and scales with the unit', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 25 }), (x) => {
      const found = energySplit(x)!;
      let best = 0;
      for (let at = 2; at <= x.length - 2; at++) best = Math.max(best, energyAt(x, at));
      t.true(Math.abs(found.q - best) < 1e-9 * Math.max(1, best));
      t.true(Math.abs(energySplit(x.map((v) => v * 1000))!.q - 1000 * found.q) <= 1e-9 * (1 + 1000 * found.q));
    }),
  );
  t.pass();
});

function series(levels: readonly (readonly [length: number, level: number])[], seed: number, noise = 0.01): number[] {
  const random = mulberry32(seed);
  return levels.flatMap(([length, level]) =>
    Array.from({ length }, () => level * (1 + noise * (random.float() + random.float() - 1))),
  );
}

test('changes are found across windows, in every unit, and noise has none', (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const x = series(
      [
        [40, 100],
        [35, 106],
        [60, 95],
        [30, 95.5],
      ],
      seed,
    );
    const found = historyChanges(x, { minMagnitude: 0.02 });
    t.deepEqual(
      found.map((c) => c.at),
      [40, 75],
      `seed ${seed}`,
    );
    const scaled = historyChanges(
      x.map((v) => v * 1000),
      { minMagnitude: 0.02 },
    );
    t.deepEqual(
      scaled.map((c) => c.at),
      [40, 75],
    );
    scaled.forEach((c, i) => {
      t.true(Math.abs(Math.log(c.p / found[i]!.p)) < 1e-6);
    });
    t.deepEqual(historyChanges(series([[150, 100]], seed + 100)), []);
    t.deepEqual(
      eDivisive(
        series(
          [
            [20, 100],
            [20, 108],
          ],
          seed,
        ),
      ).map((c) => c.at),
      [20],
    );
  }
});

test('a 20-point step in the middle is found at index 10 with a window of 10', (t) => {
  const x = [...series([[10, 100]], 3), ...series([[10, 120]], 4)];
  t.deepEqual(
    historyChanges(x, { window: 10, p: 1e-4 }).map((c) => c.at),
    [10],
  );
});

test('fewer than five values after a change do not make one; small changes go when asked', (t) => {
  t.deepEqual(
    historyChanges(
      series(
        [
          [20, 100],
          [4, 120],
        ],
        1,
      ),
    ),
    [],
  );
  t.is(
    historyChanges(
      series(
        [
          [20, 100],
          [5, 120],
        ],
        1,
      ),
    ).length,
    1,
  );
  const small = series(
    [
      [30, 100],
      [30, 101.5],
    ],
    2,
    0.002,
  );
  t.is(historyChanges(small).length, 1);
  t.is(historyChanges(small, { minMagnitude: 0.05 }).length, 0);
});

test('a change goes by the absolute level, a fall as a rise, and of two small ones the smaller goes first', (t) => {
  const down = historyChanges([...series([[20, -100]], 1), ...series([[20, -120]], 2)]);
  t.deepEqual(
    down.map(({ at, relative }) => [at, Math.round(relative! * 100)]),
    [[20, -20]],
  );
  // 100, 101.5, 100.9: the second step alone is too small; without it the first still is 1.2 %.
  const steps = series(
    [
      [30, 100],
      [30, 101.5],
      [30, 100.9],
    ],
    7,
    0.001,
  );
  t.deepEqual(
    historyChanges(steps).map(({ at }) => at),
    [30, 60],
  );
  const kept = historyChanges(steps, { minMagnitude: 0.01 });
  t.deepEqual(
    kept.map(({ at }) => at),
    [30],
  );
  t.true(Math.abs(kept[0]!.before - 100) < 0.05 && Math.abs(kept[0]!.after - 101.2) < 0.05);
  t.deepEqual(historyChanges(steps, { minMagnitude: 0.014 }), []);
  const [fall] = historyChanges([...steps].reverse(), { minMagnitude: 0.01 });
  t.is(fall!.at, 60);
  t.true(fall!.relative! < 0);
  // At the edges of what is asked.
  t.throws(() => historyChanges([1, 2], { minSegment: 1 }), { instanceOf: RangeError });
  t.throws(() => historyChanges([1, 2], { p: 2 }), { instanceOf: RangeError });
  t.throws(() => historyChanges([1, 2], { candidateP: -1 }), { instanceOf: RangeError });
  t.throws(() => historyChanges([1, 2], { minMagnitude: -1 }), { instanceOf: RangeError });
});

test('constants, steps without noise, short and empty histories', (t) => {
  t.deepEqual(historyChanges(new Array(60).fill(5)), []);
  t.deepEqual(historyChanges([]), []);
  t.deepEqual(historyChanges([1]), []);
  t.deepEqual(historyChanges([1, 2]), []);
  t.deepEqual(eDivisive(new Array(20).fill(5)), []);
  t.deepEqual(eDivisive([1]), []);
  const step = historyChanges([...new Array(10).fill(5), ...new Array(10).fill(6)]);
  t.deepEqual(step, [{ at: 10, before: 5, after: 6, relative: 0.2, p: 0 }]);
  t.is(historyChanges([...new Array(10).fill(0), ...new Array(10).fill(6)])[0]!.relative, null);
  t.is(welchTest([1], [1, 2]).status, 'too-few');
  t.deepEqual(welchTest([1, 1], [1, 1]), { status: 'constant', p: 1 });
});

test('misuse throws', (t) => {
  t.throws(() => eDivisive([1, 2, 3], { permutations: 50, alpha: 0.01 }), { message: /at least 99/ });
  t.throws(() => historyChanges([1, 2, 3], { window: 4 }), { instanceOf: RangeError });
  t.throws(() => historyChanges([1, Number.NaN]), { instanceOf: RangeError });
});
