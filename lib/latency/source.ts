/** Where an async run gets its due events from. */
import type { Cursor } from './cursor.js';

export interface EventSource {
  /** The plan's zero is now at `t0` on the driver's clock; release from here on. */
  begin(t0: number): void;
  /** A new look at the clock begins, ns after t0. */
  poll(now: number): void;
  /**
   * Moves on to the next event that is due at `now` (ns after t0), if there is one, and describes it in the fields below.
   */
  next(now: number): boolean;
  readonly seq: number;
  readonly planned: number;
  /** Planned start of the event after it; Infinity for the last. */
  readonly following: number;
  /** When the driver had it ready; what lies between that and the start is the event loop's doing. */
  readonly released: number;
  /** No event will come any more. */
  readonly finished: boolean;
  /** Resolves when an event may be due, or earlier. */
  wait(now: number): Promise<void>;
  /** Ends a wait early. */
  wake(): void;
  /** Stops releasing; returns the events the source itself had to drop. */
  end(): { readonly overflow: number };
}

/** Timers of the event loop; injected so that tests run without time. */
export interface LoopTimers {
  immediate(callback: () => void): void;
  timeout(callback: () => void, ms: number): void;
}

export const loopTimers: LoopTimers = {
  immediate: (callback) => void setImmediate(callback),
  timeout: (callback, ms) => void setTimeout(callback, ms),
};

/** Below this the loop is polled without pause; setTimeout rounds to ms and can end early. */
const POLL_BELOW_NS = 2e6;

/** The event loop itself looks for due events: what there is without the addon. Its delay is the loop's delay. */
export class TimerSource implements EventSource {
  seq = -1;
  planned = 0;
  following: number;
  released = 0;
  private readonly cursor: Cursor;
  private readonly timers: LoopTimers;
  private polled = Number.NEGATIVE_INFINITY;
  private resolve: (() => void) | null = null;

  constructor(cursor: Cursor, timers: LoopTimers = loopTimers) {
    this.cursor = cursor;
    this.timers = timers;
    this.following = cursor.next();
  }

  begin(): void {}

  next(now: number): boolean {
    if (this.following > now) return false;
    this.seq++;
    this.planned = this.following;
    this.following = this.cursor.next();
    // Events of one batch were all found by the same look; what the tasks before took is not the driver's.
    this.released = Math.max(this.planned, Math.min(this.polled, now));
    return true;
  }

  poll(now: number): void {
    this.polled = now;
  }

  get finished(): boolean {
    return this.following === Number.POSITIVE_INFINITY;
  }

  wait(now: number): Promise<void> {
    return new Promise((resolve) => {
      this.resolve = resolve;
      const done = () => resolve();
      const left = this.following - now;
      if (left < POLL_BELOW_NS) this.timers.immediate(done);
      else this.timers.timeout(done, Math.min(100, Math.floor(left / 1e6) - 1));
    });
  }

  wake(): void {
    this.resolve?.();
  }

  end(): { overflow: number } {
    return { overflow: 0 };
  }
}
