/**
 * Stripped sources on disk. One entry per source path, holding the source it was made from and the code that came out; an entry counts
 * only when that source equals the file byte for byte. So content decides, without a hash that forks would have to compute (loading
 * node:crypto costs 3 to 5 ms of a fork's start), and the cache cannot outgrow the files.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Loaded } from './loaded.js';

/** Version of @swc/wasm-typescript that writes the entries; entries of another version do not count. */
export const STRIPPER_VERSION = '1.16.2';
/** Version of the entry format and of what this loader does around the stripper. */
const ENTRY_VERSION = 1;

/** Code ready to run. */
export interface Stripped {
  readonly code: string;
  readonly how: Exclude<Loaded, 'none'>;
}

/** 53-bit hash of a path (cyrb53): names the entry, decides nothing. */
function pathHash(text: string): string {
  let [h1, h2] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ c, 2654435761);
    h2 = Math.imul(h2 ^ c, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return (4294967296 * (2097151 & h2) + (h1 >>> 0)).toString(36);
}

/** Where the entry of the file at `path` (absolute) is. */
export function entryFile(cacheDir: string, path: string): string {
  return join(cacheDir, `${basename(path)}-${pathHash(path)}`);
}

/** The code for `source`, or null when there is no entry, or one of another source, stripper or length. */
export function readEntry(cacheDir: string, path: string, source: Buffer): Stripped | null {
  let entry: Buffer;
  try {
    entry = readFileSync(entryFile(cacheDir, path));
  } catch {
    return null;
  }
  const end = entry.indexOf(10);
  const fields = entry.toString('latin1', 0, Math.max(end, 0)).split(' ');
  const [name, version, stripper, how, sourceLength, codeLength] = fields;
  if (name !== 'tscope-strip' || version !== `${ENTRY_VERSION}` || stripper !== STRIPPER_VERSION) return null;
  if (how !== 'stripped' && how !== 'transformed') return null;
  const codeAt = end + 1 + Number(sourceLength);
  if (entry.length !== codeAt + Number(codeLength) || !entry.subarray(end + 1, codeAt).equals(source)) return null;
  return { code: entry.toString('utf8', codeAt), how };
}

/** Writes the entry so that a reader sees the old one or the new one. Throws what the file system says. */
export function writeEntry(cacheDir: string, path: string, source: Buffer, stripped: Stripped): void {
  const code = Buffer.from(stripped.code);
  const head = `tscope-strip ${ENTRY_VERSION} ${STRIPPER_VERSION} ${stripped.how} ${source.length} ${code.length}\n`;
  const file = entryFile(cacheDir, path);
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  mkdirSync(cacheDir, { recursive: true });
  try {
    writeFileSync(temporary, Buffer.concat([Buffer.from(head), source, code]));
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
