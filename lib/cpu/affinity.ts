import { type Hints, type Outcome, type Refusal, refused, withoutAddon } from '../native/outcome.js';
import { surface, surfaceReason } from './addon.js';
import { checkCpus, checkInteger, checkThreadIds } from './check.js';

const { access } = process.getBuiltinModule('node:fs/promises');

/** A thread of this process. `main` = the thread the process started with; `self` = the caller, when it is not main. */
export interface ThreadInfo {
  tid: number;
  /** As the kernel has it, at most 15 bytes; Node 20 calls all of them `node`. */
  name: string;
  role: 'main' | 'self' | 'other';
  cpus: number[];
}

const HINTS: Hints = {
  EINVAL:
    'A CPU of the set does not exist, is offline or lies outside the cpuset of this container. `allowedCpus()` lists what can be asked for; a wider cpuset has to be given from outside.',
  EPERM: 'The thread belongs to another user. Run as that user, or with CAP_SYS_NICE.',
  ESRCH: 'There is no such process or thread any more; list the threads again.',
  EAGAIN: 'The process makes threads faster than they can be moved; pin before the load starts.',
  default: 'Affinity could not be changed; go on unpinned and expect migrations.',
};

/** Masks that pinSelf and pinOthers of this environment changed: what a thread had before, what it was given. */
const changed = new Map<number, { before: number[]; given: number[] }>();
/** Threads that lived when the first pin was made, so that later ones, which inherited a pin, are recognised. */
let known = new Set<number>();

const same = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((cpu, i) => cpu === b[i]);
const missing = (what: string): Refusal => withoutAddon(what, surfaceReason());

/** Kernel id of the calling thread; null without the addon or outside Linux. */
export function threadId(): number | null {
  const tid = surface()?.threadId() ?? -1;
  return tid > 0 ? tid : null;
}

/** CPU the calling thread runs on right now (about 4 ns inside); null when unknown. */
export function currentCpu(): number | null {
  const cpu = surface()?.currentCpu() ?? -1;
  return cpu >= 0 ? cpu : null;
}

/** CPUs the calling thread may run on, ascending; null when unknown (no addon, or not Linux). */
export function allowedCpus(): number[] | null {
  const cpus = surface()?.getAffinity(0);
  return Array.isArray(cpus) ? cpus : null;
}

/** Threads of this process with their CPUs; null when unknown (no addon, or not Linux). */
export function threads(): ThreadInfo[] | null {
  const list = surface()?.listThreads(0);
  if (!Array.isArray(list)) return null;
  const self = threadId();
  return list.map((thread) => ({
    ...thread,
    role: thread.tid === process.pid ? 'main' : thread.tid === self ? 'self' : 'other',
  }));
}

/**
 * Pins the calling thread, and no other, to a set of CPUs. Threads it creates from now on inherit that set, so create
 * workers and libuv's pool ({@link ensurePool}) first, or move them afterwards ({@link pinOthers}).
 * @throws TypeError, RangeError for something that is no set of CPU numbers.
 */
export function pinSelf(cpus: readonly number[]): Outcome<{ previous: number[] }> {
  const what = 'pinSelf';
  const given = checkCpus(what, cpus);
  const native = surface();
  if (!native) return missing(what);
  const before = native.getAffinity(0);
  if (typeof before === 'number') return refused(before, what, HINTS);
  const errno = native.setAffinity(0, given);
  if (errno !== 0) return refused(errno, `${what}: CPU ${given.join(', ')} was refused`, HINTS);
  remember(native.threadId(), before, given);
  return { ok: true, previous: before };
}

/**
 * Moves every other thread of the process (V8's and libuv's helpers, other workers) to a set of CPUs, scanning until two
 * scans agree. The calling thread and those in `except` stay where they are.
 * @throws TypeError, RangeError for something that is no set of CPU numbers or no thread id.
 */
export function pinOthers(
  cpus: readonly number[],
  options: { except?: readonly number[] } = {},
): Outcome<{ moved: number; previous: { tid: number; cpus: number[] }[] }> {
  const what = 'pinOthers';
  const given = checkCpus(what, cpus);
  const except = checkThreadIds(what, options.except ?? []);
  const native = surface();
  if (!native) return missing(what);
  const { error, moved } = native.moveThreads(0, given, [native.threadId(), ...except]);
  for (const thread of moved) remember(thread.tid, thread.cpus, given);
  if (error !== 0) return refused(error, `${what}: CPU ${given.join(', ')} was refused`, HINTS);
  return { ok: true, moved: moved.length, previous: moved };
}

