import test from 'ava';
import { granularityOf } from '#lib/clock/steps.js';

/** Differences of a counter that advances by `step` ticks every `every` ns, read at varied distances. */
function read(tickOf: (ns: number) => number): number[] {
  let random = 7;
  let ns = 1e6;
  const readings = Array.from({ length: 3000 }, () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    ns += 11 + (random >>> 24);
    return tickOf(ns);
  });
  return readings.slice(1).map((r, i) => r - readings[i]!);
}

test('an exact counter, a coarse one and one that is finer than its steps', (t) => {
  t.is(granularityOf(read((ns) => Math.floor(ns / 10) * 21)), 21);
  t.is(granularityOf(read((ns) => Math.floor(ns * 2.1))), 1);
  t.is(granularityOf(read((ns) => Math.floor(ns / 10) * 10)), 10);
  t.is(granularityOf(read((ns) => Math.floor(ns / 41.7))), 1);
  t.is(granularityOf(read((ns) => Math.floor(ns / 100) * 100)), 100);
  t.is(granularityOf(read((ns) => Math.floor(ns / 4e3) * 4e3)), 4000);
});

test('a rounded counter: multiples of 25.96 ticks, where the gcd is 1', (t) => {
  t.is(granularityOf(read((ns) => Math.round(Math.floor(ns / 10) * 25.96))), 26);
});

test('a counter that adds one tick when it would repeat itself', (t) => {
  let last = -1;
  const readings = read((ns) => {
    const tick = Math.floor(ns / 100) * 26;
    last = tick > last ? tick : last + 1;
    return last;
  });
  t.is(granularityOf(readings), 26);
});

test('readings that never moved', (t) => {
  t.is(granularityOf([0, 0, 0]), 1);
  t.is(granularityOf([]), 1);
});
