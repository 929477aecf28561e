/** What the engine needs from the outside: handed in, so that every stage runs under a fake clock and a fake machine. */
import type { ForkMessage } from '../protocol/messages.js';
import type { ClockInfo, TierInfo } from '../result/model.js';

/** A clock whose read writes ticks since its base into `slot[0]`; nothing is returned, so that no number is boxed. */
export interface EngineClock {
  readonly read: () => void;
  /** The same with ordering on both sides, for single shots. */
  readonly readOrdered: () => void;
  readonly slot: Float64Array;
  /** Settles the clock when it is not settled yet. */
  readonly nsPerTick: number;
  /** Settles the clock when it is not settled yet. */
  readonly info: ClockInfo;
  /**
   * Completes what the first invocation need not wait for: blocks until the frequency is known. `read` and `readOrdered` are to be
   * taken from the clock afterwards, as a counter that fails its tests is replaced.
   */
  readonly settle: () => void;
  /** What is known of the clock now, without settling it. */
  readonly early: () => ClockInfo;
  /** A mark to check the clock against later; opaque to the engine. */
  readonly anchor: () => unknown;
  /** The clock against the kernel's since `anchor`; drift in ns, null when it cannot be had. */
  readonly check: (anchor: unknown) => { readonly driftNs: number | null; readonly discontinuity: boolean };
}

/** GC pauses by time; entries arrive after the fact, so `between` lets the event loop turn first. */
export interface GcWatch {
  /** Now on the scale of the pauses, ms. */
  readonly now: () => number;
  /** Pauses that began in [from, to] ms; `ns` is their whole duration. */
  readonly between: (from: number, to: number) => Promise<{ readonly count: number; readonly ns: number }>;
  /** Full collection; false when it cannot be had. */
  readonly collect: () => boolean;
}

/** Tier of one function as the VM tells it. */
export interface TierState {
  readonly tier: TierInfo['loop'];
  /** Compilation requested or running. */
  readonly pending: boolean;
}

/** Reads optimisation tiers; `null` probes mean that the VM does not tell (reason in `why`). */
export interface TierProbe {
  readonly of: ((fn: unknown) => TierState) | null;
  /** Why nothing can be seen; null when it can. */
  readonly why: string | null;
}

/** The machine under a fork. */
export interface Machine {
  readonly clock: EngineClock;
  readonly gc: GcWatch;
  readonly tiers: TierProbe;
  /** Fills [involuntary switches, voluntary switches, minor faults, major faults, CPU ns] of the calling thread; null = unknown. */
  readonly usage: ((into: Float64Array) => void) | null;
  /** ns that the calling thread was ready to run and had to wait for a CPU, since it started; null = unknown. */
  readonly waited: (() => number) | null;
  readonly emit: (message: ForkMessage) => void;
  /** Runs synchronous code and ends it after `ms` with a {@link DeadlineError}. */
  readonly deadline: <T>(ms: number, run: () => T) => T;
  /** Wall time, ms since any origin; for budgets. */
  readonly wallMs: () => number;
  /** Pins the thread as planned; returns the CPU and what was refused. */
  readonly pin: (
    cpus: readonly number[] | null,
    helpers: readonly number[] | null,
  ) => Promise<{ readonly cpu: number | null; readonly refused: string | null }>;
}

/** Synchronous code did not return in time. */
export class DeadlineError extends Error {
  /** True when it was waited for (asynchronous), false when it kept running. */
  readonly waiting: boolean;
  override readonly name = 'DeadlineError';
  constructor(message: string, waiting: boolean) {
    super(message);
    this.waiting = waiting;
  }
}
