/**
 * The measured loops, generated as text so that each benchmark, mode and result kind gets a function of its own:
 * type feedback is never shared, and a benchmark cannot slow another one down.
 *
 * Nothing the benchmark gets is loop-invariant to V8: state, harness and input are read as `S[i & m]` with an `m` that
 * is 0 but is read from memory at run time. A loop-invariant input is enough for V8 to hoist a pure body out of the
 * loop, whatever is done with its result (measured on V8 11.3 to 14.6). Numbers are stored to a typed array (no
 * boxing), everything else to a variable of the enclosing function; a typed array would call ToNumber on them.
 */
import type { Histogram } from '../histogram/histogram.js';
import { LOOP_ARGUMENTS, type LoopOptions, laneSource, shotSource, syncSource } from './loop-source.js';
import type { EngineClock } from './types.js';

/** Memory shared by a loop and the engine. */
export interface LoopCells {
  /** Zeros that the compiler does not know to be zero: one per copy for the state (from 0) and the harness (from 32), one for the function (63). */
  readonly masks: Int32Array;
  /** Where numbers go, one slot per copy of the body. */
  readonly numbers: Float64Array;
  /** [next input]. */
  readonly walk: Int32Array;
  /** [ticks inside invocations of the chunk (timed), ticks in samples, samples, gaps are random below this (sample), samples are not kept when not 0]. */
  readonly spent: Float64Array;
  /** [state of the random gaps], never 0. */
  readonly random: Int32Array;
}

export function loopCells(seed = 1): LoopCells {
  return {
    masks: new Int32Array(64),
    numbers: new Float64Array(64),
    walk: new Int32Array(4),
    spent: new Float64Array(8),
    random: new Int32Array([seed | 0 || 0x2545f491]),
  };
}

/** What a loop is generated for. */
export interface LoopTarget {
  readonly fn: (...args: never[]) => unknown;
  readonly state: unknown;
  readonly harness: unknown;
  /** Prepared inputs, walked one per invocation; null when the suite has none. At least one element. */
  readonly inputs: readonly unknown[] | null;
  readonly params: unknown;
  readonly before: ((state: unknown, params: unknown) => unknown) | null;
  readonly after: ((state: unknown, params: unknown) => unknown) | null;
}

/** A generated synchronous loop. */
export interface SyncLoop {
  /** Invokes the benchmark `n` times (sample: until n samples); returns the number of invocations. */
  readonly loop: (n: number) => number;
  /** Last result that was no number (of the `other` kind: last result), and how many such results a `number` loop saw. */
  readonly last: () => unknown;
  readonly odd: () => number;
  /** Forgets the last result, so that it can be collected. */
  readonly clear: () => void;
}

/** A generated asynchronous loop. */
export interface LaneLoop {
  /** The function that each lane runs: what V8 optimises, and inlines the benchmark into. */
  readonly lane: () => Promise<void>;
  /**
   * Runs the lanes until `boundary` returns 0. It is called after every `n` completions and returns the next n.
   * Resolves when all lanes have ended; what was in flight at the end is awaited but not counted.
   */
  readonly run: (lanes: number, n: number, boundary: () => number) => Promise<void>;
  readonly last: () => unknown;
  readonly clear: () => void;
  /** As if it had never run: begins at the input that it began at. */
  readonly forget: () => void;
}

/** A generated single shot. */
export interface ShotLoop {
  /** Start since the clock's base and duration of `n` invocations, ticks. */
  readonly shot: (n: number) => Promise<{ readonly start: number; readonly took: number }>;
  readonly last: () => unknown;
  /** Results so far that were promises, and that were not. */
  readonly promises: () => number;
  readonly others: () => number;
  readonly clear: () => void;
  /** As if it had never run: nothing was counted. */
  readonly forget: () => void;
}

/** What every generated function gets beside its target. */
export interface LoopSurroundings {
  readonly cells: LoopCells;
  readonly clock: EngineClock;
  readonly histogram: Histogram | null;
}

/** Thrown when a benchmark that returned promises returned something else. */
export class NotAPromiseError extends Error {
  override readonly name = 'NotAPromiseError';
}

const refuse = (value: unknown) => {
  throw new NotAPromiseError(`it returned ${value === null ? 'null' : typeof value} after it had returned promises`);
};

/** Functions that an opaque call site has seen before the benchmark: two different ones end V8's guessing. */
const STRANGERS: readonly (() => unknown)[] = [() => 0, () => undefined, () => 'x', () => ({}), () => null];
/** The same for a site whose results are awaited; each a literal of its own, since closures of one literal count as one. */
const ASYNC_STRANGERS: readonly (() => Promise<unknown>)[] = [
  async () => 0,
  async () => undefined,
  async () => 'x',
  async () => ({}),
  async () => null,
];

