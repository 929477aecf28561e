/**
 * Real forks against themselves and against bodies that are longer by a known share: the short form. Rates need hundreds of
 * comparisons; bench/self/aa.ts is the long form, on the same session and the same rules.
 */
import { performance } from 'node:perf_hooks';
import test from 'ava';
import { comparisons, ratesOf, session } from './support/session.js';

const FORKS = 10;
const ARMS = [
  { name: 'a', shift: 0 },
  { name: 'b', shift: 0 },
  { name: '+10 %', shift: 0.1 },
] as const;

test.serial('the same function gets no verdict, 10 % more ticks are found', async (t) => {
  t.timeout(300_000);
  const begin = performance.now();
  const [a, b, slower] = await session(ARMS, 2 * FORKS, 20_261);
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  const same = comparisons(a!, b!, FORKS, 'aware');
  const shifted = comparisons(a!, slower!, FORKS, 'aware');
  t.log(`${3 * 2 * FORKS} forks in ${seconds} s; A/A and +10 %, interference-aware, then plain:`);
  t.log(ratesOf(same, 1), ratesOf(shifted, 1.1));
  t.log(ratesOf(comparisons(a!, b!, FORKS, 'plain'), 1), ratesOf(comparisons(a!, slower!, FORKS, 'plain'), 1.1));
  // A wrong verdict in either of two is a 2 % event at the rate that is promised; both wrong is one in ten thousand.
  t.true(
    same.some(({ verdict }) => verdict === 'equivalent' || verdict === 'inconclusive'),
    JSON.stringify(same),
  );
  for (const { verdict, low, high } of shifted) {
    t.is(verdict, 'regressed', `${low} to ${high}`);
    t.true(low < 1.13 && high > 1.07, `${low} to ${high}`);
  }
});

test('rates are counted right', (t) => {
  const of = (low: number, high: number, verdict: string) => ({
    verdict,
    excludesOne: low > 1 || high < 1,
    ratio: Math.sqrt(low * high),
    low,
    high,
  });
  const outcomes = [
    of(1.02, 1.08, 'regressed'),
    of(0.9, 0.95, 'improved'),
    of(0.99, 1.06, 'inconclusive'),
    of(1.01, 1.02, 'regressed'),
  ];
  t.deepEqual(ratesOf(outcomes, 1.05), {
    of: 4,
    verdicts: { regressed: 2, improved: 1, inconclusive: 1 },
    excludesOne: 3,
    covers: 2,
    detected: 1,
  });
});

test('comparisons of a session share no fork and pair the same rounds', (t) => {
  const side = (offset: number) =>
    Array.from({ length: 25 }, (_, i) => ({ plain: 100 + offset + 10 * Math.floor(i / 10) + (i % 3), aware: 1 + i }));
  const outcomes = comparisons(side(0), side(50), 10, 'plain');
  t.is(outcomes.length, 2);
  const mean = (from: number) =>
    side(0)
      .slice(from, from + 10)
      .reduce((sum, { plain }) => sum + plain, 0) / 10;
  for (const [k, { ratio }] of outcomes.entries()) t.true(Math.abs(ratio - (mean(10 * k) + 50) / mean(10 * k)) < 1e-12);
});
