import test from 'ava';
import fc from 'fast-check';
import { Histogram, IntervalRecorder } from '#lib/histogram/index.js';
import { highestOf, indexOf, layoutOf, lengthFor, lowestOf, widthOf } from '#lib/histogram/layout.js';

const value = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer({ min: 0, max: 5000 }));

test('buckets tile the range without gaps or overlaps, and hold what they say', (t) => {
  for (const [digits, lowest] of [
    [1, 1],
    [2, 1],
    [3, 1],
    [3, 1000],
    [5, 1],
  ] as const) {
    const layout = layoutOf(digits, lowest);
    t.is(lowestOf(layout, 0), 0);
    const length = lengthFor(layout, Number.MAX_SAFE_INTEGER);
    for (let i = 1; i < length; i += i < 5000 ? 1 : 97) {
      if (lowestOf(layout, i) !== lowestOf(layout, i - 1) + widthOf(layout, i - 1))
        t.fail(`digits ${digits}, bucket ${i}`);
      if (indexOf(layout, lowestOf(layout, i)) !== i) t.fail(`lowest of bucket ${i} is in another`);
      if (indexOf(layout, highestOf(layout, i)) !== i) t.fail(`highest of bucket ${i} is in another`);
      if (widthOf(layout, i) > Math.max(2 ** layout.unit, lowestOf(layout, i) * 10 ** -digits))
        t.fail(`bucket ${i} is too wide`);
    }
  }
});

test('record and recordCount put a value into the bucket the layout names, over the whole range', (t) => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }),
      fc.constantFrom(1, 2, 3, 4),
      fc.constantFrom(1, 7, 1024),
      (values, digits, lowest) => {
        const fast = new Histogram({ digits, lowest, highest: 1 });
        const slow = new Histogram({ digits, lowest });
        for (const v of values) {
          fast.record(v);
          slow.recordCount(v, 1);
        }
        const expected = new Map<number, number>();
        for (const v of values) {
          const low = lowestOf(fast.layout, indexOf(fast.layout, v));
          expected.set(low, (expected.get(low) ?? 0) + 1);
        }
        const got = [...fast.buckets()].map(([low, , n]) => [low, n]);
        return (
          JSON.stringify(got) === JSON.stringify([...expected].sort((a, b) => a[0] - b[0])) &&
          JSON.stringify(fast.toJSON()) === JSON.stringify(slow.toJSON()) &&
          fast.min === Math.min(...values) &&
          fast.max === Math.max(...values) &&
          fast.count === values.length
        );
      },
    ),
  );
  t.pass();
});

test('percentiles are the nearest rank of the sorted values, to the bucket', (t) => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 300 }),
      fc.double({ min: 0.001, max: 99.999, noNaN: true }),
      (values, p) => {
        const h = new Histogram();
        for (const v of values) h.record(v);
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(((p * sorted.length) / 100) * (1 - 4 * Number.EPSILON))) - 1]!;
        const [low, mid, high] = [h.percentile(p, 'lowest'), h.percentile(p, 'middle'), h.percentile(p)];
        const index = indexOf(h.layout, exact);
        return (
          low <= exact &&
          exact <= high &&
          low <= mid &&
          mid <= high &&
          indexOf(h.layout, low) === index &&
          indexOf(h.layout, high) === index &&
          h.percentile(0) === sorted[0] &&
          h.percentile(100) === sorted.at(-1)
        );
      },
    ),
  );
  t.pass();
});

test('99.9 percent of 1000 is the 999th sample, not the 1000th', (t) => {
  const h = new Histogram();
  for (let i = 1; i <= 1000; i++) h.record(i);
  t.is(h.percentile(99.9), 999);
  t.is(h.percentile(50), 500);
  t.deepEqual(h.percentiles([99, 1, 100, 0]), [990, 10, 1000, 1]);
});

test('cdf, mean and deviation', (t) => {
  const h = new Histogram();
  for (const v of [2, 4, 4, 4, 5, 5, 7, 9]) h.record(v);
  t.is(h.mean, 5);
  t.is(h.stdDeviation, 2);
  t.is(h.cdf(4), 0.5);
  t.is(h.cdf(1), 0);
  t.is(h.cdf(-5), 0);
  t.is(h.cdf(1e300), 1);
  t.is(h.countAtOrBelow(5), 6);
  t.throws(() => h.cdf(Number.NaN), { instanceOf: RangeError });
});

test('an empty histogram says NaN, not zero', (t) => {
  const h = new Histogram();
  for (const v of [h.min, h.max, h.mean, h.stdDeviation, h.cdf(1), h.percentile(50), h.percentile(100)])
    t.is(v, Number.NaN);
  t.deepEqual(h.toJSON(), { unit: 'ns', buckets: [], min: 0, max: 0, total: 0 });
});