/** Calls of each stranger, at least so many turns: V8 collects no feedback in the first calls of a function. */
const STRANGER_CALLS = 1000;
const STRANGER_TURNS = 20;
/** In sample mode both call sites, of the gap and of the sample, must be passed. */
const STRANGER_GAPS = 5;

/** The cell where a loop finds its function, and whether its fixtures are called. */
interface CallSite {
  readonly fns: unknown[];
  open: boolean;
}

const callSite = (target: LoopTarget): CallSite => ({ fns: varying(target.fn), open: true });

function generate<T>(
  source: string,
  target: LoopTarget,
  site: CallSite,
  opaque: boolean,
  { cells, clock, histogram }: LoopSurroundings,
): T {
  const make = new Function(...LOOP_ARGUMENTS, source);
  const states = varying(target.state);
  const harnesses = varying(target.harness);
  const { inputs, params } = target;
  // Strangers come without the user's fixtures.
  const gated = (fixture: LoopTarget['before']): LoopTarget['before'] =>
    fixture && opaque ? (state, values) => (site.open ? fixture(state, values) : undefined) : fixture;
  const [before, after] = [gated(target.before), gated(target.after)];
  return make(site.fns, states, harnesses, inputs, params, before, after, cells, clock, histogram, refuse) as T;
}

/** Nothing that the strangers do is kept: no sample, no step through the inputs. Returns what ends that and lets the benchmark in. */
function admit(site: CallSite, { fn }: LoopTarget, { walk, spent }: LoopCells): () => void {
  const kept = [walk[0]!, spent[3]!, spent[4]!] as const;
  spent[3] = STRANGER_GAPS;
  spent[4] = 1;
  site.open = false;
  return () => {
    [walk[0], spent[3], spent[4]] = kept;
    site.open = true;
    site.fns[0] = fn;
  };
}

const turnsFor = ({ batch }: LoopOptions) => Math.max(STRANGER_TURNS, Math.floor(STRANGER_CALLS / batch));

async function passAwaited(
  site: CallSite,
  target: LoopTarget,
  cells: LoopCells,
  strangers: readonly (() => unknown)[],
  pass: () => Promise<unknown>,
): Promise<void> {
  const end = admit(site, target, cells);
  for (const stranger of [...strangers, ...strangers]) {
    site.fns[0] = stranger;
    await pass();
  }
  end();
}

/** Generates a loop. `copies` bodies per turn count as one turn each. */
export function makeSyncLoop(
  target: LoopTarget,
  options: LoopOptions,
  surroundings: LoopSurroundings,
  copies = 1,
): SyncLoop {
  const site = callSite(target);
  const made = generate<SyncLoop>(syncSource(copies, options), target, site, options.opaque, surroundings);
  if (!options.opaque) return made;
  const end = admit(site, target, surroundings.cells);
  for (const stranger of [...STRANGERS, ...STRANGERS]) {
    site.fns[0] = stranger;
    made.loop(turnsFor(options));
  }
  end();
  return made;
}

/** Generates the lanes for a target. `strict`: every result must be a promise. */
export async function makeLaneLoop(
  target: LoopTarget,
  options: LoopOptions,
  surroundings: LoopSurroundings,
  strict: boolean,
): Promise<LaneLoop> {
  const site = callSite(target);
  const made = generate<LaneLoop>(laneSource(options, strict), target, site, options.opaque, surroundings);
  if (!options.opaque) return made;
  const strangers = strict ? ASYNC_STRANGERS : STRANGERS;
  await passAwaited(site, target, surroundings.cells, strangers, () => made.run(1, turnsFor(options), () => 0));
  made.forget();
  return made;
}

/** Generates a single shot. Opaque, its loop is warm at the first shot; the benchmark is not. */
export async function makeShotLoop(
  target: LoopTarget,
  options: LoopOptions,
  surroundings: LoopSurroundings,
): Promise<ShotLoop> {
  const site = callSite(target);
  const made = generate<ShotLoop>(shotSource(options), target, site, options.opaque, surroundings);
  if (!options.opaque) return made;
  const strangers = [...STRANGERS, ...ASYNC_STRANGERS];
  await passAwaited(site, target, surroundings.cells, strangers, () => made.shot(STRANGER_CALLS));
  made.forget();
  return made;
}

/** A one-element array that V8 must take for changeable: it has held different kinds of values. */
export function varying(value: unknown): unknown[] {
  const array: unknown[] = [null, {}];
  array.pop();
  array[0] = value;
  return array;
}
