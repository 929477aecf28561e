import test from 'ava';
import { balancedPairSchedule, mulberry32, random, rmitSchedule, shuffle, xoshiro128 } from '#lib/stats/index.js';
import { xoshiro128State } from '#lib/stats/prng.js';
import { sets } from './vectors.js';

test('mulberry32 gives the vectors', (t) => {
  const rng = mulberry32(sets.prng.seed);
  t.deepEqual(
    Array.from({ length: 5 }, () => rng.u32()),
    sets.prng.u32,
  );
  const below = mulberry32(12345);
  t.deepEqual(
    Array.from({ length: 12 }, () => below.below(10)),
    sets.prng.seed12345_below10,
  );
});

test('xoshiro128** gives the published words for state 1, 2, 3, 4', (t) => {
  const rng = xoshiro128State(1, 2, 3, 4);
  t.deepEqual(
    Array.from({ length: 10 }, () => rng.u32()),
    [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804],
  );
});

test('a stream is a function of its seed, and uniform', (t) => {
  for (const generator of ['mulberry32', 'xoshiro128**'] as const) {
    const [one, two, other] = [random(generator, 7), random(generator, 7), random(generator, 8)];
    const words = Array.from({ length: 50 }, () => one.u32());
    t.deepEqual(
      words,
      Array.from({ length: 50 }, () => two.u32()),
    );
    t.notDeepEqual(
      words,
      Array.from({ length: 50 }, () => other.u32()),
    );
    const counts = new Array(10).fill(0);
    const rng = random(generator, 1);
    for (let i = 0; i < 100_000; i++) counts[rng.below(10)]++;
    // chi-square with 9 df: 99.99 % of seeds stay below 33.7; this seed is fixed.
    const chi2 = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    t.true(chi2 < 33.7, `${generator}: chi2 ${chi2}`);
    const f = rng.float();
    t.true(f >= 0 && f < 1);
  }
});

test('RMIT schedule gives the vector; every round holds every arm once', (t) => {
  const set = sets.k_rmit_schedule;
  const order = rmitSchedule(set.seed, set.arms.length, set.rounds);
  t.deepEqual(
    order.map((round) => round.map((arm) => set.arms[arm])),
    set.order,
  );
  for (const round of rmitSchedule(99, 7, 50)) t.deepEqual(round.toSorted(), [0, 1, 2, 3, 4, 5, 6]);
  t.deepEqual(rmitSchedule(1, 3, 0), []);
  t.deepEqual(rmitSchedule(1, 1, 2), [[0], [0]]);
});

test('balanced pairs: half of the rounds each way, in random order', (t) => {
  for (const seed of [0, 1, 2, 3]) {
    const even = balancedPairSchedule(seed, 20);
    t.is(even.filter(([first]) => first === 0).length, 10);
    const odd = balancedPairSchedule(seed, 7);
    t.true([3, 4].includes(odd.filter(([first]) => first === 0).length));
    for (const round of odd) t.deepEqual(round.toSorted(), [0, 1]);
  }
  t.notDeepEqual(balancedPairSchedule(1, 20), balancedPairSchedule(2, 20));
  const extra = Array.from(
    { length: 40 },
    (_, seed) => balancedPairSchedule(seed, 7).filter(([first]) => first === 0).length,
  );
  t.deepEqual([...new Set(extra)].sort(), [3, 4], 'the odd round falls to either side');
  t.deepEqual(balancedPairSchedule(1, 20), balancedPairSchedule(1, 20));
});

test('every order of three is equally likely', (t) => {
  const rng = mulberry32(5);
  const counts = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const key = shuffle([0, 1, 2], rng).join('');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  t.is(counts.size, 6);
  // 5 df: 99.99 % below 25.7.
  t.true([...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0) < 25.7);
});

test('misuse', (t) => {
  t.throws(() => mulberry32(1.5), { instanceOf: RangeError });
  t.throws(() => xoshiro128State(0, 0, 0, 0), { instanceOf: RangeError });
  t.throws(() => random('mt19937' as 'mulberry32', 1), { instanceOf: TypeError });
  t.throws(() => rmitSchedule(1, 0, 3), { instanceOf: RangeError });
  t.throws(() => rmitSchedule(1, 2, -1), { instanceOf: RangeError });
  t.throws(() => balancedPairSchedule(1, 1.5), { instanceOf: RangeError });
  t.is(xoshiro128(3).u32(), xoshiro128(3).u32());
});