test('values that are none are refused, and nothing is counted', (t) => {
  const h = new Histogram();
  for (const v of [Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 53, undefined as unknown as number]) {
    t.throws(() => h.record(v), { instanceOf: RangeError, message: /cannot record/ });
  }
  t.is(h.count, 0);
  h.record(2 ** 53 - 1);
  h.record(1.9);
  t.is(h.min, 1);
  t.is(h.max, 2 ** 53 - 1);
});

test('counts reach 2^53-1 and are checked there', (t) => {
  const h = new Histogram();
  h.recordCount(5, Number.MAX_SAFE_INTEGER);
  t.is(h.count, Number.MAX_SAFE_INTEGER);
  t.throws(() => h.recordCount(5, 1), { instanceOf: RangeError, message: /2\^53-1/ });
  for (const n of [-1, 0.5, Number.NaN]) t.throws(() => new Histogram().recordCount(1, n), { instanceOf: RangeError });
  const other = new Histogram();
  other.record(1);
  t.throws(() => other.add(h), { instanceOf: RangeError });
});

test('grows for values beyond its range, unless told not to', (t) => {
  const h = new Histogram({ highest: 1000 });
  const before = h.byteLength;
  h.record(1e15);
  h.record(7);
  t.true(h.byteLength > before);
  t.is(h.count, 2);
  const fixed = new Histogram({ highest: 5000, autoRange: false });
  fixed.record(5000);
  const { message } = t.throws(() => fixed.record(1e9), { instanceOf: RangeError, message: /above the range/ });
  const end = Number(/which ends at (\d+)/.exec(message)![1]);
  new Histogram({ highest: 5000, autoRange: false }).record(end);
  t.throws(() => fixed.record(end + 1), { instanceOf: RangeError });
  t.is(fixed.count, 1);
});

test('merging is recording everything into one, whatever the ranges', (t) => {
  fc.assert(
    fc.property(fc.array(value), fc.array(value), fc.constantFrom(1, 2 ** 20, 2 ** 42), (a, b, highest) => {
      const [ha, hb, both] = [new Histogram({ highest }), new Histogram({ highest: 100 }), new Histogram()];
      for (const v of a) ha.record(v);
      for (const v of b) hb.record(v);
      for (const v of [...a, ...b]) both.record(v);
      ha.add(hb);
      return JSON.stringify(ha.toJSON()) === JSON.stringify(both.toJSON());
    }),
  );
  const coarse = new Histogram({ digits: 1 });
  const fine = new Histogram();
  for (let i = 0; i < 1000; i++) fine.record(i * 37);
  coarse.add(fine);
  t.is(coarse.count, 1000);
  t.is(coarse.max, fine.max);
  t.is(coarse.min, 0);
});

test('snapshots share nothing; plain data read back are the same', (t) => {
  const h = new Histogram();
  for (const v of [3, 3000, 3_000_001]) h.record(v);
  const snapshot = h.copy();
  h.record(1);
  t.is(snapshot.count, 3);
  t.is(snapshot.min, 3);
  const data = JSON.parse(JSON.stringify(h.toJSON()));
  t.deepEqual(Histogram.from(data).toJSON(), h.toJSON());
  // Data of coarser and finer buckets: the exact min and max survive.
  for (const [digits, other] of [
    [2, 3],
    [3, 2],
    [1, 5],
  ] as const) {
    const from = new Histogram({ digits });
    for (const v of [1342, 1_000_000, 20_415_804]) from.record(v);
    const to = Histogram.from(from.toJSON(), { digits: other });
    t.deepEqual([to.count, to.min, to.max], [3, 1342, 20_415_804]);
  }
  t.throws(() => Histogram.from({ ...data, min: 2999 }), { instanceOf: TypeError, message: /min/ });
  t.throws(() => Histogram.from({ ...data, total: 5 }), { instanceOf: TypeError, message: /total/ });
  t.throws(() => Histogram.from({ ...data, max: 10 }), { instanceOf: TypeError, message: /max/ });
});

test('intervals add up to the whole', (t) => {
  const recorder = new IntervalRecorder({ highest: 1000 });
  const whole = new Histogram();
  let taken: Histogram | undefined;
  for (let interval = 0; interval < 5; interval++) {
    for (let i = 0; i <= interval; i++) recorder.record(i * 100);
    taken = recorder.take(taken);
    t.is(taken.count, interval + 1);
    whole.add(taken);
  }
  t.is(whole.count, 15);
  t.is(recorder.current.count, 0);
  t.throws(() => recorder.take(recorder.current), { instanceOf: TypeError });
});

