import test from 'ava';
import fc from 'fast-check';
import { findChangepoints, inferResolution } from '#lib/stats/changepoints.js';
import { near, vectors } from './near.js';

interface Case {
  x: number[];
  changepoints: number[];
  total: number;
}

/** The same minimum by trying every last segment: O(n^2), no pruning. */
function exhaustive(x: readonly number[], floor: number, penalty: number, least: number): number {
  const best = [-penalty];
  for (let end = 1; end <= x.length; end++) {
    best[end] = Number.POSITIVE_INFINITY;
    for (let from = 0; from + least <= end; from++) {
      const part = x.slice(from, end);
      const mean = part.reduce((a, b) => a + b, 0) / part.length;
      const v = part.reduce((a, b) => a + (b - mean) ** 2, 0) / part.length;
      const cost = part.length * (Math.log(2 * Math.PI) + Math.log(v + floor) + 1);
      best[end] = Math.min(best[end]!, best[from]! + cost + penalty);
    }
  }
  return best[x.length]!;
}

test('vectors: change points and totals of six series', (t) => {
  for (const [name, { x, changepoints, total }] of Object.entries<Case>(vectors.g_changepoints.series)) {
    const found = findChangepoints(x, { resolution: 0 });
    t.deepEqual(found.changepoints, changepoints, name);
    near(t, found.total, total, name);
  }
});

test('vectors: quantised series with the additive floor', (t) => {
  const y = Array.from({ length: 300 }, (_, i) => (i < 100 ? 10 : i < 200 ? 10 + (i % 2) : 11));
  for (const resolution of [1, 'infer'] as const) {
    const found = findChangepoints(y, { resolution });
    t.deepEqual(found.changepoints, vectors.g_quantised.changepoints);
    near(t, found.total, vectors.g_quantised.total);
    near(t, found.varianceFloor, vectors.g_quantised.variance_floor_added);
  }
});

const levels = fc
  .array(
    fc.record({
      level: fc.integer({ min: 5, max: 40 }),
      noise: fc.integer({ min: 0, max: 6 }),
      length: fc.integer({ min: 1, max: 25 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .chain((parts) =>
    fc.tuple(
      ...parts.map(({ level, noise, length }) =>
        fc.array(fc.integer({ min: level - noise, max: level + noise }), { minLength: length, maxLength: length }),
      ),
    ),
  )
  .map((parts) => parts.flat());

test('property: pruning loses nothing, on quantised series with runs of ties too', (t) => {
  fc.assert(
    fc.property(
      levels,
      fc.integer({ min: 1, max: 4 }),
      fc.double({ min: 0, max: 30, noNaN: true }),
      (x, least, penalty) => {
        const found = findChangepoints(x, { resolution: 1, minSegment: least, penalty });
        if (found.status !== 'ok') return;
        near(t, found.total, exhaustive(x, 1 / 12, penalty, least));
        const bounds = [0, ...found.changepoints, x.length];
        t.true(bounds.slice(1).every((to, i) => to - bounds[i]! >= least));
      },
    ),
    { numRuns: 150 },
  );
  t.pass();
});

test('property: another unit moves no change point', (t) => {
  fc.assert(
    fc.property(levels, fc.constantFrom(1000, 1e-9, 1e9, 0.3), (x, scale) => {
      const found = findChangepoints(x);
      const scaled = findChangepoints(x.map((v) => v * scale));
      t.deepEqual(scaled.changepoints, found.changepoints);
      near(t, scaled.varianceFloor, found.varianceFloor * scale ** 2);
    }),
  );
  t.pass();
});

test('a first value 100,000 times the rest hides no change behind it', (t) => {
  const x = Array.from({ length: 400 }, (_, i) => (i < 200 ? 100 : 101) + 0.01 * (((i * 7919) % 13) - 6));
  const plain = findChangepoints(x, { resolution: 0 });
  t.deepEqual(plain.changepoints, [200]);
  const late = findChangepoints([1e7, 1e7 + 1e5, ...x], { resolution: 0 });
  t.deepEqual(late.changepoints, [2, 202]);
});

test('constants, no values, one and two values have a status and no change points', (t) => {
  for (const [x, status] of [
    [[], 'too-short'],
    [[1], 'too-short'],
    [[1, 2], 'too-short'],
    [[0, 0, 0, 0, 0], 'constant'],
    [new Array(50).fill(3.3), 'constant'],
  ] as const) {
    const found = findChangepoints(x);
    t.is(found.status, status);
    t.deepEqual(found.changepoints, []);
    t.is(found.total, null);
    t.true(Number.isFinite(found.varianceFloor));
  }
});

test('the step is inferred from ties, and not from values that have none', (t) => {
  const quantised = Array.from({ length: 60 }, (_, i) => 250 * (4 + (i % 5)));
  t.is(inferResolution(quantised), 250);
  near(t, inferResolution(quantised.map((x) => x * 1e-9)), 250e-9);
  t.is(inferResolution(Array.from({ length: 60 }, (_, i) => Math.sqrt(i + 1))), 0);
  t.is(inferResolution([]), 0);
  t.is(inferResolution([5, 5, 5]), 0);
});

test('misuse throws', (t) => {
  t.throws(() => findChangepoints([1, Number.NaN]), { instanceOf: RangeError, message: /values\[1\]/ });
  t.throws(() => findChangepoints(null as unknown as number[]), { instanceOf: TypeError });
  t.throws(() => findChangepoints([1, 2], { penalty: -1 }), { instanceOf: RangeError });
  t.throws(() => findChangepoints([1, 2], { minSegment: 0 }), { instanceOf: RangeError });
  t.throws(() => findChangepoints([1, 2], { resolution: Number.NaN }), { instanceOf: RangeError });
});
