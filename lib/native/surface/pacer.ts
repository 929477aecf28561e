import type { NativeSnapshot } from './histogram.js';
import type { StartRefusal, ThreadHandle } from './thread.js';

/** Where a thread runs and how it counts. */
export interface ThreadOptions {
  /** -1 = anywhere. */
  readonly cpu: number;
  /** CPU to keep off when there is another and `cpu` is -1; -1 = none. */
  readonly avoid: number;
  readonly fifo: boolean;
  /** Scale of the clock; ignored when it counts with the kernel clock. */
  readonly nsPerTick: number;
  readonly kernel: boolean;
}

/** native/addon/pacer.cc as it is; arguments are checked in lib/pacer. */
export interface PacerSurface {
  /** `words`: the start of the ring's block. `onEvent` gets {@link ENDED} once or {@link WAKE}. */
  start(
    options: ThreadOptions & { readonly t0Ns: number; readonly spinNs: number; readonly capacity: number },
    plan: Float64Array,
    words: Int32Array,
    onEvent: (event: number) => void,
  ): ThreadHandle | StartRefusal;
  stop(handle: ThreadHandle): void;
  hold(handle: ThreadHandle, hold: boolean): void;
  startTime(handle: ThreadHandle): number;
  /** null before the end. */
  result(handle: ThreadHandle): {
    readonly released: number;
    readonly overflow: number;
    readonly wakes: number;
    readonly stopped: boolean;
    readonly lateness: NativeSnapshot;
  } | null;
}

/** The ring's consumer asked to be woken. */
export const WAKE = 1;

/** native/addon/deadline.cc. */
export interface DeadlineSurface {
  /** `words`: the start of a block of 24 bytes: flag, unused word, planned and raised ns. */
  start(
    options: ThreadOptions & { readonly spinNs: number },
    words: Int32Array,
    onEnd: () => void,
  ): ThreadHandle | StartRefusal;
  arm(handle: ThreadHandle, atNs: number): void;
  disarm(handle: ThreadHandle): void;
  stop(handle: ThreadHandle): void;
  /** Keeps the event loop alive until the end. */
  hold(handle: ThreadHandle): void;
}
