import test from 'ava';
import { completeTrial } from '#lib/analysis/complete.js';
import type { Mode, Trial } from '#lib/result/model.js';
import { fork, iteration, trial } from '../support/result.js';

const none = { allow: new Set<string>(), flags: new Set<string>() };
const units = (mode: Mode, unit: string) => ({ mode, options: { unit: { value: unit, source: 'default' as const } } });
const secondary = (over: Partial<Trial>, forks: Trial['forks']) =>
  completeTrial({ ...trial([]), ...over, forks }, none).secondary;

const counted = (index: number, valid: number, invalid: number) =>
  fork(index, [], {
    iterations: [0, 1].map((i) =>
      iteration(i, 10, { ops: 100, elapsedNs: 1000, counters: { valid: valid / 2, invalid: invalid / 2 } }),
    ),
  });
const counters = { valid: 'operations', invalid: 'events' } as const;

test('operations are a rate in thrpt and a time per op in avgt; events are summed over forks', (t) => {
  const forks = [counted(0, 100, 2), counted(1, 200, 6)];
  const rates = secondary({ ...units('thrpt', 'us'), counters }, forks);
  t.is(rates.valid!.value, 75, '100 and 200 in 2 us');
  t.is(rates.valid!.unit, 'ops/us');
  t.is(rates.valid!.n, 2);
  t.deepEqual([rates.invalid!.value, rates.invalid!.unit, rates.invalid!.error], [8, '#', null]);
  t.deepEqual([rates.invalid!.min, rates.invalid!.max], [2, 6]);
  const times = secondary({ ...units('avgt', 'ns'), counters }, forks);
  t.is(times.valid!.value, 15, '20 and 10 ns');
  t.is(times.valid!.unit, 'ns/op');
});

test('an operations counter that counted nothing has no time per op, and none is made up', (t) => {
  const forks = [counted(0, 0, 0), counted(1, 10, 0)];
  t.deepEqual(Object.keys(secondary({ ...units('avgt', 'ns'), counters }, forks)), ['invalid']);
  t.is(secondary({ ...units('thrpt', 'us'), counters }, forks).valid!.value, 2.5);
});

test('with threads, operations are the sum of the threads in thrpt and their mean in avgt', (t) => {
  const two = fork(0, [], {
    iterations: [
      iteration(0, 10, {
        elapsedNs: 5000,
        counters: { valid: 40, invalid: 0 },
        threads: [
          { ops: 10, elapsedNs: 1000, label: null, counters: { valid: 10, invalid: 0 } },
          { ops: 30, elapsedNs: 4000, label: null, counters: { valid: 30, invalid: 0 } },
        ],
      }),
    ],
  });
  t.is(secondary({ ...units('thrpt', 'us'), counters }, [two]).valid!.value, 10 + 7.5);
  t.is(secondary({ ...units('avgt', 'ns'), counters }, [two]).valid!.value, (100 + 4000 / 30) / 2);
});

test('each method of a group has a score of its own: the sum of its threads in thrpt, their mean otherwise', (t) => {
  const group = fork(0, [], {
    iterations: [
      iteration(0, 10, {
        threads: [
          { ops: 10, elapsedNs: 1000, label: 'put' },
          { ops: 100, elapsedNs: 1000, label: 'take' },
          { ops: 50, elapsedNs: 1000, label: 'take' },
        ],
      }),
    ],
  });
  const sums = secondary(units('thrpt', 'us'), [group]);
  t.deepEqual([sums.put!.value, sums.take!.value], [10, 150]);
  const means = secondary(units('avgt', 'ns'), [group]);
  t.deepEqual([means.put!.value, means.take!.value], [100, 15]);
});

test('sample mode: percentiles of all samples of all forks, the ends exact', (t) => {
  const sampled = (index: number, buckets: readonly (readonly [number, number])[], max: number) =>
    fork(index, [], {
      iterations: [
        iteration(0, 10, {
          histogram: { unit: 'ns', buckets, min: buckets[0]![0], max, total: buckets.reduce((n, [, c]) => n + c, 0) },
        }),
      ],
    });
  const scores = secondary(units('sample', 'us'), [
    sampled(0, [[1000, 89]], 1000),
    sampled(
      1,
      [
        [2000, 10],
        [90_000, 1],
      ],
      90_040,
    ),
  ]);
  const values = Object.fromEntries(Object.entries(scores).map(([name, { value }]) => [name, value]));
  t.deepEqual(values, {
    'p0.00': 1,
    'p0.50': 1,
    'p0.90': 2,
    'p0.95': 2,
    'p0.99': 2,
    'p0.999': 90,
    'p0.9999': 90,
    'p1.00': 90.04,
  });
  t.is(scores['p0.99']!.n, 100);
  t.is(scores['p0.99']!.level, 'sample');
});

test('a trial without a headline has no secondary scores', (t) => {
  const failed = fork(0, [], { status: 'failed' });
  t.deepEqual(secondary({ ...units('thrpt', 's'), counters }, [counted(1, 10, 1), failed]), {});
});
