/**
 * Is time proportional to work? One copy of the body per turn against four, each after a loop with an empty body. What
 * the optimiser folded, hoisted or dropped does not scale, because there is nothing left of it.
 *
 * What is flagged, and what cannot be told apart by time: a body whose cost is that of an empty body. If it returns
 * nothing, or takes no argument (so that all it reads is constant to V8), its work is gone: `eliminated`. If it
 * returns something computed from its arguments, the work passed the barrier and is merely too small to be seen
 * (`({ n }) => n`): `below-floor`. The same is said of one that costs less than the loop and of which three more copies add nothing.
 * A body too long to be inlined is compared with the call of an empty one. If time is there but four copies cost less
 * than twice one, neighbours share work: `not-linear`.
 */
import type { Finding, Linearity } from '../result/model.js';
import { type LoopTarget, makeSyncLoop } from './loops.js';
import type { Session } from './session.js';
import { isTop } from './stages.js';
import type { EngineClock, TierProbe } from './types.js';

/** ns per turn of the loops. */
export interface TurnTimes {
  readonly one: number;
  readonly four: number;
  readonly empty: number;
  readonly emptyFour: number;
  /** A turn with an empty body that is called, not inlined. */
  readonly call: number;
}

/** Turns are timed in chunks of about this long, ns. */
const CHUNK_NS = 20_000;
const ROUNDS = 30;
/** Wall time to let the loops be compiled in, ms. */
const COMPILE_MS = 150;
const COMPILE_BLIND_MS = 60;
/** What is not clear is measured this often. */
const REPEATS = 3;
/** Longer invocations are not checked: the optimiser removes nanoseconds, and time itself shows that there is work. */
export const LINEARITY_MAX_NS = 1_000_000;
/** Work below this, ns, or below this part of an empty turn is none. */
const FLOOR_NS = 0.15;
const FLOOR_PART = 0.2;

interface Timed {
  readonly loop: (n: number) => unknown;
  turns: number;
  readonly times: Float64Array;
}

/** Times the loops in rotation; the lower quartile of each is taken, which interruptions do not reach. */
function timeTurns(clock: EngineClock, loops: readonly Timed[], rounds: number): readonly number[] {
  for (let round = 0; round < rounds; round++) {
    for (const timed of loops) {
      clock.read();
      const start = clock.slot[0]!;
      timed.loop(timed.turns);
      clock.read();
      timed.times[round] = ((clock.slot[0]! - start) * clock.nsPerTick) / timed.turns;
    }
  }
  return loops.map(({ times }) => times.subarray(0, rounds).slice().sort()[rounds >> 2]!);
}

/** Empty bodies whose results are kept like the benchmark's: a heap constant costs a write barrier that undefined does not. */
const CONSTANT = Object.freeze({});
const EMPTY: Readonly<Record<string, () => unknown>> = {
  number: () => 0,
  boolean: () => false,
  undefined: () => undefined,
};
const emptyHeap = () => CONSTANT;

/** The loops of a check. */
export class LinearityCheck {
  readonly #clock: EngineClock;
  readonly #probe: TierProbe;
  readonly #wallMs: () => number;
  readonly #loops: readonly Timed[];
  readonly #functions: readonly unknown[];

  constructor(
    session: Pick<Session, 'sync' | 'shape' | 'target' | 'resultKind' | 'options' | 'surroundings'>,
    surroundings: { readonly clock: EngineClock; readonly tiers: TierProbe; readonly wallMs: () => number },
  ) {
    this.#clock = surroundings.clock;
    this.#probe = surroundings.tiers;
    this.#wallMs = surroundings.wallMs;
    const { target } = session;
    const options = { ...session.options(), shape: 'plain', batch: 1 } as const;
    const nothing: LoopTarget = { ...target, fn: EMPTY[session.resultKind ?? ''] ?? emptyHeap };
    const make = (what: LoopTarget, copies: number, opaque = options.opaque) =>
      makeSyncLoop(what, { ...options, opaque }, session.surroundings, copies);
    const loops = [
      // The loop that is measured is the one to be checked; in sample mode it times itself, and a plain one stands in.
      session.shape === 'plain' ? session.sync! : make(target, 1),
      make(target, 4),
      make(nothing, 1),
      make(nothing, 4),
      make(nothing, 1, true),
    ];
    this.#functions = loops.map(({ loop }) => loop);
    this.#loops = loops.map(({ loop }) => ({ loop, turns: 1, times: new Float64Array(ROUNDS) }));
  }

