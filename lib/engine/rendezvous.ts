/**
 * Where the threads of an iteration meet: each keeps calling the benchmark unmeasured until all are there, measures,
 * and keeps calling until all are done, so that no thread measures while another is idle (JMH's synchronised
 * iterations). All flags are in shared memory; a failing thread raises `abort` and releases everybody.
 */

/** Cells: arrivals, departures, stop, abort, and Control's [start, stop] pair. */
const ARRIVED = 0;
const LEFT = 1;
const STOP = 2;
const ABORT = 3;
const CONTROL = 4;
const CELLS = 16;
/** From here on one cell per thread, which moves while the thread does. */
const BEATS = CELLS;

export class Rendezvous {
  readonly cells: Int32Array;
  readonly #threads: number;
  readonly #synchronised: boolean;
  readonly #beat: number;
  /** Called when measuring begins and ends on this thread: counters are taken there. */
  onStart: () => void = () => {};
  onStop: () => void = () => {};

  /** `index`: of the thread that this object belongs to. */
  constructor(
    threads: number,
    synchronised: boolean,
    memory: SharedArrayBuffer = new SharedArrayBuffer(4 * (CELLS + threads)),
    index = 0,
  ) {
    this.cells = new Int32Array(memory);
    this.#beat = BEATS + index;
    this.#threads = threads;
    this.#synchronised = synchronised;
  }

  get memory(): SharedArrayBuffer {
    return this.cells.buffer as SharedArrayBuffer;
  }

  /** Flags of Control: the same for all threads. */
  get controlFlags(): Int32Array {
    return this.cells.subarray(CONTROL, CONTROL + 2);
  }

  /**
   * Main thread, before each iteration. Until all threads are there control.stop is set: a call that waits for its partners would
   * otherwise never end, since they may not have begun (the first call of each thread is made alone).
   */
  reset(): void {
    for (const cell of [ARRIVED, LEFT, STOP, CONTROL]) Atomics.store(this.cells, cell, 0);
    Atomics.store(this.cells, CONTROL + 1, 1);
  }

  /** Main thread: time is over, also for a thread that spins inside an invocation and looks at control.stop. */
  stop(): void {
    Atomics.store(this.cells, STOP, 1);
    Atomics.store(this.cells, CONTROL + 1, 1);
  }

  /** Releases everybody: a thread has failed. */
  abort(): void {
    Atomics.store(this.cells, ABORT, 1);
    this.stop();
  }

  /** This thread is alive: called between chunks. */
  beat(): void {
    this.cells[this.#beat]!++;
  }

  /** How often this thread was alive so far. */
  get pulse(): number {
    return this.cells[this.#beat]!;
  }

  /** How often each thread was alive so far. */
  beats(): readonly number[] {
    return [...this.cells.subarray(BEATS, BEATS + this.#threads)];
  }

  arrive(): void {
    if (Atomics.add(this.cells, ARRIVED, 1) + 1 < this.#threads && this.#synchronised) return;
    Atomics.store(this.cells, CONTROL + 1, 0);
    // A thread that is late must not take back that another one has left.
    if (Atomics.load(this.cells, LEFT) > 0 || Atomics.load(this.cells, ABORT) !== 0) {
      Atomics.store(this.cells, CONTROL + 1, 1);
    }
    Atomics.store(this.cells, CONTROL, 1);
  }

  /** All threads measure (or nobody waits for anybody). */
  get started(): boolean {
    return Atomics.load(this.cells, CONTROL) !== 0;
  }

  /** Some thread is not there yet. */
  get waiting(): boolean {
    return (
      this.#synchronised && Atomics.load(this.cells, ARRIVED) < this.#threads && Atomics.load(this.cells, ABORT) === 0
    );
  }

  /** Time is over for all. */
  get stopped(): boolean {
    return Atomics.load(this.cells, STOP) !== 0;
  }

  /** This thread is done; spinning partners are told. */
  leave(): void {
    Atomics.add(this.cells, LEFT, 1);
    Atomics.store(this.cells, CONTROL + 1, 1);
  }

  /** Some thread still measures. */
  get draining(): boolean {
    return (
      this.#synchronised && Atomics.load(this.cells, LEFT) < this.#threads && Atomics.load(this.cells, ABORT) === 0
    );
  }
}
