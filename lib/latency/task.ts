import type { LatencyEvent } from '../suite/latency.js';
import type { RunRecorder } from './recorder.js';

/** The clock of a driver: ns on any base; the same one for everything in a fork. */
export interface DriverClock {
  now(): number;
  /** Writes ticks into `slot[0]`: for loops, which must not allocate a number per look. `now()` is `slot[0] * nsPerTick` after a read. */
  readonly read: () => void;
  readonly slot: Float64Array;
  readonly nsPerTick: number;
}

/** What runs once per event. */
export type Task = (state: unknown, event: LatencyEvent<unknown, string>) => unknown;

/** Things that both drivers need. */
export interface DriverContext {
  readonly clock: DriverClock;
  readonly state: unknown;
  readonly inputs: readonly unknown[] | null;
  readonly run: Task;
  /** True once somebody wants the run to end; looked at before each event and while waiting. */
  readonly stopped: () => boolean;
}

/** Why a run ended before its plan did. */
export interface RunFailure {
  readonly seq: number;
  readonly error: unknown;
  /** The promise that a task returned where none can be waited for. */
  readonly promise?: unknown;
}

export interface RunEnd {
  /** Every event of the plan had its turn. */
  readonly complete: boolean;
  readonly failure: RunFailure | null;
}

export type ProbeFunctions = Readonly<Record<string, (ns: number) => void>>;

/** One function per probe that records into the current recorder; `target` is switched between warm-up and runs. */
export function probeFunctions(names: readonly string[], target: { recorder: RunRecorder }): ProbeFunctions {
  // A typo in JavaScript (`event.probe.pares(1)`) gets the list of names instead of "is not a function". The trap sits on the prototype, so
  // that declared probes never meet it.
  const unknown = new Proxy(Object.create(null), {
    get(_, key) {
      if (typeof key === 'symbol') return undefined;
      throw new TypeError(
        `probe "${key}" is not declared; declared are: ${names.length > 0 ? names.join(', ') : 'none'}`,
      );
    },
  });
  const functions = Object.create(unknown) as Record<string, (ns: number) => void>;
  for (const name of names) {
    functions[name] = (ns) => target.recorder.probes[name]!.record(ns);
  }
  return functions;
}

/** Checks a time that a task hands over. */
export function checkNs(what: string, ns: unknown): number {
  if (typeof ns !== 'number' || !(ns >= 0) || ns > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`${what}: must be ns from 0 to 2^53-1, not ${String(ns)}`);
  }
  return ns;
}