  /** Runs all of them until they are optimised, then times them. */
  measure(): TurnTimes {
    const begin = this.#wallMs();
    const limit = this.#probe.of ? COMPILE_MS : COMPILE_BLIND_MS;
    do {
      const times = timeTurns(this.#clock, this.#loops, 5);
      for (const [k, timed] of this.#loops.entries()) {
        timed.turns = Math.max(1, Math.min(1 << 20, Math.round(CHUNK_NS / Math.max(0.05, times[k]!))));
      }
      if (this.#probe.of && this.#functions.every((fn) => isTop(this.#probe.of!(fn).tier))) break;
    } while (this.#wallMs() - begin < limit);
    timeTurns(this.#clock, this.#loops, 2);
    const [one, four, empty, emptyFour, call] = timeTurns(this.#clock, this.#loops, ROUNDS);
    return { one: one!, four: four!, empty: empty!, emptyFour: emptyFour!, call: call! };
  }
}

export type LinearityVerdict = 'linear' | 'eliminated' | 'below-floor' | 'not-linear';

/** What is known of a body beside its time. */
export interface BodyFacts {
  /** It returns nothing or takes no argument: nothing of it has to pass the barrier. */
  readonly independent: boolean;
  /** Its text is so long that it is probably called, not inlined. */
  readonly long: boolean;
}

const floorOf = (times: TurnTimes) => Math.max(FLOOR_NS, FLOOR_PART * times.empty);

/** What each of three further copies adds beyond what an empty body adds, ns. */
const addedOf = ({ one, four, empty, emptyFour }: TurnTimes) => (four - one - (emptyFour - empty)) / 3;

/**
 * Beside what a body costs nothing, or null when its work is there: `turn`, an empty body; `copies`, an empty body, as further copies show;
 * `call`, the call of an empty one.
 */
function vanishes(times: TurnTimes, long: boolean): 'turn' | 'copies' | 'call' | null {
  const floor = floorOf(times);
  const one = times.one - times.empty;
  // Four copies are not asked here: they may be too large to be inlined, and then cost four calls of nothing.
  if (one < floor) return 'turn';
  if (long && times.one < times.call + floor) return 'call';
  // A folded string costs its turn, not its copy, a cycle or three more than the empty body: 1.36 against 1.09 ns with
  // one copy, 2.98 against 2.71 with four (V8 12.4).
  return one < times.empty && addedOf(times) < floor ? 'copies' : null;
}

/** Verdict on one measurement. */
export function judgeTurns(
  times: TurnTimes,
  { independent, long }: BodyFacts,
): { verdict: LinearityVerdict; ratio: number | null } {
  if (vanishes(times, long) !== null) return { verdict: independent ? 'eliminated' : 'below-floor', ratio: null };
  const ratio = (times.four - times.emptyFour) / (times.one - times.empty);
  return { verdict: ratio < 2 ? 'not-linear' : 'linear', ratio };
}

/** A body of more text than this is not inlined (V8 inlines up to 460 bytes of bytecode), characters. */
const LONG_TEXT = 800;

/** Facts from the function's text; in doubt it is taken to depend on its arguments. */
export function factsOf(fn: (...args: never[]) => unknown, returnsNothing: boolean): BodyFacts {
  const text = Function.prototype.toString.call(fn);
  return { independent: returnsNothing || takesNothing(fn), long: text.length > LONG_TEXT };
}

/** Does the parameter list of a function show that it takes nothing? False when in doubt. */
export function takesNothing(fn: (...args: never[]) => unknown): boolean {
  if (fn.length > 0) return false;
  const text = Function.prototype.toString.call(fn);
  return /^(?:async\b)?\s*(?:function\b\s*\*?)?\s*[^\s(=]*\s*\(\s*\)/.test(text) && !/\barguments\b/.test(text);
}

const ns = (value: number) => `${value.toFixed(2)} ns`;

/** Work of so many floors is there without a doubt. */
const CLEAR_FLOORS = 4;
const isClear = (times: TurnTimes, facts: BodyFacts) =>
  judgeTurns(times, facts).verdict === 'linear' && times.one - times.empty > CLEAR_FLOORS * floorOf(times);

/** Medians of each time: one disturbed measurement of three moves none of them. */
function medians(measured: readonly TurnTimes[]): TurnTimes {
  const of = (key: keyof TurnTimes) => measured.map((times) => times[key]).sort((a, b) => a - b)[measured.length >> 1]!;
  return { one: of('one'), four: of('four'), empty: of('empty'), emptyFour: of('emptyFour'), call: of('call') };
}

/** Work that is clearly there is believed at once; anything else is measured three times and judged by the medians. */
export function checkLinearity(
  measure: () => TurnTimes,
  facts: BodyFacts,
): { readonly linearity: Linearity; readonly finding: Finding | null; readonly emptyOpNs: number } {
  const measured: TurnTimes[] = [];
  do measured.push(measure());
  while (!isClear(measured.at(-1)!, facts) && measured.length < REPEATS);
  const last = measured.at(-1)!;
  const times = isClear(last, facts) ? last : medians(measured);
  const { verdict, ratio } = judgeTurns(times, facts);
  const linearity: Linearity = {
    ratio,
    oneNs: times.one,
    fourNs: times.four,
    emptyNs: times.empty,
    eliminated: verdict === 'eliminated',
  };
  return {
    linearity,
    finding: verdict === 'linear' ? null : findingOf(verdict, times, ratio, facts.long),
    emptyOpNs: times.empty,
  };
}

function findingOf(
  verdict: Exclude<LinearityVerdict, 'linear'>,
  times: TurnTimes,
  ratio: number | null,
  long: boolean,
): Finding {
  const { one, four, empty, emptyFour, call } = times;
  const data = { oneNs: one, fourNs: four, emptyNs: empty, emptyFourNs: emptyFour, emptyCallNs: call, ratio };
  const beside = {
    turn: `${ns(empty)} without it`,
    copies: `${ns(empty)} without it, and three more bodies add ${ns(Math.max(0, addedOf(times)))} each`,
    call: `${ns(call)} with a call of an empty one`,
  };
  const nothing = beside[vanishes(times, long) ?? 'turn'];
  const seen = `${ns(one)} with the body, ${nothing}`;
  if (verdict === 'eliminated') {
    const message =
      `The optimiser removed the work: a turn of the loop takes ${seen}. ` +
      'Return the result from the benchmark, and take what it is computed from out of the state (setup) or `inputs`: ' +
      'constants and variables captured from the file are known to the optimiser.';
    return { id: 'eliminated', severity: 'error', message, data };
  }
  if (verdict === 'below-floor') {
    const message =
      `The body costs no more than an empty one (a turn takes ${seen}), so its score is the cost of the loop. ` +
      'If it should do work, check that the result depends on the state or `inputs`; ' +
      'if it really is this small, do several per invocation and set opsPerInvocation.';
    return { id: 'below-floor', severity: 'warning', message, data };
  }
  const message =
    `Four invocations in a row cost only ${ratio?.toFixed(1)} times one: neighbouring invocations share work, ` +
    'so the score is that of a loop, not of one call. Let each invocation take its own data from the state or `inputs`.';
  return { id: 'not-linear', severity: 'info', message, data };
}

/** Longer invocations are not folded away unnoticed. */
const NO_INPUT_BELOW_NS = 1000;

/**
 * A body without arguments whose time is there all the same: what it captures may be constant to V8, and part of the
 * work gone. Time cannot tell, so this is said of every such body.
 */
export function noInput(fn: (...args: never[]) => unknown, nsPerInvocation: number): Finding | null {
  if (nsPerInvocation >= NO_INPUT_BELOW_NS || !takesNothing(fn)) return null;
  const message =
    'The benchmark takes nothing from its state or `inputs`. What it reads from the file may be constant to the optimiser, ' +
    'so part of the work may be gone although time is left. Take the data from the first argument (setup returns it).';
  return { id: 'no-input', severity: 'info', message, data: { nsPerInvocation } };
}
