import test from 'ava';
import fc from 'fast-check';
import { pooledState, pooledTrend } from '#lib/stats/pooled-state.js';
import { mulberry32 } from '#lib/stats/prng.js';
import { mannKendall } from '#lib/stats/trend.js';

function normals(seed: number): () => number {
  const random = mulberry32(seed);
  return () => Array.from({ length: 12 }, () => random.float()).reduce((a, b) => a + b) - 6;
}

test('property: one group gives the Mann-Kendall test; the unit and the order of groups do not matter', (t) => {
  const group = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 3, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 6 }), (groups) => {
      const [one, mk] = [pooledTrend([groups[0]!]), mannKendall(groups[0]!)];
      t.is(one.status, mk.status);
      if (one.status === 'ok' && mk.status === 'ok')
        t.deepEqual([one.s, one.variance, one.p], [mk.s, mk.variance, mk.p]);
      const [a, b] = [pooledTrend(groups), pooledTrend([...groups].reverse().map((g) => g.map((x) => x * 1000)))];
      t.is(a.status, b.status);
      if (a.status === 'ok' && b.status === 'ok') {
        t.true(Math.abs(a.p - b.p) < 1e-12);
        t.true(Math.abs(b.slope - 1000 * a.slope) < 1e-6);
      }
    }),
  );
});

test('ten groups of five see what no group of five could', (t) => {
  const normal = normals(3);
  const groups = Array.from({ length: 10 }, () => Array.from({ length: 5 }, (_, i) => 100 + 0.8 * i + normal()));
  for (const group of groups) {
    const alone = mannKendall(group);
    t.true(alone.status === 'ok' && alone.p > 0.01);
  }
  const all = pooledTrend(groups);
  t.true(all.status === 'ok' && all.p < 0.001 && all.slope > 0.4 && all.slope < 1.2);
  t.is(pooledState(groups).state, 'trending');
});

test('shuffled groups are called dependent in about one of twenty, red ones nearly always', (t) => {
  const normal = normals(4);
  let [white, red] = [0, 0];
  for (let k = 0; k < 100; k++) {
    const noise = Array.from({ length: 6 }, () => Array.from({ length: 8 }, normal));
    if (pooledState(noise, { seed: k }).state === 'initialised-dependent') white++;
    const dependent = Array.from({ length: 6 }, () => {
      let x = 3 * normal();
      return Array.from({ length: 12 }, () => (x = 0.85 * x + normal()));
    });
    if (pooledState(dependent, { seed: k }).state !== 'independent') red++;
  }
  t.true(white <= 14, `${white} of 100`);
  t.true(red >= 80, `${red} of 100`);
});

test('dependence in groups of five is seen, although five values make every correlation look negative', (t) => {
  const normal = normals(9);
  let seen = 0;
  for (let k = 0; k < 100; k++) {
    const groups = Array.from({ length: 10 }, () => {
      let x = 1.25 * normal();
      return Array.from({ length: 5 }, () => (x = 0.6 * x + normal()));
    });
    if (pooledState(groups, { seed: k }).state === 'initialised-dependent') seen++;
  }
  // 43 of 100 in a trial run; without taking out what a shuffled group would show, none.
  t.true(seen >= 25, `${seen} of 100`);
});

test('property: p of the shuffle test does not depend on the order of the groups', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const normal = normals(seed);
      const groups = Array.from({ length: 5 }, () => Array.from({ length: 7 }, normal));
      const [a, b] = [pooledState(groups), pooledState([...groups].reverse())];
      t.is(a.state, b.state);
      t.is(a.shuffleP, b.shuffleP);
    }),
    { numRuns: 15 },
  );
});

test('little, short, constant and no data have a state', (t) => {
  t.is(pooledState([]).state, 'too-short');
  t.is(pooledState([[1, 2, 3, 4]]).state, 'too-short');
  t.is(pooledState(Array.from({ length: 20 }, () => [1, 2, 3])).state, 'too-short');
  t.is(pooledState(Array.from({ length: 20 }, () => [5, 5, 5, 5])).state, 'independent');
  t.is(pooledTrend([[1], [1, 2]]).status, 'too-short');
  t.is(pooledTrend([[1, 1, 1]]).status, 'constant');
  t.throws(() => pooledState([], { shuffles: 5 }), { instanceOf: RangeError });
  t.throws(() => pooledState([[Number.NaN]]), { instanceOf: RangeError });
});
