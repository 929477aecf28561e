import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import { loadAddon } from '#lib/native/load.js';
import { openRecorder, type Recorder } from '#lib/recorder/index.js';

const withAddon = loadAddon().addon ? test : test.skip;

function opened(): Recorder {
  const recorder = openRecorder();
  if (!recorder.ok) throw new Error(recorder.message);
  return recorder;
}

withAddon('native and JavaScript recorders agree on every bucket, extreme and percentile', (t) => {
  const recorder = opened();
  const histogram = new Histogram({ digits: 2 });
  const values: number[] = [0, 1, 255, 256, 257, Number.MAX_SAFE_INTEGER];
  for (let power = 8; power < 53; power++) {
    for (const offset of [-1, 0, 1]) values.push(2 ** power + offset);
    // Edges of the first and last bucket of the octave.
    values.push(2 ** power + 2 ** (power - 7), 2 ** (power + 1) - 2 ** (power - 7) - 1);
  }
  values.push(12.9);
  for (const value of values) {
    recorder.record(value);
    histogram.record(value);
  }
  const snapshot = recorder.snapshot();
  t.deepEqual([...snapshot.buckets()], [...histogram.buckets()]);
  t.is(snapshot.count, values.length);
  t.is(snapshot.min, histogram.min);
  t.is(snapshot.max, histogram.max);
  const levels = [0, 1, 25, 50, 75, 99, 100];
  t.deepEqual(snapshot.percentiles(levels), histogram.percentiles(levels));
});

withAddon('a batch is what its values are one by one; a snapshot is a copy; reset forgets', (t) => {
  const [one, all] = [opened(), opened()];
  const values = Float64Array.from({ length: 1000 }, (_, i) => i * i);
  for (const value of values) one.record(value);
  all.recordAll(values);
  const snapshot = all.snapshot();
  t.deepEqual([...snapshot.buckets()], [...one.snapshot().buckets()]);
  all.record(5);
  t.is(snapshot.count, 1000);
  all.reset();
  t.is(all.snapshot().count, 0);
  t.is(one.snapshot().count, 1000);
});

withAddon('what is no value from 0 is refused and not counted; what is too large is told', (t) => {
  const recorder = opened();
  for (const bad of [Number.NaN, -1, Number.NEGATIVE_INFINITY, '7', undefined]) {
    t.throws(() => recorder.record(bad as number), { instanceOf: RangeError });
  }
  t.throws(() => recorder.recordAll(Float64Array.of(1, Number.NaN, 2)), { instanceOf: RangeError });
  t.is(recorder.snapshot().count, 1);
  recorder.record(Number.POSITIVE_INFINITY);
  t.throws(() => recorder.snapshot(), { instanceOf: RangeError, message: /1 recorded values are above/ });
});
