import type { ClockSurface } from '../native/surface/clock.js';

/** How JavaScript gets at the counter, cheapest last. */
export type ReadPath = 'js' | 'napi' | 'v8-fast' | 'ffi';

export interface Reads {
  readonly read: () => void;
  readonly readOrdered: () => void;
}

/** The path in use and what became of the others. */
export interface PathInfo {
  readonly path: ReadPath;
  /** Accelerated paths that were tried and not taken, each with the reason; empty unless `TSCOPE_FAST_CALLS=1`. */
  readonly refused: readonly { readonly path: ReadPath; readonly reason: string }[];
}

/** The part of `node:ffi` (Node 26.1 and later, experimental) that is used here. */
interface Ffi {
  readonly DynamicLibrary: new (
    path: string,
  ) => { getFunction(name: string, signature: { readonly return: string; readonly arguments: string[] }): () => void };
}

/** What choosing needs to know of the process; passed in so that tests can lie. */
export interface Host {
  readonly enabled: boolean;
  /** Electron and others patch V8 or hide it. */
  readonly plainNode: boolean;
  readonly addonPath: string | null;
  /** Loads node:ffi; undefined where it does not exist, throws where it is forbidden. */
  ffi(): Ffi | undefined;
}

export const processHost = (addonPath: string | null): Host => ({
  enabled: process.env.TSCOPE_FAST_CALLS === '1',
  plainNode: process.release?.name === 'node' && process.versions.electron === undefined,
  addonPath,
  ffi() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    if (major < 26 || (major === 26 && minor < 1)) return undefined;
    return process.getBuiltinModule?.('node:ffi' as 'node:fs') as unknown as Ffi | undefined;
  },
});

/** Calls per batch of the self-test, and how long the optimiser gets (it took up to 70 ms here). */
const BATCH = 10_000;
const PATIENCE_NS = 150_000_000n;
const SLOW_COUNT = 7;

/**
 * The cheapest reads that pass the self-test: node:ffi, else a V8 fast call, else `base` (plain Node-API). Accelerated paths
 * are off unless asked for, because both rest on interfaces that Node does not promise.
 */
export function chooseReads(
  surface: ClockSurface,
  slot: Float64Array,
  base: Reads,
  host: Host,
): { readonly reads: Reads; readonly info: PathInfo } {
  const refused: { path: ReadPath; reason: string }[] = [];
  const plain = () => ({ reads: base, info: { path: 'napi' as const, refused } });
  if (!host.enabled) return plain();
  if (!host.plainNode) {
    refused.push({ path: 'v8-fast', reason: 'this is not a plain Node.js' });
    return plain();
  }
  const fast = surface.openFast(slot);
  const ffi = fast.claimed ? ffiReads(host) : (fast.reason ?? 'not claimed');
  for (const [path, reads] of [
    ['ffi', ffi],
    ['v8-fast', fast.read && fast.readOrdered ? { read: fast.read, readOrdered: fast.readOrdered } : fast.reason],
  ] as const) {
    const reason =
      typeof reads === 'object' && reads !== null ? selfTest(slot, base, reads, path === 'v8-fast') : String(reads);
    if (reason === null) return { reads: reads as Reads, info: { path, refused } };
    refused.push({ path, reason });
  }
  return plain();
}

function ffiReads(host: Host): Reads | string {
  try {
    const ffi = host.ffi();
    if (!ffi) return 'this Node has no node:ffi (26.1 and later)';
    if (!host.addonPath) return 'the path of the addon is unknown';
    const library = new ffi.DynamicLibrary(host.addonPath);
    const signature = { return: 'void', arguments: [] };
    return {
      read: library.getFunction('tscope_read', signature),
      readOrdered: library.getFunction('tscope_read_ordered', signature),
    };
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
}

/**
 * Null if `reads` may be used: they move, never go back, lie between two base reads, and (where slow calls are counted) the
 * optimiser really takes the fast twin.
 */
function selfTest(slot: Float64Array, base: Reads, reads: Reads, counted: boolean): string | null {
  for (const read of [reads.read, reads.readOrdered]) {
    for (let i = 0; i < 1000; i++) {
      base.readOrdered();
      const before = slot[0]!;
      slot[0] = -1;
      read();
      const inside = slot[0]!;
      base.readOrdered();
      if (!(inside >= before && inside <= slot[0]!)) return 'its reads do not lie between two plain ones';
    }
  }
  return counted ? fastTaken(slot, reads.read) : null;
}

/** Runs `read` until a whole batch makes no slow call; a sentence if that does not happen in time. */
function fastTaken(slot: Float64Array, read: () => void): string | null {
  const deadline = process.hrtime.bigint() + PATIENCE_NS;
  do {
    const slow = slot[SLOW_COUNT]!;
    for (let i = 0; i < BATCH; i++) read();
    if (slot[SLOW_COUNT] === slow) return null;
  } while (process.hrtime.bigint() < deadline);
  return 'the optimiser did not take the fast call in 150 ms';
}
