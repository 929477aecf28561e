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
  t.deepEqual([gaps.count, gaps.lostNs, gaps.worstNs], [1, 3e8, 3e8]);
  // Beside one inside a chunk, which is the longer or the shorter of the two.
  const times = Array.from({ length: 100 }, (_, i) => (i === 9 ? 2e8 + 50_000 : 50_000));
  t.deepEqual(findGaps(record(times), null, 3e8), { count: 2, lostNs: 5e8, worstNs: 3e8 });
  t.deepEqual(findGaps(record(times), null, 1e8), { count: 2, lostNs: 3e8, worstNs: 2e8 });
  // From 100 us on, or the length of a usual chunk where that is more.
  const between = (chunk: number, ns: number) => findGaps(record(Array(9).fill(chunk)), null, ns).count;
  t.deepEqual([between(50_000, 99_999), between(50_000, 100_000)], [0, 1]);
  t.deepEqual([between(300_000, 299_999), between(300_000, 300_000)], [0, 1]);
});

test('a chunk is a gap from twice the median, 10 us and three times the spread beyond it on', (t) => {
  const one = (usual: number, long: number) => findGaps(record([...Array<number>(20).fill(usual), long]), null).count;
  t.deepEqual([one(50_000, 99_999), one(50_000, 100_000)], [0, 1]);
  t.deepEqual([one(4000, 13_999), one(4000, 14_000)], [0, 1]);
  // Median 50 us, and 90 % are at most 80: 50 + 3 x 30.
  const spread = (long: number) =>
    findGaps(record([...Array<number>(16).fill(50_000), ...Array<number>(3).fill(80_000), long]), null).count;
  t.deepEqual([spread(139_000), spread(141_000)], [0, 1]);
});

test('with too few chunks the speed of earlier iterations decides, and without one nothing is claimed', (t) => {
  t.is(findGaps(record([3e8], 1), 1e7).count, 1);
  t.is(findGaps(record([3e8], 1), 2e8).count, 0);
  t.is(findGaps(record([3e8], 1), null).count, 0);
});
