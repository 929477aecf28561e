import test from 'ava';
import fc from 'fast-check';
import { mulberry32 } from '#lib/stats/prng.js';
import type { SeriesClass } from '#lib/stats/segments.js';
import {
  aggregateClasses,
  classifySegments,
  commonSteadyStart,
  mergeSegments,
  segmentsOf,
  steadyState,
  warmupLength,
} from '#lib/stats/segments.js';
import { near, vectors } from './near.js';

const { g_changepoints, g_aggregate } = vectors;

interface Set {
  x: number[];
  changepoints: number[];
  seg_means: number[];
  seg_vars_mle: number[];
  classification: SeriesClass;
  steady_start: number | null;
}

test('vectors: segments and Barrett class, in seconds and in nanoseconds', (t) => {
  for (const [name, set] of Object.entries<Set>(g_changepoints.series)) {
    const { x, changepoints, seg_means, seg_vars_mle, classification, steady_start } = set;
    const segments = segmentsOf(x, changepoints);
    segments.forEach((segment, i) => {
      near(t, segment.mean, seg_means[i]!);
      near(t, segment.variance, seg_vars_mle[i]!);
    });
    const barrett = classifySegments(segments, { rule: { mode: 'barrett', toSeconds: 1 } });
    t.is(barrett.class, classification, name);
    t.is(barrett.steadyStart, steady_start, name);
    const inNs = x.map((v) => v * 1e9);
    const same = classifySegments(segmentsOf(inNs, changepoints), { rule: { mode: 'barrett', toSeconds: 1e-9 } });
    t.deepEqual(same, barrett, name);
  }
});

test('the published rule in the wrong unit calls everything flat, which is why the factor must be given', (t) => {
  const { x, changepoints } = g_changepoints.series.slowdown;
  const inNs = segmentsOf(x, changepoints).map((s) => ({ ...s, mean: s.mean * 1e9, variance: s.variance * 1e18 }));
  t.is(classifySegments(inNs, { rule: { mode: 'barrett', toSeconds: 1 } }).class, 'flat');
});

test('vectors: class over forks', (t) => {
  for (const [classes, expected] of g_aggregate.rows) t.is(aggregateClasses(classes), expected);
  t.throws(() => aggregateClasses([]), { instanceOf: RangeError });
});

/** A generated series of a known class: levels in parts of n, triangular noise of 0.2 %. */
function generated(parts: readonly (readonly [share: number, level: number])[], n: number, seed: number): number[] {
  const random = mulberry32(seed);
  return parts.flatMap(([share, level]) =>
    Array.from({ length: Math.round(share * n) }, () => level * (1 + 0.002 * (random.float() - random.float()))),
  );
}

const shapes: readonly [SeriesClass, readonly (readonly [number, number])[], number | null][] = [
  ['flat', [[1, 100]], 0],
  [
    'flat',
    [
      [0.5, 100],
      [0.5, 100.4],
    ],
    0,
  ],
  [
    'warmup',
    [
      [0.2, 140],
      [0.8, 100],
    ],
    0.2,
  ],
  [
    'warmup',
    [
      [0.1, 300],
      [0.2, 150],
      [0.7, 100],
    ],
    0.3,
  ],
  [
    'slowdown',
    [
      [0.4, 100],
      [0.6, 110],
    ],
    0.4,
  ],
  [
    'no steady state',
    [
      [0.85, 100],
      [0.15, 120],
    ],
    null,
  ],
  [
    'no steady state',
    [
      [0.5, 100],
      [0.4, 130],
      [0.1, 100],
    ],
    null,
  ],
];

test('generated series of every class, in four units, with quantised timers', (t) => {
  for (const [expected, parts, start] of shapes) {
    for (const seed of [1, 2, 3, 4, 5]) {
      const x = generated(parts, 200, seed);
      for (const scale of [1, 1e-9, 1e3, 1e6]) {
        const found = steadyState(x.map((v) => v * scale));
        t.is(found.class, expected, `${expected} seed ${seed} x ${scale}`);
        t.is(found.steadyStart, start === null ? null : Math.round(start * 200));
      }
      const coarse = x.map((v) => Math.round(v / 0.05) * 0.05);
      t.is(steadyState(coarse).class, expected, `${expected} seed ${seed} quantised`);
    }
  }
});

test('the class depends on the tolerance, which is printed with it', (t) => {
  const x = generated(
    [
      [0.3, 103],
      [0.7, 100],
    ],
    200,
    9,
  );
  const tight = steadyState(x);
  const loose = steadyState(x, { rule: { mode: 'relative', tolerance: 0.05 } });
  t.is(tight.class, 'warmup');
  t.regex(tight.rule, /relative, 1 %/);
  t.is(loose.class, 'flat');
  t.regex(loose.rule, /5 %/);
  t.is(steadyState(x, { rule: { mode: 'relative', step: 4 } }).class, 'flat');
});

