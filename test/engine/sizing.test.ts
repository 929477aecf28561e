import test from 'ava';
import { CHUNK_MAX_INVOCATIONS, CHUNK_MAX_NS, CHUNK_MIN_NS, ChunkSizer, invocationsFor } from '#lib/engine/sizing.js';

/** Feeds a sizer with chunks of a benchmark whose cost depends on how often it was called. */
function drive(cost: (call: number) => number, chunks: number): { size: number; ns: number } {
  const sizer = new ChunkSizer();
  let calls = 0;
  let ns = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    ns = 0;
    for (let i = 0; i < sizer.size && ns < 1e9; i++) ns += cost(calls++);
    sizer.saw(ns);
  }
  return { size: sizer.size, ns };
}

test('a cold first call of 1 ms does not decide the size', (t) => {
  const { ns } = drive((call) => (call === 0 ? 1e6 : 10), 40);
  t.true(ns >= CHUNK_MIN_NS && ns <= CHUNK_MAX_NS, `${ns} ns`);
});

test('code that becomes 20 times faster or slower is followed', (t) => {
  const faster = drive((call) => (call < 5000 ? 200 : 10), 60);
  t.true(faster.ns >= CHUNK_MIN_NS && faster.ns <= CHUNK_MAX_NS);
  const slower = drive((call) => (call < 5000 ? 10 : 200), 60);
  t.true(slower.ns >= CHUNK_MIN_NS && slower.ns <= CHUNK_MAX_NS, `${slower.ns}`);
});

test('one long chunk is a gap, not a reason to shrink', (t) => {
  const sizer = new ChunkSizer();
  while (sizer.size < 1024) sizer.saw(5000);
  sizer.saw(30_000);
  sizer.saw(5e6);
  sizer.saw(30_000);
  t.is(sizer.size, 1024);
  sizer.saw(5e6);
  sizer.saw(5e6);
  t.is(sizer.size, 512);
});

test('the bounds of a chunk, and the two long ones in a row that make it shorter', (t) => {
  const sizer = new ChunkSizer();
  const after = (...chunks: number[]) => {
    sizer.settle(50_000 / 64);
    for (const ns of chunks) sizer.saw(ns);
    return sizer.size;
  };
  t.is(after(), 64);
  t.deepEqual([after(CHUNK_MIN_NS), after(CHUNK_MIN_NS - 1)], [64, 128]);
  const long = CHUNK_MAX_NS + 1;
  t.deepEqual([after(CHUNK_MAX_NS, CHUNK_MAX_NS), after(long, long)], [64, 32]);
  t.is(after(long, long, long), 32, 'the third one starts anew');
  t.is(after(long, long, long, long), 16);
  t.is(after(long, CHUNK_MIN_NS, long), 64);
  t.is(after(long, CHUNK_MIN_NS - 1, long), 128);
  // A long one before the size was settled says nothing of the new one.
  sizer.saw(long);
  t.is(after(long), 64);
  sizer.settle(50_000 / 2);
  for (let i = 0; i < 9; i++) sizer.saw(long);
  t.is(sizer.size, 1);
  sizer.saw(1);
  t.is(sizer.size, 2, 'one that grew from nothing');
  t.deepEqual(
    [invocationsFor(30_000), invocationsFor(40_000), invocationsFor(Number.NaN)],
    [2, 1, CHUNK_MAX_INVOCATIONS],
  );
});

test('long invocations are chunks of one', (t) => {
  t.is(drive(() => 5e6, 10).size, 1);
  t.is(invocationsFor(5e6), 1);
  t.is(invocationsFor(0), CHUNK_MAX_INVOCATIONS);
  t.is(invocationsFor(10), 5000);
});
