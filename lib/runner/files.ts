import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Something about a run's folder that stops work; the message says what, where and what to do. */
export class RunDirError extends Error {
  override readonly name = 'RunDirError';
}

/** Words for an error of the file system, with a way out where there is a usual one. */
export function fsReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${code}, the disk is full`;
    case 'EACCES':
    case 'EPERM':
      return `${code}, not writable for this user`;
    case 'EROFS':
      return `${code}, the file system is read-only`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${code}, a file is where a folder is needed`;
    default:
      return message;
  }
}

/** Writes all of `text`; a short write is continued. */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Writes `text` to `path` so that a reader, also after a crash, sees the old content or the new one. Throws what the file system says. */
export function writeFileAtomic(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const fd = openSync(temporary, 'w');
    try {
      writeAll(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Makes a rename in `folder` survive a power cut, where the platform can. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows cannot open folders; the rename itself has happened.
  }
}
