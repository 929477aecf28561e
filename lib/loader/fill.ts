import { writeEntry } from './cache.js';
import type { Stripped } from './register.js';
import { strip } from './strip.js';

/** Strips `source` of the file `path` and keeps the result for the next process. A cache that cannot be written costs time only. */
export function stripIntoCache(cacheDir: string, path: string, source: Buffer): Stripped {
  const stripped = strip(source.toString('utf8'), path);
  try {
    writeEntry(cacheDir, path, source, stripped);
  } catch {
    // Read-only or full: every process strips for itself, in a child where it measures.
  }
  return stripped;
}