test('the next interval has the layout of the first, recycled or not', (t) => {
  const recorder = new IntervalRecorder({ digits: 2, lowest: 1000 });
  const { layout } = recorder.take();
  t.deepEqual(recorder.current.layout, layout);
  const taken = recorder.take();
  recorder.take(taken);
  t.is(recorder.current, taken, 'a recycled one takes no new memory');
});

test('the corrected copy adds what a stalled caller could not take', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2047 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 300 }),
      (values, interval) => {
        const h = new Histogram();
        const expected = new Histogram();
        for (const v of values) {
          h.record(v);
          expected.record(v);
          for (let missing = v - interval; missing >= interval; missing -= interval) expected.record(missing);
        }
        return JSON.stringify(h.correctedCopy(interval).toJSON()) === JSON.stringify(expected.toJSON());
      },
    ),
  );
  const stall = new Histogram();
  for (let i = 0; i < 99; i++) stall.record(10);
  stall.record(1_000_000);
  t.is(stall.percentile(50), 10);
  t.true(stall.correctedCopy(100).percentile(50) > 400_000);
});

test('whole buckets of the corrected copy hold what single steps would have put there', (t) => {
  for (const digits of [1, 2, 3]) {
    for (const [longest, interval] of [
      [1_000_000, 37],
      [1_000_000, 1000],
      [123_456, 1.5],
      [99_999, 40_000],
    ] as const) {
      const h = new Histogram({ digits });
      const expected = new Histogram({ digits });
      h.recordCount(longest, 3);
      for (let missing: number = longest; missing >= interval; missing -= interval) expected.recordCount(missing, 3);
      t.deepEqual(h.correctedCopy(interval).toJSON(), expected.toJSON(), `${digits} digits, ${longest} by ${interval}`);
    }
  }
});

test('a value from an array is recorded as any other, in and beyond the fast range, and none that is none', (t) => {
  const values = [0, 1, 2047, 2048, 4095, 1e6 + 0.7, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 40 + 1, 2 ** 53 - 1];
  for (const digits of [1, 3, 5]) {
    for (const lowest of [1, 1000, 2 ** 30]) {
      for (const highest of [1, 2 ** 42]) {
        const [fast, slow] = [new Histogram({ digits, lowest, highest }), new Histogram({ digits, lowest, highest })];
        // Up and down again, so that the smallest and the largest come first once and last once.
        for (const list of [values, [...values].reverse()]) {
          const held = Float64Array.from(list);
          for (let i = 0; i < held.length; i++) {
            fast.recordFrom(held, i);
            slow.recordCount(held[i]!, 1);
          }
        }
        t.deepEqual(fast.toJSON(), slow.toJSON(), `${digits} digits from ${lowest}`);
        for (const bad of [-1, Number.NaN, 2 ** 53, Infinity])
          t.throws(() => fast.recordFrom(Float64Array.of(bad), 0), { instanceOf: RangeError });
        t.is(fast.count, 2 * values.length);
      }
    }
  }
});

test('an hour corrected for 1 ns takes one step per bucket, and adds an hour of samples', (t) => {
  const h = new Histogram();
  h.record(3.6e12);
  const before = process.cpuUsage();
  const copy = h.correctedCopy(1);
  t.true(process.cpuUsage(before).user < 30e6);
  // v, then v-1 ... 1, where v is the value recorded: the top of its bucket cannot be above the max.
  t.is(copy.count, 3.6e12);
});

test('correcting twice is refused, however it is tried', (t) => {
  const h = new Histogram();
  h.record(1000);
  const corrected = h.correctedCopy(10);
  t.throws(() => corrected.correctedCopy(10), { instanceOf: TypeError, message: /already corrected/ });
  t.throws(() => corrected.copy().correctedCopy(10), { instanceOf: TypeError });
  const planned = new Histogram({ correction: 'planned-start' });
  t.throws(() => planned.correctedCopy(10), { instanceOf: TypeError, message: /planned start/ });
  t.throws(() => h.add(corrected), { instanceOf: TypeError, message: /correction/ });
  t.throws(() => corrected.add(h), { instanceOf: TypeError, message: /correction/ });
  for (const interval of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => h.correctedCopy(interval), { instanceOf: RangeError });
  }
});

test('bad options are named', (t) => {
  t.throws(() => new Histogram({ digits: 0 }), { instanceOf: RangeError, message: /digits/ });
  t.throws(() => new Histogram({ digits: 6 }), { instanceOf: RangeError, message: /digits/ });
  t.throws(() => new Histogram({ lowest: 0 }), { instanceOf: RangeError, message: /lowest/ });
  t.throws(() => new Histogram({ highest: 2 ** 53 }), { instanceOf: RangeError, message: /highest/ });
  t.throws(() => new Histogram().percentile(101), { instanceOf: RangeError, message: /0 to 100/ });
});
