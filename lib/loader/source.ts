/** From a TypeScript file to code, through the cache. Shared by the hooks on either thread; imports nothing heavy. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readEntry, type Stripped } from './cache.js';

/** What the hooks are told, in the query of the `--import` URL. */
export interface HookConfig {
  readonly cacheDir: string;
  /** Strip in this process on a miss (a describing or host process) instead of in a child (a fork that measures). */
  readonly fill: boolean;
}

/** Strips and writes the cache. */
export type Filler = (cacheDir: string, path: string, source: Buffer) => Stripped;

/** The filler for a process: the stripper itself where nothing is measured, else a child process. */
export async function fillerFor(config: HookConfig): Promise<Filler> {
  return config.fill ? (await import('./fill.js')).stripIntoCache : fillInChild;
}

/** The file `url` names when it is TypeScript, else null. */
export function typeScriptPath(url: string): string | null {
  if (!url.startsWith('file:')) return null;
  const query = url.search(/[?#]/);
  const bare = query < 0 ? url : url.slice(0, query);
  return /\.[mc]?tsx?$/.test(bare) ? fileURLToPath(bare) : null;
}

/**
 * Code for the TypeScript file at `path`.
 * @throws {SyntaxError} With `path:line:column:` in front.
 * @throws {Error} For kinds of files that are not loaded: JSX, CommonJS TypeScript, and TypeScript below node_modules.
 */
export function codeOf(path: string, cacheDir: string, filler: Filler): Stripped {
  if (path.endsWith('x')) throw new Error(`${path}: JSX is not loaded; compile this file first`);
  if (path.endsWith('.cts')) {
    throw new Error(
      `${path}: CommonJS TypeScript is not loaded; use .ts or .mts with import and export, or compile it`,
    );
  }
  if (/[\\/]node_modules[\\/]/.test(path)) {
    // Node refuses it as well, so what would be measured could not run anywhere else.
    throw new Error(
      `${path}: TypeScript below node_modules is not loaded, as in Node itself; benchmark the package's JavaScript`,
    );
  }
  const source = readFileSync(path);
  return readEntry(cacheDir, path, source) ?? filler(cacheDir, path, source);
}

function fillInChild(cacheDir: string, path: string): Stripped {
  // getBuiltinModule, because a fork with a warm cache must not pay for loading child_process.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const child = spawnSync(process.execPath, [fileURLToPath(new URL('./fill-child.js', import.meta.url))], {
    input: JSON.stringify({ cacheDir, path }),
    encoding: 'utf8',
    env: {},
    maxBuffer: 1024 * 1024 * 1024,
  });
  let answer: { stripped?: Stripped; error?: string; stack?: string };
  try {
    answer = JSON.parse(child.stdout);
  } catch {
    const why = child.error?.message ?? child.stderr.trim().split('\n').slice(-3).join(' | ');
    throw new Error(`${path}: could not be stripped: the child process said: ${why}`);
  }
  if (answer.stripped) return answer.stripped;
  const error = new SyntaxError(answer.error);
  if (answer.stack !== undefined) error.stack = answer.stack;
  throw error;
}
