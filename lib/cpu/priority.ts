import { checkKeys } from '../native/check-keys.js';
import { type Hints, type Outcome, refused, withoutAddon } from '../native/outcome.js';
import { surface, surfaceReason } from './addon.js';
import { checkInteger } from './check.js';

/** How the scheduler treats a thread. `unknown` = a policy that is not one of these. */
export interface Priority {
  policy: 'other' | 'batch' | 'idle' | 'fifo' | 'unknown';
  /** Real-time level 1 to 99 with fifo; 0 otherwise. */
  realtime: number;
  /** -20 (most CPU) to 19; of no effect with fifo. */
  nice: number;
}

const POLICIES = ['other', 'batch', 'idle', 'fifo', 'unknown'] as const;

const KEYS: ReadonlySet<string> = new Set(['policy', 'realtime', 'nice'] satisfies (keyof Priority)[]);
const LOCK_KEYS: ReadonlySet<string> = new Set(['future', 'onFault']);

const PRIORITY_HINTS: Hints = {
  EPERM:
    'Real-time needs a right: raise RLIMIT_RTPRIO (`ulimit -r`, /etc/security/limits.conf), or run with CAP_SYS_NICE.',
  EACCES:
    'A nice value below the present one needs a right: raise RLIMIT_NICE (`ulimit -e`), or run with CAP_SYS_NICE.',
  EINVAL: 'The kernel does not take this policy for a thread in this control group.',
  default: 'Priority could not be changed; go on with the present one and expect more gaps.',
};

/** Priority of the calling thread; null when unknown (no addon, or not Linux). */
export function currentPriority(): Priority | null {
  const raw = surface()?.getPriority();
  if (typeof raw !== 'object') return null;
  return { policy: POLICIES[raw.policy] ?? 'unknown', realtime: raw.realtime, nice: raw.nice };
}

/**
 * Sets policy and nice value of the calling thread only; pass `previous` to a second call to undo it. Threads that a
 * fifo thread creates are ordinary ones. Do not raise before warm-up is over: V8 compiles on other threads, which a fifo
 * thread on the same CPU starves. `warnings` tells when the kernel will stop a thread that never sleeps.
 * @throws TypeError, RangeError for an unknown policy, a real-time level outside 1..99 or a nice value outside -20..19.
 */
export function setPriority(
  wanted: { policy?: 'other' | 'batch' | 'idle' | 'fifo'; realtime?: number; nice?: number } | Priority,
): Outcome<{ previous: Priority; warnings: string[] }> {
  checkKeys('setPriority', wanted, KEYS, "{ policy: 'batch' }");
  const { policy = 'other' } = wanted;
  const number = POLICIES.indexOf(policy);
  if (number < 0 || policy === 'unknown') {
    throw new TypeError(`setPriority: ${JSON.stringify(policy)} is no policy; use 'other', 'batch', 'idle' or 'fifo'`);
  }
  const fifo = policy === 'fifo';
  const realtime = checkInteger(
    'setPriority: realtime',
    wanted.realtime ?? (fifo ? 1 : 0),
    fifo ? 1 : 0,
    fifo ? 99 : 0,
  );
  if (wanted.nice !== undefined) checkInteger('setPriority: nice', wanted.nice, -20, 19);
  const native = surface();
  if (!native) return withoutAddon('setPriority', surfaceReason());
  const before = native.getPriority();
  if (typeof before === 'number') return refused(before, 'setPriority', PRIORITY_HINTS);
  const previous: Priority = { ...before, policy: POLICIES[before.policy] ?? 'unknown' };
  const errno = native.setPriority(number, realtime, wanted.nice ?? before.nice);
  if (errno !== 0) return refused(errno, `setPriority: ${policy}`, PRIORITY_HINTS);
  const warnings: string[] = [];
  const { runtimeUs, periodUs } = native.realtimeLimit();
  if (fifo && runtimeUs >= 0 && runtimeUs < periodUs) {
    const lost = (periodUs - runtimeUs) / 1000;
    warnings.push(
      `the kernel may stop real-time threads for ${lost} ms of every ${periodUs / 1000} ms (sched_rt_runtime_us): sleep 1 ms in between, or expect gaps of that length`,
    );
  }
  return { ok: true, previous, warnings };
}

const MEMORY_HINTS: Hints = {
  ENOMEM: 'More memory than RLIMIT_MEMLOCK allows: raise it (`ulimit -l unlimited`), or run with CAP_IPC_LOCK.',
  EPERM: 'RLIMIT_MEMLOCK is 0 and CAP_IPC_LOCK is missing: raise the limit (`ulimit -l`).',
  EAGAIN: 'Some pages could not be locked; free memory and try again.',
  EINVAL: 'This kernel knows no locking on first touch; pass `onFault: false`.',
  default: 'Memory could not be locked; touch large arrays before measuring instead.',
};

/**
 * Keeps the memory of the process from being paged out. `onFault` (default true) locks pages as they are touched; false brings
 * all mapped memory in now, which for V8's reservations may be a lot. `future` (default false) includes what is mapped later:
 * an allocation beyond the limit then fails and ends the process. {@link unlockMemory} undoes it.
 * @throws TypeError for an unknown option.
 */
export function lockMemory(options: { future?: boolean; onFault?: boolean } = {}): Outcome {
  checkKeys('lockMemory', options, LOCK_KEYS, '{ onFault: false }');
  const native = surface();
  if (!native) return withoutAddon('lockMemory', surfaceReason());
  const errno = native.lockMemory(options.future ?? false, options.onFault ?? true);
  return errno === 0 ? { ok: true } : refused(errno, 'lockMemory', MEMORY_HINTS);
}

/** Undoes {@link lockMemory}. */
export function unlockMemory(): Outcome {
  const native = surface();
  if (!native) return withoutAddon('unlockMemory', surfaceReason());
  const errno = native.unlockMemory();
  return errno === 0 ? { ok: true } : refused(errno, 'unlockMemory', MEMORY_HINTS);
}

const SLACK_HINTS: Hints = { default: 'Timer slack could not be changed; timers may end up to 50 us late.' };

/**
 * Sets how late the kernel may let timers of the calling thread end, ns, in order to join wake-ups; 0 = the thread's default
 * (usually 50 us), 1 = as exact as it can. A real-time thread has none.
 * @throws TypeError, RangeError when `ns` is not a whole number from 0 to 2^31 - 1.
 */
export function timerSlack(ns: number): Outcome<{ previous: number }> {
  checkInteger('timerSlack', ns, 0, 0x7fff_ffff);
  const native = surface();
  if (!native) return withoutAddon('timerSlack', surfaceReason());
  const previous = native.getTimerSlack();
  if (previous < 0) return refused(-previous, 'timerSlack', SLACK_HINTS);
  const errno = native.setTimerSlack(ns);
  return errno === 0 ? { ok: true, previous } : refused(errno, 'timerSlack', SLACK_HINTS);
}
