import { isThenable } from '../native/thenable.js';
import { type Anchor, type AnchorCheck, checkAnchor, takeAnchor } from './anchor.js';
import { checkFunction, checkNumber } from './check.js';
import { type HotClock, type HotClockOptions, hotClock } from './hot.js';
import { Stopwatch, type StopwatchOptions } from './stopwatch.js';

/** What {@link Clock.timeIt} measured. */
export interface Timed<T> {
  /** Wall time of the call (until the promise settled, if there was one), ns. Nothing is subtracted; see `info.floorNs`. */
  readonly ns: number;
  readonly value: T;
}

/**
 * The hot clock with a plain interface, for use inside other programs and harnesses.
 *
 * @example
 * const clock = new Clock();
 * const start = clock.ticks();
 * work();
 * console.log(clock.elapsed(start, clock.ticks()), 'ns');
 */
export class Clock {
  /** The hot clock below, for loops that read it themselves. */
  readonly hot: HotClock;
  readonly #read: () => void;
  readonly #slot: Float64Array;
  readonly #nsPerTick: number;

  /**
   * Blocks while it calibrates, the first time.
   * @param options See {@link hotClock}; clocks with the same options share their calibration.
   * @throws TypeError, RangeError as {@link hotClock}.
   */
  constructor(options: HotClockOptions = {}) {
    this.hot = hotClock(options);
    this.#read = this.hot.read;
    this.#slot = this.hot.slot;
    this.#nsPerTick = this.hot.nsPerTick;
  }

  /** Source, frequency and its uncertainty, granularity, cost; the reason when it is not the native counter. */
  get info() {
    return this.hot.info;
  }

  /** ns since the base of this process. Not wall time. */
  now(): number {
    this.#read();
    return this.#slot[0]! * this.#nsPerTick;
  }

  /** Ticks since the base of this process; `elapsed` turns two of them into ns. */
  ticks(): number {
    this.#read();
    return this.#slot[0]!;
  }

  /**
   * From tick `start` to tick `end`, ns; negative when `end` is the earlier one.
   *
   * @throws TypeError, RangeError when one of them is not a finite number.
   */
  elapsed(start: number, end: number): number {
    checkNumber(start, 'elapsed: start', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'ticks');
    checkNumber(end, 'elapsed: end', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'ticks');
    return (end - start) * this.#nsPerTick;
  }

  /** A stopwatch on this clock. @throws TypeError for an unknown option and an `ordered` that is not a boolean. */
  stopwatch(options: StopwatchOptions = {}): Stopwatch {
    return new Stopwatch(this.hot, options);
  }

  /**
   * Times one call with ordered reads; a promise, or what else has a `then`, is awaited. What `fn` throws passes through.
   *
   * @throws TypeError when `fn` is not a function.
   */
  timeIt<T>(fn: () => PromiseLike<T>): Promise<Timed<T>>;
  timeIt<T>(fn: () => T): Timed<T>;
  timeIt<T>(fn: () => T | PromiseLike<T>): Timed<T> | Promise<Timed<T>> {
    checkFunction(fn, 'timeIt: fn');
    const { readOrdered } = this.hot;
    const slot = this.#slot;
    readOrdered();
    const start = slot[0]!;
    const value = fn();
    readOrdered();
    if (!isThenable(value)) return { ns: (slot[0]! - start) * this.#nsPerTick, value };
    return Promise.resolve(value).then((settled) => {
      readOrdered();
      return { ns: (slot[0]! - start) * this.#nsPerTick, value: settled };
    });
  }

  /** This clock and the kernel's at the same moment. */
  anchor(): Anchor {
    return takeAnchor(this.hot);
  }

  /** How far they went apart since `start`. @throws TypeError when `start` is no anchor. */
  check(start: Anchor): AnchorCheck {
    return checkAnchor(this.hot, start);
  }
}
