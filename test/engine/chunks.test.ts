import test from 'ava';
import { ChunkRecorder, chunkStats } from '#lib/engine/chunks.js';
import { findGaps } from '#lib/engine/gaps.js';

const record = (times: readonly number[], n = 10, capacity?: number) => {
  const recorder = new ChunkRecorder(capacity);
  for (const ns of times) recorder.add(ns, n);
  return recorder;
};

test('statistics are per op', (t) => {
  const stats = chunkStats(record([100, 300, 200, 400, 1000]), 2, true)!;
  t.deepEqual(stats, {
    count: 5,
    invocations: 10,
    minNs: 5,
    medianNs: 15,
    p90Ns: 50,
    maxNs: 50,
    values: [5, 15, 10, 20, 50],
  });
  t.is(chunkStats(new ChunkRecorder(), 1, false), null);
});

test('memory stays flat: neighbours are merged in pairs, sums stay exact', (t) => {
  const recorder = new ChunkRecorder(16);
  let sum = 0;
  for (let i = 1; i <= 1000; i++) {
    recorder.add(i, 3);
    sum += i;
  }
  t.is(recorder.elapsedNs, sum);
  t.is(recorder.invocations, 3000);
  t.is(recorder.chunks, 1000);
  t.is(recorder.merged, 64);
  const times = recorder.times();
  t.true(times.length <= 16);
  // Every entry is the sum of 64 chunks in order.
  for (const [k, ns] of times.entries()) t.is(ns, 64 * (64 * k) + (64 * 65) / 2);
  t.deepEqual([...new Set(recorder.sizes())], [192]);
  recorder.reset();
  t.is(recorder.times().length, 0);
  t.is(recorder.merged, 1);
});

test('a stop of 300 ms is one gap of its length', (t) => {
  const times = Array.from({ length: 100 }, () => 50_000);
  times[40] = 300_050_000;
  const gaps = findGaps(record(times), null);
  t.deepEqual([gaps.count, gaps.lostNs, gaps.worstNs], [1, 3e8, 3e8]);
});

test('spread is no gap', (t) => {
  const times = Array.from({ length: 100 }, (_, i) => (i % 5 === 0 ? 120_000 : 50_000));
  t.is(findGaps(record(times), null).count, 0);
});

test('a gap between chunks is counted too', (t) => {
  const gaps = findGaps(record(Array.from({ length: 100 }, () => 50_000)), null, 3e8);
  t.deepEqual([gaps.count, gaps.worstNs], [1, 3e8]);
});

test('with too few chunks the speed of earlier iterations decides, and without one nothing is claimed', (t) => {
  t.is(findGaps(record([3e8], 1), 1e7).count, 1);
  t.is(findGaps(record([3e8], 1), 2e8).count, 0);
  t.is(findGaps(record([3e8], 1), null).count, 0);
});
