/** How the user's TypeScript was loaded in this process: kept where the hooks can reach it, also from their own thread on Node 20. */

const KEY = Symbol.for('tscope.loader');
const NAMES = ['none', 'stripped', 'transformed'] as const;

/** `none` (JavaScript as written), `stripped` (types blanked, positions kept) or `transformed` (rewritten, with a source map). */
export type Loaded = (typeof NAMES)[number];

/** The cell that hooks raise; shared memory, so that hooks on another thread can write it. */
export function loadedCell(): Int32Array<SharedArrayBuffer> {
  const holder = globalThis as { [KEY]?: Int32Array<SharedArrayBuffer> };
  return (holder[KEY] ??= new Int32Array(new SharedArrayBuffer(4)));
}

/** Notes that one file was loaded like `how`; the strongest of all files counts. */
export function noteLoaded(cell: Int32Array, how: Loaded): void {
  const rank = NAMES.indexOf(how);
  if (cell[0]! < rank) cell[0] = rank;
}

/**
 * The strongest treatment that any file loaded so far in this thread got. `file` is the benchmark file: where Node itself stripped it
 * (loader mode `native`), no hook has seen it, and its name tells.
 */
export function loadedHow(file?: string): Loaded {
  const rank = loadedCell()[0]!;
  if (rank === 0 && file !== undefined && /\.m?ts$/.test(file)) return 'stripped';
  return NAMES[rank]!;
}
