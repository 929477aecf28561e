import test from 'ava';
import { formatDuration, parseDuration } from '#lib/suite/duration.js';

test('durations are read with their unit, bare numbers by context', (t) => {
  const cases: readonly (readonly [unknown, number | null])[] = [
    ['200ms', 200],
    ['1.5 s', 1500],
    ['2m', 120_000],
    ['1hr', 3_600_000],
    ['100us', 0.1],
    ['.5s', 500],
    [25, 25],
    ['25', 25],
    ['', null],
    ['-1s', null],
    ['1.5.2s', null],
    ['1 parsec', null],
    ['constructor', null],
    ['1 constructor', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [-5, null],
    [null, null],
  ];
  for (const [value, ms] of cases) t.is(parseDuration(value), ms, String(value));
  t.is(parseDuration('5', 's'), 5000);
  t.is(parseDuration(5, 's'), 5000);
});

test('durations are written as people write them', (t) => {
  t.deepEqual([0, 0.05, 200, 1500, 90_000].map(formatDuration), ['0 ms', '50 us', '200 ms', '1.5 s', '1.5 min']);
});
