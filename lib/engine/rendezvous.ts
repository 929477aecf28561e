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

export class Rendezvous {
  readonly cells: Int32Array;
  readonly #threads: number;
  readonly #synchronised: boolean;
  /** Called when measuring begins and ends on this thread: counters are taken there. */
  onStart: () => void = () => {};
  onStop: () => void = () => {};

  constructor(threads: number, synchronised: boolean, memory: SharedArrayBuffer = new SharedArrayBuffer(4 * CELLS)) {
    this.cells = new Int32Array(memory);
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

  /** Main thread, before each iteration. */
  reset(): void {
    for (const cell of [ARRIVED, LEFT, STOP, CONTROL, CONTROL + 1]) Atomics.store(this.cells, cell, 0);
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

  arrive(): void {
    if (Atomics.add(this.cells, ARRIVED, 1) + 1 === this.#threads || !this.#synchronised) {
      Atomics.store(this.cells, CONTROL, 1);
    }
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
