import test from 'ava';
import { cumulativeWidth, thinSample } from '#lib/stats/index.js';
import { normals } from './simulate.js';

test('thinning: ten times and a tenth of the median are the last that stay, at most 1,000 in their order', (t) => {
  const got = thinSample([100, 1000, 1001, 10, 9.99, 100, 100]);
  t.deepEqual([...got.values], [100, 1000, 10, 100, 100]);
  t.is(got.discarded, 2);
  const many = Array.from({ length: 5000 }, (_, i) => 1000 + i);
  const thin = thinSample(many, { seed: 3 });
  t.is(thin.values.length, 1000);
  t.true(
    thin.values.every((x, i) => i === 0 || x > thin.values[i - 1]!),
    'in order, none twice',
  );
  t.deepEqual(thinSample(many, { seed: 3 }).values, thin.values);
  t.notDeepEqual(thinSample(many, { seed: 4 }).values, thin.values);
  t.is(thinSample(many, { size: 5000 }).values.length, 5000);
});

test('thinning draws every value equally often', (t) => {
  const counts = new Array<number>(20).fill(0);
  const values = counts.map((_, i) => 10 + i);
  for (let seed = 0; seed < 4000; seed++)
    for (const x of thinSample(values, { size: 5, seed }).values) counts[x - 10]!++;
  // 1,000 expected, binomial with sd 27.
  for (const [i, count] of counts.entries()) t.true(Math.abs(count - 1000) < 130, `${i}: ${count}`);
});

test('thinning: zero and negative medians discard nothing; misuse throws', (t) => {
  t.deepEqual(thinSample([-5, 0, 700]), { status: 'not-positive', values: Float64Array.of(-5, 0, 700), discarded: 0 });
  t.deepEqual(thinSample([3]), { status: 'ok', values: Float64Array.of(3), discarded: 0 });
  t.throws(() => thinSample([]), { instanceOf: RangeError });
  t.throws(() => thinSample([1], { size: 0 }), { instanceOf: RangeError });
  t.throws(() => thinSample([1], { factor: 1 }), { instanceOf: RangeError });
});

test('interval width: near the normal one for one iteration, and it falls as iterations come', (t) => {
  const { next } = normals(2);
  const iterations = Array.from({ length: 12 }, () => Array.from({ length: 100 }, () => 100 + 5 * next()));
  const { width, change, stopAfter } = cumulativeWidth(iterations);
  // 2 x 2.576 x 5 / sqrt(100) / 100 = 2.6 %.
  t.true(width[0]! > 0.018 && width[0]! < 0.032, `${width[0]}`);
  t.true(width[11]! < width[0]! / 2, `${width}`);
  t.deepEqual(change.slice(0, 4), [null, null, null, null]);
  t.is(stopAfter, 5, 'all widths are below 3 %, so no change can be above it');
  t.is(cumulativeWidth(iterations, { threshold: 1e-9 }).stopAfter, null);
  t.deepEqual(cumulativeWidth(iterations), cumulativeWidth(iterations, { seed: 1 }));
});

test('interval width: a steep start keeps it from stopping at its first chance', (t) => {
  const levels = [3000, 1500, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100];
  const steep = levels.map((level) => Array.from({ length: 20 }, (_, i) => level * (1 + 0.01 * (i % 3))));
  const { stopAfter } = cumulativeWidth(steep, { replicates: 300 });
  t.true(stopAfter === null || stopAfter > 5, `${stopAfter}`);
});

test('interval width: one value, equal values and zero means; misuse throws', (t) => {
  t.deepEqual(cumulativeWidth([[7], [7], [7]]).width, [null, 0, 0]);
  t.deepEqual(cumulativeWidth([[-1, 1]]).width, [null]);
  t.deepEqual(
    cumulativeWidth(
      [
        [0.1, 0.1],
        [0.1, 0.1],
      ],
      { window: 2 },
    ).stopAfter,
    2,
  );
  for (const bad of [{ window: 1 }, { threshold: 0 }, { confidence: 99 }, { replicates: 99 }, { seed: 0.5 }]) {
    t.throws(() => cumulativeWidth([[1, 2]], bad), { instanceOf: RangeError }, JSON.stringify(bad));
  }
  t.throws(() => cumulativeWidth([[1, 2]], { resample: 'some' as never }), { instanceOf: TypeError });
  t.throws(() => cumulativeWidth([]), { instanceOf: RangeError });
});
