import { hotClock } from '../clock/hot.js';
import { currentCpu } from '../cpu/affinity.js';
import { type Outcome, withoutAddon } from '../cpu/outcome.js';
import type { Histogram } from '../histogram/histogram.js';
import { checkKeys } from '../native/check-keys.js';
import { loadAddon } from '../native/load.js';
import { type PacerSurface, WAKE } from '../native/surface/pacer.js';
import { ENDED, type ThreadHandle } from '../native/surface/thread.js';
import { toHistogram } from '../recorder/recorder.js';
import { checkFlag, MAX_CPUS, within } from '../thread/check.js';
import { startRefused } from '../thread/refusal.js';
import { newRingBlock, Ring } from './ring.js';

/** What to release, and from where. */
export interface PacerOptions {
  /** Start times, ns after `t0Ns`: finite, from 0, never decreasing. Copied. */
  readonly plan: Float64Array;
  /** Start of the plan on the time line of `tscope/clock`, ns. Left out: 5 ms after the start. A time that has passed makes the pacer late. */
  readonly t0Ns?: number;
  /** CPU to pin the thread to. Left out: any but the caller's, where there is another. */
  readonly cpu?: number;
  /** Run under SCHED_FIFO (priority 50). Default false. */
  readonly fifo?: boolean;
  /** How long before a planned time to wake up and spin, ns, 0 to 1e9. Default 200000; more uses more CPU and misses fewer times. */
  readonly spinNs?: number;
  /** Entries the ring holds: a power of two from 16 to 2^22. At least two seconds' worth is wise. */
  readonly ringCapacity: number;
}

/** A running pacer, or the refusal of the machine. */
export interface PacerResult {
  /** Entries of the plan that became due. */
  readonly released: number;
  /** Those of them that found the ring full and were not written. */
  readonly overflow: number;
  /** Times the pacer had to wake a waiting consumer, about 5 us each, during which it can be late. */
  readonly wakes: number;
  /** Ended by `stop()` and not by its plan. */
  readonly stopped: boolean;
  /** Released minus planned, ns, for every entry that became due: the pacer's own lateness. */
  readonly lateness: Histogram;
}

/** A pacer that runs. It does not keep the process alive until its result or an entry is waited for. */
export interface Pacer {
  readonly ring: Ring;
  /** Start of the plan, ns on the time line of `tscope/clock`. */
  readonly t0Ns: number;
  /** Asks it to end and returns at once; may be called again. */
  stop(): void;
  /** Once it has ended. What was released before can still be read from the ring. */
  result(): Promise<PacerResult>;
}

const KEYS = new Set(['plan', 't0Ns', 'cpu', 'fifo', 'spinNs', 'ringCapacity']);
const MAX_RING = 2 ** 22;

/**
 * Starts a native thread that releases each time of `plan` into a ring when it comes, by sleeping and then spinning. The plan never
 * moves: what is late is released at once and its lateness recorded. The first call in a thread also opens its clock (20 ms).
 *
 * Refusals are values: `EINVAL` (no such CPU, or not allowed), `EPERM` (`fifo` without the right to it), `EAGAIN` (too many threads),
 * `UNSUPPORTED` (pinning outside Linux), `NO_ADDON`.
 *
 * @throws TypeError, RangeError for options out of their range, a plan that decreases, a ring that is too small.
 */
export function start(options: PacerOptions): Outcome<Pacer> {
  const checked = checkOptions(options);
  const what = `pacer${checked.cpu >= 0 ? ` on CPU ${checked.cpu}` : ''}`;
  const { addon, reason } = loadAddon();
  const surface = addon?.pacer;
  if (!surface) return withoutAddon(what, reason);
  const clock = hotClock();
  const buffer = newRingBlock(checked.capacity);
  const pacer = new RunningPacer(surface, buffer);
  const kernel = clock.info.hzPpm === null;
  const native = { ...checked, avoid: currentCpu() ?? -1, nsPerTick: clock.nsPerTick, kernel };
  const handle = surface.start(native, options.plan, new Int32Array(buffer), (event) => pacer.onEvent(event));
  if ('step' in handle) return startRefused(what, checked.cpu, handle);
  pacer.attach(handle);
  return pacer;
}

class RunningPacer implements Pacer {
  readonly ok = true;
  readonly ring: Ring;
  t0Ns = 0;
  readonly #surface: PacerSurface;
  #handle: ThreadHandle | null = null;
  #ended = false;
  #waiters: (() => void)[] = [];
  #asked = false;
  readonly #end: PromiseWithResolvers;

  constructor(surface: PacerSurface, buffer: SharedArrayBuffer) {
    this.#surface = surface;
    this.#end = withResolvers();
    this.ring = new Ring(buffer, (ring) => this.#wait(ring));
  }

  attach(handle: ThreadHandle): void {
    this.#handle = handle;
    this.t0Ns = this.#surface.startTime(handle);
  }

  onEvent(event: number): void {
    if (event === WAKE) this.ring.notify();
    if (event === ENDED) {
      this.#ended = true;
      this.#end.resolve();
    }
    for (const wake of this.#waiters.splice(0)) wake();
  }

  stop(): void {
    this.#surface.stop(this.#handle!);
  }

  async result(): Promise<PacerResult> {
    this.#asked = true;
    this.#hold(true);
    await this.#end.promise;
    const { lateness, ...rest } = this.#surface.result(this.#handle!)!;
    return { ...rest, lateness: toHistogram(lateness) };
  }

  /** In the pacer's own environment its event wakes directly: one hop less than through Atomics.waitAsync. */
  async #wait(ring: Ring): Promise<void> {
    if (this.#ended || !ring.announceWait()) return;
    this.#hold(true);
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
    });
    if (!this.#asked && this.#waiters.length === 0) this.#hold(false);
  }

  #hold(hold: boolean): void {
    if (!this.#ended) this.#surface.hold(this.#handle!, hold);
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function checkOptions(options: PacerOptions) {
  checkKeys('pacer', options, KEYS, '{ plan, ringCapacity: 4096 }');
  const { plan, t0Ns, cpu, fifo = false, spinNs = 200_000, ringCapacity } = options;
  if (!(plan instanceof Float64Array)) {
    throw new TypeError('pacer: plan must be a Float64Array of ns after t0Ns');
  }
  let last = 0;
  for (let i = 0; i < plan.length; i++) {
    const at = plan[i]!;
    if (!(at >= last && at < Number.POSITIVE_INFINITY)) {
      const rule = 'times must be finite, from 0 and never decrease';
      throw new RangeError(`pacer: plan[${i}] is ${at} after ${last}; ${rule}`);
    }
    last = at;
  }
  within('pacer: ringCapacity', ringCapacity, 16, MAX_RING, 'a number of entries', true);
  if ((ringCapacity & (ringCapacity - 1)) !== 0) {
    const next = 2 ** Math.ceil(Math.log2(ringCapacity));
    throw new RangeError(`pacer: ringCapacity must be a power of two, for example ${next}, not ${ringCapacity}`);
  }
  if (t0Ns !== undefined) within('pacer: t0Ns', t0Ns, 0, Number.MAX_SAFE_INTEGER, 'ns on the time line of the clock');
  return {
    cpu: cpu === undefined ? -1 : within('pacer: cpu', cpu, 0, MAX_CPUS - 1, 'a CPU number', true),
    fifo: checkFlag('pacer: fifo', fifo),
    spinNs: within('pacer: spinNs', spinNs, 0, 1e9, 'ns'),
    t0Ns: t0Ns ?? Number.NaN,
    capacity: ringCapacity,
  };
}
