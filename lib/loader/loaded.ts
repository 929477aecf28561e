/** What a fork asks the loader; the hooks themselves are in register.ts. */

const NAMES = ['none', 'stripped', 'transformed'] as const;

/** `none` (JavaScript as written), `stripped` (types blanked, positions kept) or `transformed` (rewritten, with a source map). */
export type Loaded = (typeof NAMES)[number];

/**
 * The strongest treatment that any file loaded so far in this thread got. `file` is the benchmark file: where Node itself stripped it
 * (loader mode `native`), no hook has seen it, and its name tells.
 */
export function loadedHow(file?: string): Loaded {
  const cell = (globalThis as unknown as Record<symbol, Int32Array | undefined>)[Symbol.for('tscope.loader')];
  const rank = cell?.[0] ?? 0;
  if (rank === 0 && file !== undefined && /\.m?ts$/.test(file)) return 'stripped';
  return NAMES[rank]!;
}

/** Completes the loader before the user's file is imported: on Node without synchronous hooks their thread starts only here. */
export async function installLoader(): Promise<void> {
  const holder = globalThis as unknown as Record<symbol, (() => Promise<void>) | undefined>;
  const key = Symbol.for('tscope.loader.install');
  const install = holder[key];
  delete holder[key];
  await install?.();
}

/**
 * What is to be done when `error` is Node's refusal of TypeScript in a process that left the hooks out, as nothing had needed them; null
 * for every other error.
 */
export function lateTypeScript(error: unknown): string | null {
  const plain = (globalThis as unknown as Record<symbol, unknown>)[Symbol.for('tscope.loader.plain')] === true;
  if (!plain || (error as NodeJS.ErrnoException | null)?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') return null;
  if (!/"\.[mc]?tsx?"/.test((error as Error).message)) return null;
  return (
    'when the benchmark file was described it loaded no TypeScript, so on this Node (without module.registerHooks) its forks have no ' +
    'TypeScript loader: import the file at the top of the benchmark file instead of in setup or in a benchmark, or use Node 22.15 or later'
  );
}
