import type { NativeSnapshot } from './histogram.js';
import type { StartRefusal, ThreadHandle } from './thread.js';

/** native/addon/jitter.cc as it is; arguments are checked in lib/jitter. */
export interface JitterSurface {
  /** `onEnd` is called on this thread when the result is there. */
  start(options: JitterOptions, onEnd: () => void): ThreadHandle | (StartRefusal & { readonly busy: boolean });
  /** Returns at once. */
  stop(handle: ThreadHandle): void;
  /** Keeps the event loop alive until the end. */
  hold(handle: ThreadHandle): void;
  /** null before the end. */
  result(handle: ThreadHandle): JitterResult | null;
}

export interface JitterOptions {
  readonly sleep: boolean;
  /** -1 = not pinned. */
  readonly cpu: number;
  readonly fifo: boolean;
  readonly durationNs: number;
  /** 0 = from the rehearsal. */
  readonly thresholdNs: number;
  readonly capacity: number;
  readonly intervalNs: number;
  /** Scale of the clock; ignored when it counts with the kernel clock. */
  readonly nsPerTick: number;
  readonly kernel: boolean;
}

/** Causes in the order of {@link JitterResult.causes}. */
export const CAUSES = [
  'scheduler',
  'interrupt',
  'throttling',
  'steal',
  'realTimeThrottle',
  'vcpuMoved',
  'unexplained',
] as const;

/** What the sampling thread noticed about a gap, by the number in {@link JitterResult.evidence}. */
export const EVIDENCE = ['nothing', 'not probed', 'switched', 'real-time throttle', 'vCPU moved'] as const;

/** ns count from the base of the process's clock. */
export interface JitterResult {
  readonly atNs: Float64Array;
  readonly wallMs: Float64Array;
  readonly lenNs: Float64Array;
  readonly evidence: Uint8Array;
  readonly dropped: number;
  readonly histogram: NativeSnapshot;
  readonly gapCount: number;
  readonly lostNs: number;
  readonly lostPerSecondNs: Float64Array;
  readonly startNs: number;
  readonly endNs: number;
  readonly wallStartMs: number;
  readonly turns: number;
  readonly loopMinNs: number;
  readonly loopMedianNs: number;
  readonly thresholdNs: number;
  readonly blindNs: number;
  readonly stopped: boolean;
  /** Pairs: gaps, lost ns; one per cause. */
  readonly causes: Float64Array;
  readonly windows: number;
  readonly totals: JitterTotals;
}

/** How far the machine's counters moved during the run; null = not readable here. */
export interface JitterTotals {
  /** Context switches of the sampling thread. */
  readonly voluntarySwitches: number | null;
  readonly involuntarySwitches: number | null;
  /** Time it was runnable but waited, ns. */
  readonly runDelayNs: number | null;
  /** Hard and soft interrupts on its CPU. */
  readonly interrupts: number | null;
  readonly softirqs: number | null;
  /** Times and ns its cgroup, or one above it, was throttled. */
  readonly throttled: number | null;
  readonly throttledNs: number | null;
  /** Time the hypervisor says it took from the CPU, ns in steps of 10 ms. Zero proves nothing. */
  readonly stealNs: number | null;
  /** Times the vCPU was seen on another host CPU after a gap. */
  readonly vcpuMoves: number | null;
}
