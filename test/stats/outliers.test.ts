import test from 'ava';
import fc from 'fast-check';
import { groupsApart, lowlandModes, modality, mValue } from '#lib/stats/modes.js';
import { rollingOutliers, tukeyOutliers } from '#lib/stats/outliers.js';
import { mulberry32 } from '#lib/stats/prng.js';
import { near, vectors } from './near.js';

const { i_outliers, i_rolling, i_mvalue } = vectors;

test('vectors: Tukey fences, mean with and without', (t) => {
  const found = tukeyOutliers(i_outliers.x);
  if (found.status !== 'ok' || !('q1' in found)) return t.fail();
  near(t, found.q1, i_outliers.q1);
  near(t, found.q3, i_outliers.q3);
  found.inner.forEach((x, k) => {
    near(t, x, i_outliers.inner[k]);
  });
  found.outer.forEach((x, k) => {
    near(t, x, i_outliers.outer[k]);
  });
  t.deepEqual(
    found.mild.map((i) => i_outliers.x[i]),
    i_outliers.mild,
  );
  t.deepEqual(
    found.severe.map((i) => i_outliers.x[i]),
    i_outliers.severe,
  );
  near(t, found.meanAll, i_outliers.mean_all);
  near(t, found.meanWithout, i_outliers.mean_without);
});

test('vectors: rolling window', (t) => {
  const x = Array.from({ length: 40 }, (_, i) => 10 + 0.1 * (((7 * i) % 5) - 2));
  Object.assign(x, { 3: 19, 17: 13.5, 30: 8, 38: 12.9, 25: 11 });
  t.deepEqual(rollingOutliers(x, { window: 10 }).indexes, i_rolling.outlier_indices);
  t.is(rollingOutliers([1, 2, 3]).status, 'too-short');
});

test('the rolling window holds as many values as asked, half of them before the point', (t) => {
  const x = new Array(60).fill(1);
  for (const i of [20, 21, 22, 23, 40]) x[i] = 2;
  // Around 20 lie the values 0 to 39: four of 40 are 2, P90 is 1.1; with a fifth P90 would be 2 and nothing stand out.
  t.true(rollingOutliers(x, { window: 40 }).indexes.includes(20));
  x[39] = 2;
  t.false(rollingOutliers(x, { window: 40 }).indexes.includes(20));
});

test('vectors: m-value', (t) => {
  for (const { bins, m } of i_mvalue.rows) near(t, mValue(bins), m);
  t.is(mValue([0, 0]), null);
  t.is(mValue([]), null);
  t.throws(() => mValue([1, -1]), { instanceOf: RangeError });
});

test('constants, single values and none', (t) => {
  t.is(tukeyOutliers([]).status, 'empty');
  for (const x of [[3], [3, 3], new Array(30).fill(3)]) {
    const found = tukeyOutliers(x);
    t.true('mild' in found && found.mild.length === 0 && found.severe.length === 0 && found.meanWithout === 3);
  }
  t.is(modality(new Array(59).fill(1)).status, 'too-few');
  t.is(modality(new Array(60).fill(1)).status, 'constant');
  t.is(lowlandModes(new Array(60).fill(1)).status, 'constant');
  t.is(groupsApart([1, 2, 3], [0, 0, 0]).status, 'too-few');
  t.is(groupsApart([2, 2, 2, 2], [0, 0, 0, 0]).status, 'one-group');
});

/** Normal-like values (sum of uniforms) around each centre in turn, seeded. */
function sample(centres: readonly number[], sd: number, n: number, seed: number): number[] {
  const random = mulberry32(seed);
  const normal = () => Array.from({ length: 12 }, () => random.float()).reduce((a, b) => a + b) - 6;
  return Array.from({ length: n }, (_, i) => centres[i % centres.length]! + sd * normal());
}

test('lowland and m-value: one, two and three modes in every unit', (t) => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    for (const [centres, sd] of [
      [[100], 1],
      [[100, 110], 1],
      [[100, 110, 125], 1],
    ] as const) {
      for (const scale of [1, 1e-6, 1e6]) {
        const x = sample(centres, sd, 300, seed).map((v) => v * scale);
        const found = lowlandModes(x);
        if (found.status !== 'ok') return t.fail(found.status);
        t.is(found.modes.length, centres.length, `seed ${seed}, ${centres}`);
        found.modes.forEach((mode, k) => {
          t.true(Math.abs(mode.peak / scale - centres[k]!) < 2.5);
          t.true(Math.abs(mode.share - 1 / centres.length) < 0.05);
        });
        const hint = modality(x);
        if (hint.status !== 'ok') return t.fail(hint.status);
        if (centres.length > 1) t.true(hint.m > 2.8, `m ${hint.m}`);
      }
    }
  }
});

test('lowland: a skewed sample has one mode, ties do not break it', (t) => {
  for (const seed of [1, 2, 3, 4]) {
    const random = mulberry32(seed);
    const skewed = Array.from({ length: 400 }, () => 10 - Math.log(1 - random.float()));
    const found = lowlandModes(skewed);
    t.is(found.status === 'ok' && found.modes.length, 1, `seed ${seed}`);
  }
  const ties = Array.from({ length: 100 }, (_, i) => (i < 50 ? 100 : 200));
  const two = lowlandModes(ties);
  t.is(two.status === 'ok' && two.modes.length, 2);
  const far = modality([...new Array(99).fill(1), 1e12]);
  t.is(far.status, 'ok');
});

test('forks in two groups, one straggler, evenly scattered forks', (t) => {
  const tight = new Array(6).fill(0.1);
  const two = groupsApart([100.1, 103.2, 100, 103.3, 100.2, 103.1], tight);
  t.like(two, { status: 'bimodal', lower: [2, 0, 4], upper: [5, 1, 3] });
  t.true('gapRatio' in two && Math.abs(two.gapRatio! - 29) < 1e-9);
  t.is(groupsApart([100, 100.1, 100.2, 105, 100.1, 100], tight).status, 'straggler');
  t.is(groupsApart([100, 101, 102, 103, 104, 105], tight).status, 'one-group');
  t.is(groupsApart([100, 100.1, 100, 100.1, 100.2, 100.3], new Array(6).fill(1)).status, 'one-group');
  const noVariance = groupsApart([1, 1, 2, 2], [0, 0, 0, 0]);
  t.like(noVariance, { status: 'bimodal', gapRatio: null });
  t.throws(() => groupsApart([1, 2], [1]), { instanceOf: RangeError });
  t.throws(() => groupsApart([1, 2, 3, 4], [1, 1, 1, -1]), { instanceOf: RangeError });
});

test('property: unit and order of forks do not matter', (t) => {
  const means = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 4, maxLength: 12 });
  fc.assert(
    fc.property(means, (m) => {
      const deviations = m.map((_, i) => 1 + (i % 3));
      const [a, b] = [
        groupsApart(m, deviations),
        groupsApart(
          [...m].reverse().map((x) => x * 1000),
          [...deviations].reverse().map((x) => x * 1000),
        ),
      ];
      t.is(a.status, b.status);
      if ('lower' in a && 'lower' in b && a.status !== 'one-group') t.is(a.lower.length, b.lower.length);
      const [c, d] = [tukeyOutliers(m), tukeyOutliers(m.map((x) => x * 1024))];
      t.is(c.status, d.status);
      if ('mild' in c && 'mild' in d) t.deepEqual([c.mild, c.severe], [d.mild, d.severe]);
    }),
  );
  t.pass();
});
