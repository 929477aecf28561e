import { type Outcome, withoutAddon } from '../cpu/outcome.js';
import { Histogram } from '../histogram/histogram.js';
import { loadAddon } from '../native/load.js';
import type { NativeSnapshot } from '../native/surface/histogram.js';

/**
 * A native histogram: 2 digits (a bucket is at most 0.8 % of its values wide), whole numbers from 0 to 2^53-1, 48 KB outside the
 * JavaScript heap. From JavaScript a call costs more than recording into a {@link Histogram}; it is here for values that native threads
 * record, and for batches.
 */
export interface Recorder {
  /** Records one value; a fraction is cut off. @throws RangeError for NaN, a negative number or anything that is no number. */
  readonly record: (value: number) => void;
  /** Records a batch in one call. @throws RangeError at the first value that is no number from 0; those before it are recorded. */
  recordAll(values: Float64Array): void;
  /** What was recorded so far, as a copy. @throws RangeError when values above 2^53-1 were recorded: their sizes are unknown. */
  snapshot(): Histogram;
  reset(): void;
}

/** A native recorder of this thread; the refusal `NO_ADDON` without the addon. */
export function openRecorder(): Outcome<Recorder> {
  const { addon, reason } = loadAddon();
  const surface = addon?.histogram;
  if (!surface) return withoutAddon('native recorder', reason);
  const native = surface.create();
  return {
    ok: true,
    record: surface.recordFunction(native),
    recordAll: (values) => surface.recordAll(native, values),
    snapshot: () => toHistogram(surface.take(native)),
    reset: () => surface.reset(native),
  };
}

/** A native snapshot as a histogram: same layout, so every count keeps its bucket. @throws RangeError as {@link Recorder.snapshot}. */
export function toHistogram(
  snapshot: NativeSnapshot,
  correction: 'none' | 'planned-start' | 'expected-interval' = 'none',
): Histogram {
  const { min, max, total, over } = snapshot;
  if (over > 0) throw new RangeError(`histogram: ${over} recorded values are above 2^53-1`);
  const buckets: [number, number][] = [];
  for (let i = 0; i < snapshot.buckets.length; i += 2) buckets.push([snapshot.buckets[i]!, snapshot.buckets[i + 1]!]);
  return Histogram.from({ unit: 'ns', buckets, min, max, total }, { digits: 2, correction });
}
