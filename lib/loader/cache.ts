/** Writing the cache of stripped sources; register.ts reads it. One entry per source path, so it cannot outgrow the files. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { ENTRY_VERSION, entryFile, STRIPPER_VERSION, type Stripped } from './register.js';

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
