import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { UsageError } from './usage-error.js';

/** Benchmark files that are looked for when a folder, or nothing, is named. */
export const DEFAULT_PATTERN = '**/*.bench.{ts,mts,js,mjs}';
const IGNORED = ['**/node_modules/**', '**/.git/**', '**/.tscope/**'];

/** A file to run: where it is and how results name it. */
export interface BenchmarkFile {
  /** Absolute path. */
  readonly file: string;
  /** Relative to the working directory where it lies below it, else absolute; with `/`. */
  readonly label: string;
}

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const stat = statSync(path);
    return stat.isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

const search = (pattern: string, cwd: string) =>
  globSync(pattern, { cwd, absolute: true, ignore: IGNORED, expandDirectories: false });

/** Below the working directory the relative path names a file best, elsewhere the whole one. */
export function labelOf(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

/**
 * Finds benchmark files.
 *
 * @param inputs Files (any name), folders (searched for {@link DEFAULT_PATTERN}) or globs; none = the working directory.
 * @returns Files sorted by path within each input, each once.
 * @throws UsageError naming the input that leads to no file.
 */
export function discover(inputs: readonly string[], cwd: string): BenchmarkFile[] {
  const found = new Set<string>();
  for (const input of inputs.length > 0 ? inputs : ['.']) {
    // It would resolve to the working directory: an unset variable of a script would measure everything.
    if (input.trim() === '') throw new UsageError('an empty text names no file, folder or pattern.');
    const path = resolve(cwd, input);
    const kind = kindOf(path);
    if (kind === 'file') {
      found.add(path);
      continue;
    }
    if (kind === null && !isDynamicPattern(input)) throw new UsageError(`${input}: no such file or folder.`);
    const files = (kind === 'folder' ? search(DEFAULT_PATTERN, path) : search(input, cwd)).sort();
    if (files.length === 0) {
      throw new UsageError(
        kind === 'folder'
          ? `${input}: no benchmark files (${DEFAULT_PATTERN}) in this folder; name a file, or create one with a default export of suite(...).`
          : `${input}: no file matches this pattern.`,
      );
    }
    for (const file of files) found.add(resolve(file));
  }
  return [...found].map((file) => ({ file, label: labelOf(file, cwd) }));
}
