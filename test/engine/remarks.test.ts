/** What a fork says of its own measurement, each at its edge. */
import test from 'ava';
import { histogramMedian, shortSamples, slowFixtures, tierFinding } from '#lib/engine/remarks.js';
import type { HistogramData } from '#lib/result/model.js';
import { iteration } from '../support/result.js';

test('tiers that cannot be seen are told with the reason; what they are is told by the analysis', (t) => {
  t.is(tierFinding({ of: () => null, why: null } as never), null);
  const blind = tierFinding({ of: null, why: 'no natives' } as never)!;
  t.is(blind.id, 'tier-unknown');
  t.regex(blind.message, /\(no natives\)/);
});

const histogram = (...buckets: [number, number][]): HistogramData => ({
  ...{ unit: 'ns', buckets, min: buckets[0]![0], max: buckets.at(-1)![0] + 1 },
  total: buckets.reduce((sum, [, count]) => sum + count, 0),
});

test('samples whose middle is below five times the floor of the clock show the clock', (t) => {
  t.is(histogramMedian(histogram([10, 1], [20, 1], [30, 1])), 20);
  t.is(histogramMedian(histogram([10, 2], [20, 1], [30, 1])), 10, 'half of them are at or below it');
  t.is(histogramMedian(histogram([10, 1], [20, 2], [30, 4])), 30);
  t.is(histogramMedian({ ...histogram([10, 1]), total: 9 }), 11);
  const clock = { granularityNs: 7 };
  const told = (median: number) =>
    shortSamples(clock, 20, iteration(0, 10, { histogram: histogram([1, 1], [median, 2], [9e9, 1]) }));
  t.is(told(100), null);
  t.deepEqual(told(99)!.data, { medianNs: 99, floorNs: 20, granularityNs: 7 });
  t.is(shortSamples(clock, 20, iteration(0, 10)), null);
  t.is(shortSamples(clock, 20, null), null);
});

test('fixtures of invocation level: what one invocation took, and what its fixtures did', (t) => {
  const { chunks } = iteration(0, 10);
  const of = (elapsedNs: number) =>
    slowFixtures(
      20,
      iteration(0, 10, { elapsedNs, wallNs: 3 * elapsedNs, chunks: { ...chunks!, count: 50, invocations: 2 } }),
    );
  t.deepEqual(of(5000)!.data, { opNs: 50, floorNs: 20, fixtureNs: 100 });
  t.is(of(100e6), null, '1 ms an invocation');
  t.is(of(100e6 - 1)!.id, 'invocation-fixtures');
  t.is(slowFixtures(20, iteration(0, 10, { chunks: null })), null);
});
