/** What a benchmark gets as its second argument. */

import type { Blackhole, Control, Harness, ThreadInfo } from '../suite/types.js';
import { PhaseError } from './failure.js';

/** Asked beside the hole, so that users see nothing but what they may call. */
const usedBy = new WeakMap<Blackhole, () => boolean>();

/**
 * Makes a black hole. Numbers go to a typed array, everything else to an ordinary array: stores to elements are not
 * merged or dropped by V8 when another follows, as stores to one variable can be. consumeCPU carries dead code, which
 * makes it too large to be inlined: inlined into a caller of a lower tier its token cost five times as much (V8 14.6).
 */
export function makeBlackhole(): Blackhole {
  // Generated, so that no other fork-local user of the class shares its feedback.
  const make = new Function(
    'refuse',
    `'use strict';
    const numbers = new Float64Array(8);
    const others = [numbers, {}, 'x', 1.5];
    const seed = new Int32Array([0x2545f491, 0, 0, 0]);
    numbers[0] = NaN;
    const used = () => numbers[0] === numbers[0] || others[0] !== numbers || seed[0] !== 0x2545f491;
    const hole = {
      consume(value) {
        if (typeof value === 'number') numbers[0] = value;
        else others[0] = value;
      },
      consumeCPU(tokens) {
        if (!(tokens >= 0 && tokens <= 9007199254740991)) { ${'seed[1] = seed[2] ^ seed[3];'.repeat(40)} refuse(tokens); }
        let x = seed[0];
        for (let i = tokens; i > 0; i--) x = (Math.imul(x, 1664525) + 1013904223) | 0;
        seed[0] = x;
      },
    };
    return { hole, used };`,
  );
  const { hole, used } = make((tokens: unknown) => {
    throw new RangeError(`blackhole.consumeCPU: tokens must be a number of at least 0, not ${String(tokens)}`);
  }) as { hole: Blackhole; used: () => boolean };
  usedBy.set(hole, used);
  return hole;
}

/** Has anything been handed to this black hole? What a benchmark gives it is used as a result is. */
export const hasConsumed = (hole: Blackhole): boolean => usedBy.get(hole)?.() === true;

/** Flags behind {@link Control}: [start, stop]. Atomic reads, so that a spin loop cannot keep an old value in a register. */
export class SharedControl implements Control {
  readonly #flags: Int32Array;
  constructor(flags: Int32Array = new Int32Array(new SharedArrayBuffer(8))) {
    this.#flags = flags;
  }
  get start(): boolean {
    return Atomics.load(this.#flags, 0) !== 0;
  }
  get stop(): boolean {
    return Atomics.load(this.#flags, 1) !== 0;
  }
  set(start: boolean, stop: boolean): void {
    Atomics.store(this.#flags, 0, start ? 1 : 0);
    Atomics.store(this.#flags, 1, stop ? 1 : 0);
  }
}

export interface EngineHarness extends Harness {
  readonly counters: Record<string, number>;
  readonly control: SharedControl;
}

export function makeHarness(
  counterNames: readonly string[],
  thread: ThreadInfo = { index: 0, count: 1, group: null, copy: 0, copies: 1 },
  control: SharedControl = new SharedControl(),
): EngineHarness {
  const counters: Record<string, number> = Object.fromEntries(counterNames.map((name) => [name, 0]));
  return { blackhole: makeBlackhole(), counters, thread, control };
}

/**
 * What was counted.
 *
 * @throws PhaseError for a counter that the suite does not declare, which would be dropped, and for one that is no finite number.
 */
export function readCounters(
  counted: Readonly<Record<string, unknown>>,
  names: readonly string[],
  where: string,
): Record<string, number> | null {
  for (const name of names) {
    if (!Object.hasOwn(counted, name)) {
      throw new PhaseError(
        'benchmark',
        `${where} removed counter "${name}": set it to 0 instead, or leave it as it is`,
      );
    }
  }
  for (const [name, value] of Object.entries(counted)) {
    if (!names.includes(name)) {
      const message = `${where} used counter "${name}", which its suite does not declare: add it to counters, as "operations" or "events"`;
      throw new PhaseError('benchmark', message);
    }
    if (!Number.isFinite(value)) {
      const shown = typeof value === 'number' ? String(value) : typeof value;
      throw new PhaseError('benchmark', `${where} left counter "${name}" at ${shown}: a counter holds a finite number`);
    }
  }
  return names.length > 0 ? ({ ...counted } as Record<string, number>) : null;
}

/** Zeroes the counters; names that the suite did not declare are removed. */
export function zeroCounters(harness: EngineHarness, names: readonly string[]): void {
  for (const name of Object.keys(harness.counters)) if (!names.includes(name)) delete harness.counters[name];
  for (const name of names) harness.counters[name] = 0;
}