/**
 * Undoes everything {@link pinSelf} and {@link pinOthers} of this environment (main thread or worker) changed. A thread whose
 * CPUs somebody changed again since then is left alone; one that was born since then and inherited a pin gets
 * back what its process had.
 */
export function restore(): Outcome<{ restored: number }> {
  const native = surface();
  if (!native) return changed.size === 0 ? { ok: true, restored: 0 } : missing('restore');
  if (changed.size === 0) return { ok: true, restored: 0 };
  const list = native.listThreads(0);
  if (typeof list === 'number') return refused(list, 'restore', HINTS);
  const gifts = [...changed.values()];
  const original = changed.get(native.threadId())?.before ?? gifts[0]!.before;
  let restored = 0;
  let failure: Refusal | null = null;
  for (const { tid, cpus } of list) {
    const entry = changed.get(tid);
    const inherited = !known.has(tid) && gifts.some((gift) => same(gift.given, cpus));
    const before = entry && same(entry.given, cpus) ? entry.before : inherited ? original : null;
    if (before === null) continue;
    const errno = native.setAffinity(tid, before);
    if (errno === 0) restored++;
    else if (errno !== ESRCH) failure = refused(errno, `restore: thread ${tid} could not get its CPUs back`, HINTS);
  }
  changed.clear();
  known = new Set();
  return failure ?? { ok: true, restored };
}

/**
 * CPUs the main thread of another process may run on; 0 or this process' id = this process.
 * @throws TypeError when `pid` is no number; RangeError when it is not a whole number from 0 to 2^31-1.
 */
export function affinityOf(pid: number): Outcome<{ cpus: number[] }> {
  checkInteger('affinityOf: process id', pid, 0, 0x7fff_ffff);
  const native = surface();
  if (!native) return missing('affinityOf');
  const cpus = native.getAffinity(pid === 0 ? process.pid : pid);
  return typeof cpus === 'number' ? refused(cpus, `affinityOf: process ${pid}`, HINTS) : { ok: true, cpus };
}

/**
 * Pins every thread of a process, this one (0 or its id) included: what the host does to leave the measured CPU. Of this
 * process {@link restore} undoes it; of another one the caller keeps `previous`.
 * @throws TypeError, RangeError for a process id or a set of CPUs that is none.
 */
export function pinProcess(
  pid: number,
  cpus: readonly number[],
): Outcome<{ moved: number; previous: { tid: number; cpus: number[] }[] }> {
  const what = 'pinProcess';
  checkInteger(`${what}: process id`, pid, 0, 0x7fff_ffff);
  const given = checkCpus(what, cpus);
  const native = surface();
  if (!native) return missing(what);
  const own = pid === 0 || pid === process.pid;
  const { error, moved } = native.moveThreads(own ? 0 : pid, given, []);
  if (own) for (const thread of moved) remember(thread.tid, thread.cpus, given);
  if (error !== 0) return refused(error, `${what}: CPU ${given.join(', ')} was refused for process ${pid}`, HINTS);
  return { ok: true, moved: moved.length, previous: moved };
}

/** Brings libuv's pool of threads into being (it starts at the first file operation), so that they can be moved. */
export async function ensurePool(): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => access('.').catch(() => undefined)));
}

/**
 * Writes what the calling thread has used since it started: [involuntary switches, voluntary switches, minor faults, major
 * faults, CPU time in ns]. Two system calls (1 to 2 us), no allocation; NaN without the addon and outside Linux.
 * @throws TypeError when `into` is not a Float64Array of at least 5.
 */
export function usage(into: Float64Array): void {
  const native = surface();
  if (native) {
    native.usage(into);
    return;
  }
  if (!(into instanceof Float64Array) || into.length < 5) {
    throw new TypeError('usage(into): pass a Float64Array with room for 5 numbers');
  }
  into.fill(Number.NaN, 0, 5);
}

const ESRCH = 3;

function remember(tid: number, before: number[], given: number[]): void {
  if (changed.size === 0) {
    const list = surface()?.listThreads(0);
    known = new Set(Array.isArray(list) ? list.map((thread) => thread.tid) : []);
  }
  const gifts = [...changed.values()];
  const again = changed.get(tid);
  let original = before;
  if (again && same(again.given, before)) original = again.before;
  else if (!known.has(tid) && gifts.some((gift) => same(gift.given, before))) original = gifts[0]!.before;
  changed.set(tid, { before: original, given });
}
