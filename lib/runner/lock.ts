/** One host per run folder. */
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeAll } from '../result/files.js';
import { RunDirError } from './run-dir-error.js';

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process as the kernel gives it, so that a reused pid is not taken for the owner; null where unknown. */
  readonly started: string | null;
}

/** Takes the lock of `runDir`; the returned function releases it. A lock whose owner is gone is taken over. */
export function lockRun(runDir: string): () => void {
  const file = join(runDir, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const fd = openSync(file, 'wx');
      try {
        const owner: Owner = { pid: process.pid, host: hostname(), started: startTime(process.pid) };
        writeAll(fd, JSON.stringify(owner));
      } finally {
        closeSync(fd);
      }
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = readOwner(file);
      if (owner && alive(owner)) {
        throw new RunDirError(
          `${runDir} is in use by process ${owner.pid} on ${owner.host}; wait for it, or remove ${file} if that process is not tscope`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new RunDirError(`${runDir} is being taken by another process`);
}

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    // Torn or gone: whoever wrote it did not get far.
    return null;
  }
}

function alive({ pid, host, started }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return started === null || startTime(pid) === started;
}

/** Field 22 of /proc/PID/stat (clock ticks since boot); null elsewhere than on Linux. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
