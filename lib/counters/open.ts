import { checkKeys } from '../native/check-keys.js';
import { type Outcome, withoutAddon } from '../native/outcome.js';
import type { CountersSurface, GroupHandle } from '../native/surface/counters.js';
import { isThenable } from '../native/thenable.js';
import { surface, surfaceReason } from './addon.js';
import { refusalOf } from './refusals.js';
import { type Section, sectionOf } from './section.js';

/** An event that can be asked for. */
export interface EventInfo {
  name: string;
  /** Needs a PMU, which virtual machines often lack; the others are counted by the kernel. */
  hardware: boolean;
  /** Happens in the kernel, and is counted with it whatever `kernel` says: its user part would always be 0. */
  inKernel: boolean;
}

/** An event that could not be opened, and why. */
export interface FailedEvent {
  name: string;
  errno: number;
  code: string;
  hint: string;
}

/** How a group of counters is opened. */
export interface OpenOptions {
  /** Count what the kernel does for the thread as well. Default false: user code only. */
  kernel?: boolean;
  /** Empty brackets measured at the start to know what a bracket itself adds; the smallest counts. Default 101, 0 = none. */
  calibration?: number;
}

const KEYS: ReadonlySet<string> = new Set(['kernel', 'calibration'] satisfies (keyof OpenOptions)[]);

/** At most so many events fit in one group. */
export const MAX_EVENTS = 16;

/** Every event by name; null without the addon. */
export function events(): EventInfo[] | null {
  return surface()?.events() ?? null;
}

/**
 * Opens one group of counters over the calling thread (a worker opens its own). Events that cannot be had are left out one by
 * one and listed in `failed`; the call is refused only when none can be. A group counts either as a whole or not at all, so
 * ratios between its members are sound.
 * @throws TypeError for an unknown event or option, RangeError for none or more than {@link MAX_EVENTS}, or a name given twice.
 */
export function open(names: readonly string[], options: OpenOptions = {}): Outcome<{ counters: Counters }> {
  checkKeys('counters', options, KEYS, '{ kernel: true }');
  const native = surface();
  checkNames(names, native?.events().map(({ name }) => name) ?? null, MAX_EVENTS);
  const calibration = options.calibration ?? 101;
  if (!Number.isInteger(calibration) || calibration < 0 || calibration > 100_000) {
    throw new RangeError(`counters: calibration ${calibration} is not a whole number from 0 to 100000`);
  }
  if (!native) return withoutAddon('counters', surfaceReason());
  const { error, failed, opened, handle } = native.open(names, options.kernel ?? false);
  if (!handle || !opened) return refusalOf(error, `counters: ${names.join(', ')} cannot be opened`);
  const reasons = failed.map(({ name, errno }) => {
    const { code, hint } = refusalOf(errno, name);
    return { name, errno, code, hint };
  });
  return { ok: true, counters: new Counters(native, handle, opened, reasons, calibration) };
}

/** An open group. Sections do not nest; open a second group for that. */
export class Counters {
  /** Open events, in the order of the counts. */
  readonly names: readonly string[];
  /** Events that were asked for and could not be opened. */
  readonly failed: readonly FailedEvent[];
  /**
   * Counts of an empty section by name, the smallest over the calibration; null when there was none or an event was never
   * on the PMU meanwhile. Reported beside a section's values, never taken off them silently.
   */
  readonly overhead: Readonly<Record<string, number>> | null;
  readonly #native: CountersSurface;
  #handle: GroupHandle | null;
  readonly #buffer: Float64Array;
  #begun = false;

  /** Use {@link open}. */
  constructor(
    native: CountersSurface,
    handle: GroupHandle,
    names: readonly string[],
    failed: readonly FailedEvent[],
    calibration: number,
  ) {
    this.#native = native;
    this.#handle = handle;
    this.names = names;
    this.failed = failed;
    this.#buffer = new Float64Array(names.length + 2);
    this.overhead = this.#calibrate(calibration);
  }

  /** Starts a section (one system call, 1 to 2 us). @throws TypeError when closed. */
  begin(): void {
    this.#check(this.#native.begin(this.#open()));
    this.#begun = true;
  }

  /**
   * Ends the section: writes the counts in the order of `names`, then the ns the group was enabled and the ns it was on the PMU.
   * If the second is smaller the counts are scaled up (NaN when it is 0). No allocation.
   * @throws TypeError when closed, or when `into` has less than `names.length + 2` elements; Error when no section was begun.
   */
  end(into: Float64Array): void {
    this.#check(this.#native.end(this.#open(), into));
    // After the read, which it must not lengthen.
    if (!this.#begun) throw new Error('counters: end() before begin()');
    this.#begun = false;
  }

  /**
   * Ends the section as an object: counts by name with times, multiplexing and overhead.
   * @throws TypeError when closed; Error when no section was begun.
   */
  section(): Section {
    this.end(this.#buffer);
    return sectionOf(this.names, this.#buffer, this.overhead);
  }

  /**
   * Counts one call of `work`, whose result is returned as well.
   * @throws TypeError when `work` is no function, or returns a promise: what it does after that would not be counted.
   */
  measure<R>(work: () => R): { result: R; section: Section } {
    if (typeof work !== 'function') throw new TypeError(`counters: work must be a function, not a ${typeof work}`);
    this.begin();
    const result = work();
    const section = this.section();
    if (isThenable(result)) {
      // Its failure, if any, is not the caller's to handle: this is.
      Promise.resolve(result).catch(() => {});
      throw new TypeError(
        'counters: measure(work): work returned a promise, and what it does later would not be counted. Call begin() and section() around synchronous parts',
      );
    }
    return { result, section };
  }

  /** Closes the group; more than once is no error. */
  close(): void {
    if (this.#handle) this.#native.close(this.#handle);
    this.#handle = null;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #calibrate(repeats: number): Readonly<Record<string, number>> | null {
    if (repeats === 0) return null;
    const smallest = new Float64Array(this.names.length).fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < repeats; i++) {
      this.begin();
      this.end(this.#buffer);
      for (let k = 0; k < smallest.length; k++) smallest[k] = Math.min(smallest[k]!, this.#buffer[k]!);
    }
    if (!smallest.every(Number.isFinite)) return null;
    return Object.fromEntries(this.names.map((name, k) => [name, smallest[k]!]));
  }

  #open(): GroupHandle {
    if (!this.#handle) throw new TypeError('counters: this group is closed; open a new one');
    return this.#handle;
  }

  #check(errno: number): void {
    if (errno === 0) return;
    const { message, hint } = refusalOf(errno, 'counters: the group cannot be read');
    throw new Error(`${message}. ${hint}`);
  }
}

/** @throws TypeError, RangeError for names that are no list of at most `most` different known events. */
export function checkNames(names: readonly string[], known: readonly string[] | null, most: number): void {
  if (!Array.isArray(names)) throw new TypeError('counters: pass an array of event names');
  if (names.length === 0) throw new RangeError('counters: no event was asked for; `events()` lists them');
  if (names.length > most) {
    throw new RangeError(`counters: ${names.length} events were asked for; one group takes ${most}`);
  }
  for (const [i, name] of names.entries()) {
    if (typeof name !== 'string') throw new TypeError(`counters: an event is a name, not ${typeof name}`);
    if (names.indexOf(name) !== i) throw new RangeError(`counters: ${name} was asked for twice`);
    if (known && !known.includes(name)) {
      throw new TypeError(`counters: there is no event "${name}"; use ${known.join(', ')}`);
    }
  }
}
