/**
 * The hooks that load TypeScript, and the entry for `node --import`: `register.js?cache=DIR&fill=0|1&late=0|1&plain=1` installs them (also
 * in worker threads, which inherit the flag; `late`: where it takes a thread, only when installLoader is called; `plain`: there not at all); imported without a query
 * it only exports.
 *
 * One file that imports nothing, on purpose: every fork pays for it. A module costs 0.4 ms of CPU at start, an `import` of a `node:` module
 * 0.7 ms where `process.getBuiltinModule` costs next to none (Node 22 to 26); as six files this one cost 7 to 10 ms, now 2.
 */
import type { Loaded } from './loaded.js';

const fs = process.getBuiltinModule('node:fs');
const url = process.getBuiltinModule('node:url');
const path = process.getBuiltinModule('node:path');

/** What the hooks are told. */
export interface HookConfig {
  readonly cacheDir: string;
  /** Strip in this process on a miss (a describing or host process) instead of in a child (a fork that measures). */
  readonly fill: boolean;
}

/** Code ready to run. */
export interface Stripped {
  readonly code: string;
  readonly how: Exclude<Loaded, 'none'>;
}

/** Strips a source that the cache does not have. */
export type Filler = (cacheDir: string, file: string, source: Buffer) => Stripped;

/** Version of @swc/wasm-typescript that writes the cache; entries of another version do not count. */
export const STRIPPER_VERSION = '1.16.2';
/** Version of the entries and of what this loader does around the stripper. */
export const ENTRY_VERSION = 1;

/** 53-bit hash of a path (cyrb53): names the entry, decides nothing. */
function pathHash(text: string): string {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ c, 2654435761);
    h2 = Math.imul(h2 ^ c, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return (4294967296 * (2097151 & h2) + (h1 >>> 0)).toString(36);
}

/** Where the entry of `file` (absolute) is. */
export function entryFile(cacheDir: string, file: string): string {
  return path.join(cacheDir, `${path.basename(file)}-${pathHash(file)}`);
}

/**
 * The cached code for `source`, or null. An entry holds the source it was made from and counts only when that equals the file byte for
 * byte: content decides, without a hash that forks would have to compute (loading node:crypto costs 3 to 5 ms).
 */
