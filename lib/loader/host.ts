/** The host's side of the loader: where the cache is, what flags a process gets, and TypeScript configuration files. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installHooks } from './register.js';

/** How user files are loaded: `strip` = this loader, `native` = Node's own type stripping, `none` = JavaScript only. */
export type LoaderMode = 'strip' | 'native' | 'none';

/**
 * Folder for stripped sources: `node_modules/.cache/tscope` beside the nearest package.json at or above `cwd`, or a folder of this user
 * under the temporary directory when that cannot be written.
 */
export function defaultCacheDir(cwd: string): string {
  const { root } = parse(cwd);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      const wanted = join(folder, 'node_modules/.cache/tscope');
      if (writable(wanted)) return wanted;
      break;
    }
    if (folder === root) break;
  }
  const user = process.getuid?.() ?? 'user';
  return join(tmpdir(), `tscope-cache-${user}`);
}

function writable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Flags for the node executable of a process that loads user files.
 * @param fill `true` for a process that does not measure: it may strip what the cache lacks by itself. A process that does measure
 *   calls installLoader before it imports user code.
 * @param plain `true` when the user's file has been loaded before and neither it nor what it imports is TypeScript: where the hooks would
 *   take a thread of their own (35 ms of CPU on Node 20), they are left out, and TypeScript that is imported later fails with a sentence.
 */
export function loaderArgs(
  loader: { readonly cacheDir: string; readonly mode: LoaderMode },
  fill: boolean,
  plain = false,
): string[] {
  if (loader.mode !== 'strip') return [];
  const url = new URL('./register.js', import.meta.url);
  url.searchParams.set('cache', loader.cacheDir);
  url.searchParams.set('fill', fill ? '1' : '0');
  url.searchParams.set('late', fill ? '0' : '1');
  if (plain) url.searchParams.set('plain', '1');
  return [`--import=${url.href}`];
}

let installed = false;

/**
 * Imports a JavaScript or TypeScript module into this process, for configuration files.
 * @param url A `file:` URL.
 * @returns The module's namespace.
 * @throws What loading throws; for syntax errors in TypeScript a SyntaxError with `path:line:column:` in front.
 */
export async function importTs(url: string | URL, cacheDir?: string): Promise<Record<string, unknown>> {
  const { href } = new URL(url);
  if (/\.[mc]?tsx?$/.test(new URL(href).pathname) && !installed) {
    await installHooks({ cacheDir: cacheDir ?? defaultCacheDir(dirname(fileURLToPath(href))), fill: true });
    installed = true;
  }
  return (await import(href)) as Record<string, unknown>;
}
