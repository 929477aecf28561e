import test from 'ava';
import { perOp, type Section } from '#lib/counters/index.js';
import { sectionOf } from '#lib/counters/section.js';

const section: Section = {
  counts: { instructions: 1010, 'page-faults': 1, cycles: null },
  enabledNs: 100,
  runningNs: 100,
  multiplexed: false,
  overhead: { instructions: 10, 'page-faults': 3 },
};

test('values become counts by name; NaN is no count', (t) => {
  const made = sectionOf(['a', 'b'], Float64Array.of(3, Number.NaN, 200, 50), null);
  t.deepEqual(made, { counts: { a: 3, b: null }, enabledNs: 200, runningNs: 50, multiplexed: true, overhead: null });
  t.false(sectionOf([], Float64Array.of(7, 7), null).multiplexed);
});

test('per op takes the overhead off, not below zero, and leaves what is unknown unknown', (t) => {
  t.deepEqual(perOp(section, 100), { instructions: 10, 'page-faults': 0, cycles: null });
  t.deepEqual(perOp({ ...section, overhead: null }, 10), { instructions: 101, 'page-faults': 0.1, cycles: null });
});

test('ops has to be a number above zero', (t) => {
  for (const ops of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => perOp(section, ops), { instanceOf: RangeError });
  }
});