export function readEntry(cacheDir: string, file: string, source: Buffer): Stripped | null {
  let entry: Buffer;
  try {
    entry = fs.readFileSync(entryFile(cacheDir, file));
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

/**
 * TypeScript's rule for relative imports: `./x.js` means `./x.ts` where only the latter exists, `./x.mjs` means `./x.mts`.
 * Everything else is resolved by Node alone. Returns the specifier to resolve.
 */
export function typeScriptSpecifier(specifier: string, parentUrl: string | undefined): string {
  if (specifier.charCodeAt(0) !== 46 || !parentUrl?.startsWith('file:')) return specifier;
  const parts = /^(\.{1,2}\/[^?#]*)\.(m?)js([?#].*)?$/.exec(specifier);
  if (!parts) return specifier;
  const exists = (name: string) => fs.existsSync(url.fileURLToPath(new URL(name, parentUrl)));
  const replaced = `${parts[1]}.${parts[2]}ts`;
  if (exists(`${parts[1]}.${parts[2]}js`) || !exists(replaced)) return specifier;
  return replaced + (parts[3] ?? '');
}

/** The file that the URL names when it is TypeScript, else null. */
export function typeScriptPath(href: string): string | null {
  if (!href.startsWith('file:')) return null;
  const query = href.search(/[?#]/);
  const bare = query < 0 ? href : href.slice(0, query);
  return /\.[mc]?tsx?$/.test(bare) ? url.fileURLToPath(bare) : null;
}

/**
 * Code for the TypeScript file.
 * @throws {SyntaxError} With `path:line:column:` in front.
 * @throws {Error} For kinds of files that are not loaded: JSX, CommonJS TypeScript, and TypeScript below node_modules.
 */
export function codeOf(file: string, cacheDir: string, filler: Filler): Stripped {
  if (file.endsWith('x')) throw new Error(`${file}: JSX is not loaded; compile this file first`);
  if (file.endsWith('.cts')) {
    throw new Error(
      `${file}: CommonJS TypeScript is not loaded; use .ts or .mts with import and export, or compile it`,
    );
  }
  if (/[\\/]node_modules[\\/]/.test(file)) {
    // Node refuses it as well, so what would be measured could not run anywhere else.
    throw new Error(
      `${file}: TypeScript below node_modules is not loaded, as in Node itself; benchmark the package's JavaScript`,
    );
  }
  const source = fs.readFileSync(file);
  return readEntry(cacheDir, file, source) ?? filler(cacheDir, file, source);
}

/** The filler for a process: the stripper itself where nothing is measured, else a child process. */
export async function fillerFor(config: HookConfig): Promise<Filler> {
  return config.fill ? (await import('./fill.js')).stripIntoCache : fillInChild;
}

function fillInChild(cacheDir: string, file: string): Stripped {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const script = url.fileURLToPath(new URL('./fill-child.js', import.meta.url));
  const child = spawnSync(process.execPath, [script], {
    input: JSON.stringify({ cacheDir, path: file }),
    encoding: 'utf8',
    env: {},
    maxBuffer: 1024 * 1024 * 1024,
  });
  let answer: { stripped?: Stripped; error?: string; stack?: string };
  try {
    answer = JSON.parse(child.stdout);
  } catch {
    const why = child.error?.message ?? child.stderr.trim().split('\n').slice(-3).join(' | ');
    throw new Error(`${file}: could not be stripped: the child process said: ${why}`);
  }
  if (answer.stripped) return answer.stripped;
  const error = new SyntaxError(answer.error);
  if (answer.stack !== undefined) error.stack = answer.stack;
  throw error;
}

/** Raises the cell that loadedHow reads; the strongest treatment of all files counts. */
export function noteLoaded(cell: Int32Array, how: Stripped['how']): void {
  const rank = how === 'stripped' ? 1 : 2;
  if (cell[0]! < rank) cell[0] = rank;
}

interface Context {
  readonly parentURL?: string;
}
interface Hooks {
  resolve(specifier: string, context: Context, next: (specifier: string, context?: Context) => object): object;
  load(href: string, context: object, next: (href: string, context?: object) => object): object;
}

/** Since Node 22.15; the types here are Node 20's. */
type RegisterHooks = (hooks: Hooks) => void;

/** Makes `import` load TypeScript in this thread, from now on. Synchronous hooks where Node has them, a hooks thread otherwise. */
export async function installHooks(config: HookConfig): Promise<void> {
  const nodeModule = process.getBuiltinModule('node:module');
  const holder = globalThis as unknown as Record<symbol, Int32Array | undefined>;
  // Shared memory, so that hooks on a thread of their own can write it.
  const cell = (holder[Symbol.for('tscope.loader')] ??= new Int32Array(new SharedArrayBuffer(4)));
  const { registerHooks } = nodeModule as { registerHooks?: RegisterHooks };
  if (registerHooks) registerHooks(hooksInThread(config, cell, await fillerFor(config)));
  else nodeModule.register('./thread-hooks.js', import.meta.url, { data: { config, cell } });
}

function hooksInThread(config: HookConfig, cell: Int32Array, filler: Filler): Hooks {
  // Modules of this package are where they say and are what they are: without Node's search and its asynchronous read, the 40 modules of
  // a fork load in two thirds of the time (7 to 14 ms of CPU less on Node 22 to 26).
  const own = new URL('..', import.meta.url).href;
  return {
    resolve(specifier, context, next) {
      const parent = context.parentURL;
      if (specifier.charCodeAt(0) === 46 && parent?.startsWith(own)) {
        return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true };
      }
      return next(typeScriptSpecifier(specifier, parent), context);
    },
    load(href, context, next) {
      if (href.startsWith(own) && href.endsWith('.js')) {
        return { format: 'module', source: fs.readFileSync(url.fileURLToPath(href), 'utf8'), shortCircuit: true };
      }
      const file = typeScriptPath(href);
      if (file === null) return next(href, context);
      const { code, how } = codeOf(file, config.cacheDir, filler);
      noteLoaded(cell, how);
      return { format: 'module', source: code, shortCircuit: true };
    },
  };
}

const query = import.meta.url.indexOf('?');
if (query >= 0) {
  const given = new URLSearchParams(import.meta.url.slice(query));
  const config = { cacheDir: given.get('cache') ?? '', fill: given.get('fill') === '1' };
  const threaded = !('registerHooks' in process.getBuiltinModule('node:module'));
  const holder = globalThis as unknown as Record<symbol, unknown>;
  if (threaded && given.get('plain') === '1') {
    // A hooks thread costs more than the rest of the start, and the file has been seen to need none; see lateTypeScript.
    holder[Symbol.for('tscope.loader.plain')] = true;
  } else if (threaded && given.get('late') === '1') {
    // Every module that comes after a hooks thread goes through it; the engine's own need not.
    holder[Symbol.for('tscope.loader.install')] = () => installHooks(config);
  } else await installHooks(config);
}
