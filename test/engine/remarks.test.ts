/** What a fork says of its own measurement, each at its edge. */
import test from 'ava';
import { histogramMedian, shortSamples, slowFixtures, tierFinding } from '#lib/engine/remarks.js';
import type { HistogramData, Iteration } from '#lib/result/model.js';
import { iteration } from '../support/result.js';

const seen = { of: () => null, why: null } as never;
const at = (loop: string, body: string) =>
  iteration(0, 10, { tier: { loop, body, changed: false, deopts: 0 } } as Partial<Iteration>);

test('code below the top is told, of the loop or of the body; an inlined body is at the top with its loop', (t) => {
  const told = (loop: string, body: string, usualNs: number | null = 10) =>
    tierFinding(seen, at(loop, body), usualNs)?.id;
  for (const [loop, body] of [
    ['turbofan', 'turbofan'],
    ['optimized', 'optimized'],
    ['turbofan', 'inlined'],
  ] as const) {
    t.is(told(loop, body), undefined, `${loop} ${body}`);
  }
  for (const [loop, body] of [
    ['maglev', 'turbofan'],
    ['turbofan', 'maglev'],
    ['maglev', 'inlined'],
    ['interpreter', 'interpreter'],
  ] as const) {
    t.is(told(loop, body), 'not-top-tier', `${loop} ${body}`);
  }
  t.regex(tierFinding(seen, at('turbofan', 'maglev'), 10)!.message, /: the benchmark function was maglev at the end/);
  t.regex(
    tierFinding(seen, at('maglev', 'baseline'), 10)!.message,
    /: the loop was maglev and the benchmark function baseline at/,
  );
  t.deepEqual(
    [told('maglev', 'maglev', 100_000), told('maglev', 'maglev', 100_001), told('maglev', 'maglev', null)],
    ['not-top-tier', undefined, undefined],
    'long invocations spend their time elsewhere',
  );
  t.is(tierFinding(seen, null, 10), null);
  t.is(tierFinding(seen, { ...at('maglev', 'maglev'), tier: null }, 10), null);
  const blind = tierFinding({ of: null, why: 'no natives' } as never, null, null)!;
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
