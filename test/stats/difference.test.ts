import test from 'ava';
import fc from 'fast-check';
import { meanDifference, welchTest } from '#lib/stats/index.js';
import { normals } from './simulate.js';
import { close } from './vectors.js';

// Extra sleep under two drugs (Student 1908): R's t.test answers df = 17.776, p = 0.07939, -3.3654832 to 0.2054832.
const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

test("the published example, also where means may be negative; Welch's test tells the same", (t) => {
  const got = meanDifference(first, second);
  if (got.status !== 'ok') return t.fail(got.status);
  close(t, got.difference, -1.58, 'difference');
  close(t, got.low, -3.3654832, 'low', 1e-7);
  close(t, got.high, 0.2054832, 'high', 1e-6);
  close(t, got.df, 17.776, 'df', 1e-4);
  const test = welchTest(second, first);
  if (test.status !== 'ok') return t.fail(test.status);
  close(t, test.p, 0.07939, 'p', 1e-3);
  close(t, test.df, got.df!, 'df of the test');
  close(t, got.difference / got.standardError, test.t, 't');
});

test('property: sides exchanged, another unit, a common shift', (t) => {
  const values = fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(values, values, (a, b) => {
      const got = meanDifference(a, b);
      const turned = meanDifference(b, a);
      if (got.status === 'too-few' || turned.status === 'too-few') return t.fail();
      t.is(turned.low, -got.high);
      t.is(turned.high, -got.low);
      const unit = meanDifference(
        a.map((x) => x * 1024),
        b.map((x) => x * 1024),
      );
      close(t, unit.high, got.high * 1024, 'unit');
    }),
    { numRuns: 100 },
  );
});

test('few and equal values have a status', (t) => {
  t.like(meanDifference([1, 2], [1, 2, 3]), { status: 'too-few', difference: -0.5, low: null });
  t.like(meanDifference([2, 2, 2], [1, 1, 1]), { status: 'constant', difference: 1, low: 1, high: 1, df: null });
  t.is(meanDifference([2, 2, 2], [1, 1, 2]).status, 'ok');
  t.throws(() => meanDifference([], [1]), { instanceOf: RangeError, message: /candidate/ });
  t.throws(() => meanDifference([1], [Number.NaN]), { instanceOf: RangeError, message: /baseline/ });
  t.throws(() => meanDifference([1], [1], 95), { instanceOf: RangeError, message: /0\.95/ });
});

test('coverage: 95 % of the intervals hold the true difference, variances unequal', (t) => {
  const { next } = normals(5);
  let held = 0;
  const draws = 4000;
  for (let r = 0; r < draws; r++) {
    const { low, high } = meanDifference(
      Array.from({ length: 5 }, () => 10 + next()),
      Array.from({ length: 8 }, () => 7 + 3 * next()),
    );
    if (low! <= 3 && high! >= 3) held++;
  }
  t.true(held / draws > 0.935 && held / draws < 0.965, `${held / draws}`);
});
