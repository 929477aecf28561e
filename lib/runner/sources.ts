/** Watches benchmark files and what they import: forks of one trial must all measure the same code. */
import { createHash } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { importedFiles } from './imports.js';

export interface Sources {
  /** Why `file`, or a file that it imports, is not what the run began with, as a sentence; null when all is as it was. */
  changed(file: string): string | null;
}

/** SHA-256 of each benchmark file and of every file of the user that it imports. Throws when a benchmark file cannot be read. */
export function hashSources(files: Iterable<string>): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const file of new Set(files)) {
    hashes[file] = hashFile(file);
    for (const imported of importedFiles(file)) hashes[imported] ??= hashFile(imported);
  }
  return hashes;
}

/**
 * One hash of a benchmark file and of every file of the user that it imports, directly and through others: it changes when the code under test does.
 *
 * Contents in the order in which they are found, without paths: a checkout elsewhere has the same. Throws when a file cannot be read.
 */
export function digestSources(file: string): string {
  const hashes = [file, ...importedFiles(file)].map(hashFile);
  return createHash('sha256').update(hashes.join('\n')).digest('hex');
}

function hashFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Differs when a file was written; content is read only then. */
const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats) => `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** Compares files with `hashes`; a benchmark file not among them is not watched. */
export function watchSources(hashes: Readonly<Record<string, string>>): Sources {
  const imports = new Map<string, readonly string[]>();
  /** Stamps under which the content was the one of the beginning. */
  const stamps = new Map<string, string>();

  /** The beginning of a sentence, or null. */
  function problemOf(file: string, name: string): string | null {
    try {
      const stamp = stampOf(statSync(file, { bigint: true }));
      if (stamps.get(file) === stamp) return null;
      if (hashFile(file) !== hashes[file]) return `${name} was edited after the run began`;
      stamps.set(file, stamp);
      return null;
    } catch (error) {
      return `${name} cannot be read any more (${(error as Error).message})`;
    }
  }

  return {
    changed(file) {
      if (hashes[file] === undefined) return null;
      let problem = problemOf(file, 'the file');
      if (problem === null) {
        if (!imports.has(file)) imports.set(file, importedFiles(file));
        for (const imported of imports.get(file)!) {
          problem ??= problemOf(imported, `${imported}, which the file imports,`);
        }
      }
      return problem === null
        ? null
        : `${problem}, so this fork would measure other code than the ones before; start a new run`;
    },
  };
}
