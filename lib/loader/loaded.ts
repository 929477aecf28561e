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
