/** How the user's TypeScript was loaded in this process; the hooks of register.ts keep book. */

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
