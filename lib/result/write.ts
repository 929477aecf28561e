import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { RunResult } from './model.js';

/** What to rename over: the file behind a link, or null for a pipe or device, which a rename would replace. */
function renameTarget(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return path;
  return found.isFile() || found.isDirectory() ? realpathSync(path) : null;
}

/**
 * Writes text so that a reader sees the old file or the whole new one: to a temporary file beside it, synced, then renamed. Links are
 * followed; into pipes and devices it is written as it is.
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
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** JSON of a result, indented by one space: it can be read and diffed without growing by half. */
export function formatResult(result: RunResult): string {
  return `${JSON.stringify(result, null, 1)}\n`;
}

/** Writes a result file; see {@link writeWhole}. */
export function writeResult(path: string, result: RunResult): void {
  writeWhole(path, formatResult(result));
}
