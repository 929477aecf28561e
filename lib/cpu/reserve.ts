import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkKeys } from '../native/check-keys.js';
import { type Hints, type Outcome, type Refusal, refused, withoutAddon } from '../native/outcome.js';
import type { RawHolder, ReservationHandle } from '../native/surface/cpu.js';
import { surface, surfaceReason } from './addon.js';
import { checkCpus } from './check.js';
import { topology } from './topology.js';

/** Whole cores that this process holds. Held until released, or until the process ends, however it ends. */
export interface Reservation {
  /** Every CPU of the cores, siblings included. */
  readonly cpus: readonly number[];
  /** Gives the cores back; more than once is no error. */
  release(): void;
  [Symbol.dispose](): void;
}

/** Who holds a CPU, as it wrote down itself. */
export interface Holder {
  cpu: number;
  /** Null when it could not be read. In another container the number is that container's. */
  pid: number | null;
  command: string;
}

/** Where reservations are kept and how long to wait for one. */
export interface ReserveOptions {
  /**
   * Folder of the lock files; processes exclude each other only within the same folder. Default: `TSCOPE_LOCK_DIR`, else
   * `tscope-cpus` in shared memory (/dev/shm, which systemd's private temporary folders do not hide), else in the temporary folder.
   */
  directory?: string;
  /** What others are told about the holder. Default: the command line. */
  command?: string;
}

const KEYS: ReadonlySet<string> = new Set(['directory', 'command'] satisfies (keyof ReserveOptions)[]);

const HINTS: Hints = {
  EACCES:
    'The lock folder or a file in it belongs to another user and is closed; open its mode, or pass another `directory`.',
  ENOENT: 'The folder above `directory` does not exist; make it first.',
  ENOSPC: 'The file system of the lock folder is full; free space, or pass another `directory`.',
  EROFS: 'The lock folder is read-only; pass another `directory`.',
  ENOTDIR: 'What is named as lock folder, or something above it, is no folder; pass another `directory`.',
  ELOOP: 'A lock file is a symbolic link, which is not followed; remove it.',
  default: 'Cores could not be reserved; go on without, and make sure yourself that nothing else uses them.',
};

/** Keeps the handles alive: a lock must not end because its owner forgot the object. */
const held = new Set<ReservationHandle>();

/** Folder used when none is given. */
export function lockDirectory(): string {
  return process.env.TSCOPE_LOCK_DIR || join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tscope-cpus');
}

/**
 * Reserves the whole cores of `cpus` (SMT siblings included) against every process that asks the same way: all or
 * none, without waiting. The lock belongs to the kernel, so a holder that crashes frees its cores at once. When taken the
 * refusal has `code: 'EAGAIN'` and names the `holder`. It reserves only; pinning is {@link pinSelf} or {@link apply}.
 * @throws TypeError, RangeError for something that is no set of CPU numbers, or an option that does not exist.
 */
export function reserve(
  cpus: readonly number[],
  options: ReserveOptions = {},
): { ok: true; reservation: Reservation } | (Refusal & { holder: Holder | null }) {
  checkKeys('reserve', options, KEYS, "{ command: 'nightly run' }");
  const wanted = checkCpus('reserve', cpus);
  const native = surface();
  if (!native) return { ...withoutAddon('reserve', surfaceReason()), holder: null };
  const machine = topology();
  if (!machine.ok) return { ...machine, holder: null };
  const missing = wanted.filter((cpu) => !machine.topology.online.includes(cpu));
  if (missing.length > 0) {
    const message = `reserve: CPU ${missing.join(', ')} is not online`;
    const hint = `Online are ${machine.topology.online.join(', ')}.`;
    return { ok: false, errno: null, code: 'NO_SUCH_CPU', message, hint, holder: null };
  }
  const whole = machine.topology.cores
    .map((core) => core.cpus)
    .filter((core) => core.some((cpu) => wanted.includes(cpu)));
  const all = whole.flat().sort((a, b) => a - b);
  const command = options.command ?? process.argv.join(' ');
  const directory = options.directory ?? lockDirectory();
  const { error, handle, holder } = native.reserve(directory, all, command);
  if (!handle) return refusal(error, directory, holder ?? null);
  held.add(handle);
  const release = () => {
    if (held.delete(handle)) native.releaseReservation(handle);
  };
  return { ok: true, reservation: { cpus: all, release, [Symbol.dispose]: release } };
}

/** CPUs that are reserved now and by whom; looking disturbs nobody. @throws TypeError for an unknown option. */
export function reservations(options: Pick<ReserveOptions, 'directory'> = {}): Outcome<{ holders: Holder[] }> {
  checkKeys('reservations', options, KEYS, "{ directory: '/dev/shm/mine' }");
  const native = surface();
  if (!native) return withoutAddon('reservations', surfaceReason());
  const holders = native.listReservations(options.directory ?? lockDirectory());
  return typeof holders === 'number' ? refused(holders, 'reservations', HINTS) : { ok: true, holders };
}

function refusal(errno: number, directory: string, holder: RawHolder | null): Refusal & { holder: Holder | null } {
  // Without a CPU it is the folder itself that was refused.
  const what = holder && holder.cpu >= 0 ? `CPU ${holder.cpu}, in ${directory}` : `lock folder ${directory}`;
  const answer = refused(errno, `reserve: ${what}`, HINTS);
  if (answer.code !== 'EAGAIN' || !holder) return { ...answer, holder: null };
  const who = holder.pid === null ? 'another process' : `process ${holder.pid} (${holder.command})`;
  return {
    ...answer,
    message: `reserve: CPU ${holder.cpu} is held by ${who}`,
    hint: 'Wait until it ends, or take another core; `plan` with `busy` set to the reserved CPUs finds one.',
    holder,
  };
}
