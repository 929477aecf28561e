/** Files and folders written so that nothing is half there, and what to say when the file system refuses. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

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

/**
 * Makes a folder and those above it that are missing.
 *
 * @throws The file system's error: EROFS on a read-only file system, where Node 20 to 26 say ENOENT.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      let there = resolve(path);
      while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
      accessSync(there, constants.W_OK);
    }
    throw error;
  }
}

/** Writes all of `text`; a short write is continued. */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** What to rename over: the file behind a link, or null for a pipe or device, which a rename would replace. */
function renameTarget(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return path;
  return found.isFile() || found.isDirectory() ? realpathSync(path) : null;
}

/**
 * Writes text so that a reader, also after a crash, sees the old file or the whole new one: to a temporary file beside it, synced, then
 * renamed. Links are followed; into pipes and devices it is written as it is.
 *
 * @throws The file system's error; no temporary file is left behind.
 */
export function writeWhole(name: string, text: string): void {
  const path = renameTarget(name);
  if (path === null) {
    writeFileSync(name, text);
    return;
  }
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx');
    try {
      writeAll(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
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
