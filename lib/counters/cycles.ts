import { checkKeys } from '../native/check-keys.js';
import { type Outcome, withoutAddon } from '../native/outcome.js';
import type { CountersSurface, CyclesHandle } from '../native/surface/counters.js';
import { surface, surfaceReason } from './addon.js';
import { refusalOf } from './refusals.js';

/**
 * Where cycles come from. `perf`: counted by the PMU for this thread in user mode. `rdpru`: the core's own counter on AMD CPUs, of
 * whatever ran there. `estimated`: elapsed time times a frequency measured before and after with a chain of
 * instructions of known latency (x64: 32-bit multiplication, 3 cycles; arm64: addition, 1).
 */
export type CycleSource = 'perf' | 'rdpru' | 'estimated';
/** Best first. */
export const SOURCES = ['perf', 'rdpru', 'estimated'] as const;

/** Which sources of cycles may be tried. */
export interface CycleOptions {
  /** Only this one; default: the first of perf, rdpru, estimated that can be had. */
  source?: CycleSource;
  /** Allow rdpru where the CPU does not advertise it, if it works in a child process (6 to 14 ms). Default false. */
  probe?: boolean;
}

const KEYS: ReadonlySet<string> = new Set(['source', 'probe'] satisfies (keyof CycleOptions)[]);

/** Cycles of one section, with where they come from and whether they can be trusted. */
export interface CycleReading {
  /** Cycles of the section; null when the source gave none. */
  cycles: number | null;
  /** Cycles per ns of elapsed time; with `estimated` the measured frequency. */
  ghz: number | null;
  source: CycleSource;
  /**
   * Can the number be trusted? Not when the thread was switched out or moved to another CPU (rdpru, estimated), when the
   * frequency changed by more than 2 % (estimated), or when the counter was never on the PMU (perf).
   */
  valid: boolean;
}

/**
 * A counter of cycles for the calling thread. `skipped` of the result says why each better source is not used.
 * @throws TypeError for an unknown source or option.
 */
export function openCycles(
  options: CycleOptions = {},
): Outcome<{ cycles: Cycles; skipped: { source: CycleSource; reason: string }[] }> {
  checkKeys('cycles', options, KEYS, "{ source: 'perf' }");
  const { source: only, probe = false } = options;
  if (only !== undefined && !SOURCES.includes(only)) {
    throw new TypeError(`cycles: there is no source ${JSON.stringify(only)}; use ${SOURCES.join(', ')}`);
  }
  const native = surface();
  if (!native) return withoutAddon('cycles', surfaceReason());
  const skipped: { source: CycleSource; reason: string }[] = [];
  let errno = 0;
  for (const source of only ? [only] : SOURCES) {
    const tried = tryCycles(native, source, probe);
    if (tried.cycles) return { ok: true, cycles: tried.cycles, skipped };
    errno = tried.errno;
    skipped.push({ source, reason: tried.reason });
  }
  const reason = skipped.map((one) => `${one.source}: ${one.reason}`).join('; ');
  return { ...refusalOf(errno, 'cycles'), message: `cycles: no source (${reason})` };
}

/** One source: opened, or why not. */
export function tryCycles(
  native: CountersSurface,
  source: CycleSource,
  probe: boolean,
): { cycles: Cycles } | { cycles: null; errno: number; reason: string } {
  const works = source === 'rdpru' && probe && !native.rdpruAdvertised() && native.probeRdpru();
  const { handle, error } = native.openCycles(SOURCES.indexOf(source), works);
  if (handle) return { cycles: new Cycles(native, handle, source) };
  return { cycles: null, errno: error, reason: why(source, error, probe) };
}

/** GHz of the calling thread's core right now, from the chain of known latency (about 150 us); null where none is known. */
export function measureGhz(): number | null {
  const ghz = surface()?.measureGhz() ?? Number.NaN;
  return Number.isNaN(ghz) ? null : ghz;
}

/** An open counter of cycles. Sections do not nest. */
export class Cycles {
  /** Where the cycles come from. */
  readonly source: CycleSource;
  readonly #native: CountersSurface;
  #handle: CyclesHandle | null;
  #begun = false;

  /** Use {@link openCycles}. */
  constructor(native: CountersSurface, handle: CyclesHandle, source: CycleSource) {
    this.#native = native;
    this.#handle = handle;
    this.source = source;
  }

  /** Starts a section. With `estimated` it measures the frequency first (about 150 us). @throws TypeError when closed. */
  begin(): void {
    const errno = this.#native.beginCycles(this.#open());
    if (errno !== 0) throw new Error(refusalOf(errno, 'cycles: cannot be read').message);
    this.#begun = true;
  }

  /** Ends the section. @throws TypeError when closed; Error when none was begun. */
  end(): CycleReading {
    const raw = this.#native.endCycles(this.#open());
    if (!this.#begun) throw new Error('cycles: end() before begin()');
    this.#begun = false;
    if (typeof raw === 'number') throw new Error(refusalOf(raw, 'cycles: cannot be read').message);
    const finite = (value: number) => (Number.isFinite(value) ? value : null);
    return { cycles: finite(raw.cycles), ghz: finite(raw.ghz), source: this.source, valid: raw.valid };
  }

  /** More than once is no error. */
  close(): void {
    if (this.#handle) this.#native.closeCycles(this.#handle);
    this.#handle = null;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #open(): CyclesHandle {
    if (!this.#handle) throw new TypeError('cycles: this counter is closed; open a new one');
    return this.#handle;
  }
}

function why(source: CycleSource, errno: number, probe: boolean): string {
  if (source === 'rdpru') {
    return probe
      ? 'the CPU does not execute rdpru here'
      : 'the CPU does not advertise rdpru (probe: true would try it)';
  }
  if (source === 'estimated') return 'no instruction of known latency on this architecture';
  const { code, hint } = refusalOf(errno, 'perf');
  return `${code}: ${hint}`;
}
