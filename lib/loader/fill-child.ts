/** Strips one file for a fork that met it first, so that the fork's own heap and code space stay free of the stripper. */
import { readFileSync } from 'node:fs';
import { stripIntoCache } from './fill.js';

const { cacheDir, path } = JSON.parse(readFileSync(0, 'utf8')) as { cacheDir: string; path: string };
try {
  process.stdout.write(JSON.stringify({ stripped: stripIntoCache(cacheDir, path, readFileSync(path)) }));
} catch (error) {
  const { message, stack } = error as Error;
  process.stdout.write(JSON.stringify({ error: message, stack }));
}
