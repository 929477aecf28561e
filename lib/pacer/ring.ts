/**
 * The consumer's side of native/core/include/tscope/pacer/ring.h: a ring in shared memory, read without calls into the addon.
 * The control words and their distances are those of that file.
 */
const HEAD = 0;
const TAIL = 32;
const STATE = 64;
const OVERFLOW = 65;
const WAITING = 96;
/** Counts wake-ups; written by the environment that owns the pacer, for consumers in other threads. */
const WOKEN = 97;
const CONTROL_BYTES = 512;

/** Numbers per entry: sequence number (index into the plan), planned ns, released ns, entries that were in the ring before it. */
export const ENTRY = 4;

const STATES = ['running', 'exhausted', 'stopped'] as const;
/** What the pacer behind a ring is doing. */
export type RingState = (typeof STATES)[number];

/** A block for `capacity` entries. */
export function newRingBlock(capacity: number): SharedArrayBuffer {
  return new SharedArrayBuffer(CONTROL_BYTES + capacity * ENTRY * 8);
}

/** How a consumer waits; the default works in any thread. */
export type Wait = (ring: Ring) => Promise<void>;

/**
 * Reads what a pacer releases. One consumer per ring, in any thread of the process: post `ring.buffer` to a worker and open it
 * there with `new Ring(buffer)`.
 */
export class Ring {
  /** @internal */
  readonly buffer: SharedArrayBuffer;
  /** Entries it holds. */
  readonly capacity: number;
  readonly #words: Int32Array;
  readonly #slots: Float64Array;
  readonly #wait: Wait;

  /** A reader of the ring in `buffer`. @throws TypeError when it is no block of a ring. */
  constructor(buffer: SharedArrayBuffer, wait: Wait = waitForNotify) {
    const capacity = buffer instanceof SharedArrayBuffer ? (buffer.byteLength - CONTROL_BYTES) / (ENTRY * 8) : 0;
    if (capacity < 1 || (capacity & (capacity - 1)) !== 0) {
      throw new TypeError('Ring: pass the buffer of the ring of a pacer');
    }
    this.buffer = buffer;
    this.capacity = capacity;
    this.#words = new Int32Array(buffer, 0, CONTROL_BYTES / 4);
    this.#slots = new Float64Array(buffer, CONTROL_BYTES);
    this.#wait = wait;
  }

  /** Entries that wait to be read. */
  get size(): number {
    return (Atomics.load(this.#words, HEAD) - Atomics.load(this.#words, TAIL)) | 0;
  }
  /** Entries that found the ring full and were not written (wraps at 2^32); their sequence numbers are missing. */
  get overflow(): number {
    return Atomics.load(this.#words, OVERFLOW) >>> 0;
  }
  /** `running` until the pacer has written its last entry. */
  get state(): RingState {
    return STATES[Atomics.load(this.#words, STATE)] ?? 'stopped';
  }
  /** Nothing is there and nothing will come. */
  get ended(): boolean {
    // State first: what was written before the end is visible once the end is.
    return this.state !== 'running' && this.size === 0;
  }

  /**
   * Copies the oldest entries into `into`, {@link ENTRY} numbers each, and frees their places.
   * @returns How many entries; 0 when none is there.
   */
  read(into: Float64Array): number {
    const tail = Atomics.load(this.#words, TAIL);
    const size = (Atomics.load(this.#words, HEAD) - tail) | 0;
    const room = Math.floor(into.length / ENTRY);
    const count = Math.min(size, room);
    const mask = this.capacity - 1;
    const slots = this.#slots;
    for (let i = 0; i < count; i++) {
      const from = ((tail + i) & mask) * ENTRY;
      const to = i * ENTRY;
      into[to] = slots[from]!;
      into[to + 1] = slots[from + 1]!;
      into[to + 2] = slots[from + 2]!;
      into[to + 3] = slots[from + 3]!;
    }
    if (count > 0) Atomics.store(this.#words, TAIL, (tail + count) | 0);
    return count;
  }

  /** Resolves true as soon as an entry is there (at once if one is), false when the pacer has ended and all is read. */
  async wait(): Promise<boolean> {
    while (this.size === 0) {
      if (this.ended) return false;
      await this.#wait(this);
    }
    return true;
  }

  /**
   * Says that the consumer sleeps; the pacer then wakes it at its next release. False when there is something to read or the end
   * to see, so that sleeping would be wrong.
   */
  announceWait(): boolean {
    Atomics.store(this.#words, WAITING, 1);
    if (this.size === 0 && this.state === 'running') return true;
    Atomics.store(this.#words, WAITING, 0);
    return false;
  }

  /** @internal Wakes consumers in other threads. */
  notify(): void {
    Atomics.add(this.#words, WOKEN, 1);
    Atomics.notify(this.#words, WOKEN);
  }

  /** @internal For {@link waitForNotify}. */
  wokenWord(): [words: Int32Array, index: number] {
    return [this.#words, WOKEN];
  }
}

type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
  timeoutMs: number,
) => { readonly async: boolean; readonly value: Promise<string> | string };

/** Sleeps until the owner of the pacer passes its wake-up on; without Atomics.waitAsync it looks again after 1 ms. */
async function waitForNotify(ring: Ring): Promise<void> {
  const { waitAsync } = Atomics as unknown as { waitAsync?: WaitAsync };
  const [words, index] = ring.wokenWord();
  const woken = Atomics.load(words, index);
  if (!ring.announceWait()) return;
  // A second at most, in case the owner's environment went away meanwhile; the timer keeps this event loop alive.
  const timer = setTimeout(() => {}, 1000);
  try {
    if (waitAsync) await waitAsync(words, index, woken, 1000).value;
    else await new Promise((resolve) => setTimeout(resolve, 1));
  } finally {
    clearTimeout(timer);
  }
}
