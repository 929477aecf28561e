/** native/addon/histogram.cc: log-linear recorders with 2 significant digits (128 buckets per power of two), 0 to 2^53-1. */
export interface HistogramSurface {
  create(): NativeRecorder;
  /** A function that records one number from 0 (a fraction is cut off) and throws RangeError for anything else. */
  recordFunction(recorder: NativeRecorder): (value: number) => void;
  /** @throws RangeError at the first value that is no number from 0; those before it are recorded. */
  recordAll(recorder: NativeRecorder, values: Float64Array): void;
  take(recorder: NativeRecorder): NativeSnapshot;
  reset(recorder: NativeRecorder): void;
}

/** Opaque; written by the thread that created it. */
export type NativeRecorder = { readonly __recorder: unique symbol };

export interface NativeSnapshot {
  /** Buckets with a count, ascending, as pairs: lowest value, count. */
  readonly buckets: Float64Array;
  readonly total: number;
  /** 0 when empty. */
  readonly min: number;
  readonly max: number;
  /** Sum of the values; wraps at 2^64. */
  readonly sum: number;
  /** Values above 2^53-1, counted in the last bucket. */
  readonly over: number;
}
