/** Watches benchmark files: forks of one trial must all measure the same code. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Sources {
  /** Why `file` is not what the run began with, as a sentence; null when it is. */
  changed(file: string): string | null;
}

/** SHA-256 of each file. Throws when one cannot be read. */
export function hashSources(files: Iterable<string>): Record<string, string> {
  return Object.fromEntries([...new Set(files)].map((file) => [file, hashFile(file)]));
}

function hashFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Compares files with `hashes`; a file not among them is not watched. */
export function watchSources(hashes: Readonly<Record<string, string>>): Sources {
  return {
    changed(file) {
      const before = hashes[file];
      if (before === undefined) return null;
      try {
        if (hashFile(file) === before) return null;
      } catch (error) {
        return `the file cannot be read any more (${(error as Error).message}); start a new run`;
      }
      return 'the file was edited after the run began, so this fork would measure other code than the ones before; start a new run';
    },
  };
}
