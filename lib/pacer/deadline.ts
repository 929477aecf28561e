import { hotClock } from '../clock/hot.js';
import { currentCpu } from '../cpu/affinity.js';
import { type Outcome, withoutAddon } from '../cpu/outcome.js';
import { checkKeys } from '../native/check-keys.js';
import { loadAddon } from '../native/load.js';
import { MAX_CPUS, within } from '../thread/check.js';
import { startRefused } from '../thread/refusal.js';

/** How a deadline timer waits. */
export interface DeadlineOptions {
  /** CPU to pin the timer's thread to. Left out: any but the caller's, where there is another. */
  readonly cpu?: number;
  /** How long before a deadline to wake up and spin, ns, 0 to 1e9. Default 0: raised when the system wakes the thread, some 10 us late. */
  readonly spinNs?: number;
}

/**
 * A deadline timer: a native thread raises a flag in shared memory, which a spinning loop reads with
 * `Atomics.load(deadline.flag, 0) !== 0` at the cost of a memory read. One deadline at a time. Closed with its environment at the latest.
 */
export interface Deadline {
  /** `flag[0]`: 0 until the deadline has passed, 1 afterwards. On shared memory: may be posted to workers. */
  readonly flag: Int32Array;
  /** Lowers the flag and raises it in `ns`, from 0. Replaces the deadline before. @throws RangeError */
  armIn(ns: number): void;
  /** The same at `ns` on the time line of `tscope/clock`; a time that has passed is raised at once. @throws RangeError */
  armAt(ns: number): void;
  /** Lowers the flag and forgets the deadline. */
  disarm(): void;
  /** When it should have been raised and when it was, ns; null while the flag is down. */
  raised(): { readonly plannedNs: number; readonly raisedNs: number } | null;
  /** Ends the thread; resolves when it has ended. The flag stays as it is, and nothing can be armed any more. */
  close(): Promise<void>;
}

const KEYS = new Set(['cpu', 'spinNs']);
/** flag, unused word, planned ns, raised ns; a cache line of its own. */
const BLOCK_BYTES = 128;
const MAX_NS = Number.MAX_SAFE_INTEGER;

/**
 * Opens a deadline timer. The first call in a thread also opens its clock (20 ms).
 *
 * Refusals are values: `EINVAL` (no such CPU, or not allowed), `EAGAIN` (too many threads), `UNSUPPORTED` (pinning outside Linux), `NO_ADDON`.
 *
 * @throws TypeError, RangeError for options out of their range.
 */
export function openDeadline(options: DeadlineOptions = {}): Outcome<Deadline> {
  checkKeys('deadline', options, KEYS, '{ cpu: 0 }');
  const spinNs = within('deadline: spinNs', options.spinNs ?? 0, 0, 1e9, 'ns');
  const cpu =
    options.cpu === undefined ? -1 : within('deadline: cpu', options.cpu, 0, MAX_CPUS - 1, 'a CPU number', true);
  const what = `deadline timer${cpu >= 0 ? ` on CPU ${cpu}` : ''}`;
  const { addon, reason } = loadAddon();
  const surface = addon?.deadline;
  if (!surface) return withoutAddon(what, reason);
  const clock = hotClock();
  const buffer = new SharedArrayBuffer(BLOCK_BYTES);
  const flag = new Int32Array(buffer, 0, 1);
  const times = new Float64Array(buffer, 8, 2);
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const kernel = clock.info.hzPpm === null;
  const native = { cpu, avoid: currentCpu() ?? -1, fifo: false, spinNs, nsPerTick: clock.nsPerTick, kernel };
  const handle = surface.start(native, new Int32Array(buffer), () => ended());
  if ('step' in handle) return startRefused(what, cpu, handle);
  let closed = false;
  const open = () => {
    if (closed) throw new TypeError('deadline: the timer is closed; open another one');
  };
  return {
    ok: true,
    flag,
    armIn(ns) {
      open();
      within('deadline: the time', ns, 0, MAX_NS, 'ns from now');
      clock.read();
      surface.arm(handle, clock.slot[0]! * clock.nsPerTick + ns);
    },
    armAt(ns) {
      open();
      surface.arm(handle, within('deadline: the time', ns, 0, MAX_NS, 'ns on the time line of the clock'));
    },
    disarm() {
      open();
      surface.disarm(handle);
    },
    raised: () => (Atomics.load(flag, 0) === 0 ? null : { plannedNs: times[0]!, raisedNs: times[1]! }),
    close() {
      if (!closed) surface.hold(handle);
      closed = true;
      surface.stop(handle);
      return end;
    },
  };
}
