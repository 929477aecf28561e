import { checkKeys } from '../native/check-keys.js';
import type { HotClock } from './hot.js';

/** How a stopwatch reads the clock. */
export interface StopwatchOptions {
  /** Fence the reads (x64: lfence, arm64: isb), for single short shots; default false. Costs about 13 ns more per read. */
  readonly ordered?: boolean;
}

const KEYS: ReadonlySet<string> = new Set(['ordered'] satisfies (keyof StopwatchOptions)[]);

/** Start, splits, stop. Times are ns; nothing is subtracted for the reads themselves. */
export class Stopwatch {
  readonly #read: () => void;
  readonly #slot: Float64Array;
  readonly #nsPerTick: number;
  #start = 0;
  #last = 0;
  #running = false;
  #ns = 0;
  #splits: number[] = [];

  /** A stopwatch at rest. @throws TypeError when `ordered` is not a boolean, or an option does not exist. */
  constructor(clock: HotClock, options: StopwatchOptions = {}) {
    checkKeys('Stopwatch', options, KEYS, '{ ordered: true }');
    const ordered = options.ordered ?? false;
    if (typeof ordered !== 'boolean')
      throw new TypeError(`Stopwatch: ordered must be a boolean, got ${typeof ordered}`);
    this.#read = ordered ? clock.readOrdered : clock.read;
    this.#slot = clock.slot;
    this.#nsPerTick = clock.nsPerTick;
  }

  /** True between `start` and `stop`. */
  get running(): boolean {
    return this.#running;
  }

  /** ns from start to stop of the last round; 0 before the first. */
  get ns(): number {
    return this.#ns;
  }

  /** Lengths of the splits of this round, ns, in order; `stop` adds the last, so that they sum up to `ns`. */
  get splits(): readonly number[] {
    return this.#splits;
  }

  /** Starts a new round. @throws Error when it runs already. */
  start(): void {
    if (this.#running) throw new Error('Stopwatch: start() while it runs; stop() it first');
    this.#splits = [];
    this.#running = true;
    // Last, so that nothing above is timed.
    this.#read();
    this.#start = this.#last = this.#slot[0]!;
  }

  /** Ends a split and begins the next. @returns its length, ns. @throws Error when it does not run. */
  split(): number {
    this.#read();
    const now = this.#slot[0]!;
    if (!this.#running) throw new Error('Stopwatch: split() before start()');
    const ns = (now - this.#last) * this.#nsPerTick;
    this.#last = now;
    this.#splits.push(ns);
    return ns;
  }

  /** Ends the round. @returns ns since start. @throws Error when it does not run. */
  stop(): number {
    this.#read();
    const now = this.#slot[0]!;
    if (!this.#running) throw new Error('Stopwatch: stop() before start()');
    this.#running = false;
    this.#splits.push((now - this.#last) * this.#nsPerTick);
    this.#ns = (now - this.#start) * this.#nsPerTick;
    return this.#ns;
  }
}