test('hidden outliers stay in the segments and their means', (t) => {
  const x = generated([[1, 100]], 300, 3);
  for (const i of [150, 151, 152, 290]) x[i] = 180;
  const raw = steadyState(x);
  t.true(raw.search.changepoints.length > 0);
  const filtered = steadyState(x, { outlierWindow: 40 });
  t.deepEqual(filtered.outliers, [150, 151, 152, 290]);
  t.deepEqual(filtered.search.changepoints, []);
  t.is(filtered.segments[0]!.end, 300);
  near(t, filtered.segments[0]!.mean, x.reduce((a, b) => a + b) / 300);
});

test('a change after hidden outliers is placed at the index of the original series', (t) => {
  const x = generated(
    [
      [0.5, 100],
      [0.5, 120],
    ],
    200,
    4,
  );
  x[60] = 400;
  const found = steadyState(x, { outlierWindow: 20 });
  t.deepEqual(found.outliers, [60]);
  t.is(found.steadyStart, 100);
});

test('merging keeps the moments of the joined values', (t) => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 3, maxLength: 30 }), (x) => {
      const cut = Math.max(1, x.length >> 1);
      const [all] = mergeSegments(segmentsOf(x, [cut]), () => true);
      const whole = segmentsOf(x, [])[0]!;
      t.true(Math.abs(all!.mean - whole.mean) < 1e-9 && Math.abs(all!.variance - whole.variance) < 1e-7);
      t.deepEqual([all!.start, all!.end], [0, x.length]);
      t.is(mergeSegments(segmentsOf(x, [cut]), () => false).length, 2);
    }),
  );
  t.pass();
});

test('common start: the latest, or by when a share is steady; a fork that never settles blocks the first', (t) => {
  t.deepEqual(commonSteadyStart([3, 10, 0]), { status: 'ok', start: 10, rule: 'maximum' });
  t.deepEqual(commonSteadyStart([3, null, 0]), { status: 'none', missing: 1 });
  const most = commonSteadyStart([3, 10, 0, 5, 4, 2, 1, 6, null, 7], 0.9);
  t.is(most.status === 'ok' && most.start, 10);
  t.like(commonSteadyStart([3, 10, 0, 5], 0.5), { status: 'ok', start: 3 });
  t.is(commonSteadyStart([]).status, 'none');
  t.deepEqual(warmupLength([4, null, 8, 6]), { settled: 3, of: 4, median: 6, min: 4, max: 8 });
  t.is(warmupLength([null]).median, null);
});

test('property: order of forks changes neither class nor common start', (t) => {
  const starts = fc.array(fc.option(fc.nat(100)), { minLength: 1, maxLength: 12 });
  const classes = fc.array(fc.constantFrom<SeriesClass>('flat', 'warmup', 'slowdown', 'no steady state'), {
    minLength: 1,
  });
  fc.assert(
    fc.property(starts, classes, (s, c) => {
      t.deepEqual(commonSteadyStart([...s].reverse(), 0.9), commonSteadyStart(s, 0.9));
      t.is(aggregateClasses([...c].reverse()), aggregateClasses(c));
    }),
  );
  t.pass();
});

test('constants are flat; no values, one and two values have a status', (t) => {
  for (const x of [[5, 5, 5, 5, 5, 5], new Array(100).fill(0), [7], [7, 7]]) {
    const found = steadyState(x);
    t.is(found.class, 'flat');
    t.is(found.steadyStart, 0);
    t.is(classifySegments(found.segments, { rule: { mode: 'barrett', toSeconds: 1 } }).class, 'flat');
  }
  t.is(steadyState([]).status, 'empty');
  t.is(steadyState([1, 2]).class, 'flat');
});

test('misuse throws', (t) => {
  t.throws(() => segmentsOf([1, 2, 3], [2, 1]), { instanceOf: RangeError });
  t.throws(() => segmentsOf([1, 2, 3], [3]), { instanceOf: RangeError });
  t.throws(() => classifySegments([]), { instanceOf: RangeError });
  t.throws(() => steadyState([1, 2], { rule: { mode: 'barrett', toSeconds: 0 } }), { instanceOf: RangeError });
  t.throws(() => steadyState([1, 2], { tail: 2 }), { instanceOf: RangeError });
  t.throws(() => commonSteadyStart([1], Number.NaN), { instanceOf: RangeError });
});
