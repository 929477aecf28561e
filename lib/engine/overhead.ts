/** What the harness itself costs in this process. */
import type { BlackholeCost } from '../result/model.js';
import { middle } from './chunks.js';
import { makeBlackhole } from './harness.js';
import { unique } from './loop-source.js';
import { makeSyncLoop } from './loops.js';
import type { Session } from './session.js';
import { isTop } from './stages.js';
import type { EngineClock, Machine } from './types.js';

/** Series until a warm figure: 60 of 512 reads, the last 20 count. */
export function clockReadNs(clock: EngineClock): number {
  const { slot } = clock;
  const series = new Float64Array(60);
  for (let k = 0; k < series.length; k++) {
    clock.read();
    const start = slot[0]!;
    readMany(clock, 512);
    series[k] = ((slot[0]! - start) * clock.nsPerTick) / 512;
  }
  return middle(series.slice(-20).sort());
}

function readMany({ read }: EngineClock, n: number): void {
  for (let i = 0; i < n; i++) read();
}

/** Turns of one timing, about 10 us; timings of each loop; and the shortest and longest warm-up, ms. */
const TURNS = 10_000;
const ROUNDS = 25;
const WARM_MIN_MS = 50;
const WARM_MAX_MS = 120;

/** Measures the black hole with some of its own, so that the benchmark's keeps its feedback. Takes 50 to 120 ms. */
export function blackholeCost({ clock, tiers, wallMs }: Machine): BlackholeCost {
  // Each kind has functions of its own: what has seen numbers costs three times as much with objects.
  const make = (kinds: readonly unknown[]) => {
    const source = `${unique('blackhole')}\n${BLACKHOLE_LOOPS}`;
    const made = new Function('blackhole', 'values', 'masks', source)(makeBlackhole(), kinds, new Int32Array(4));
    return made as Record<'empty' | 'consume' | 'cpu', (n: number) => unknown>;
  };
  const [numbers, objects] = [make([1.5, 2.5]), make([{ a: 1 }, { a: 2 }])];
  const timed = [numbers.empty, numbers.consume, objects.empty, objects.consume];
  // The loop over tokens is inside consumeCPU; what calls it is called too seldom to be optimised, and need not be.
  const loops = [...timed, numbers.cpu];
  const { of } = tiers;
  const warm = () => of !== null && timed.every((loop) => isTop(of(loop).tier));
  const begin = wallMs();
  let spent: number;
  do {
    for (const loop of loops) loop(TURNS);
    spent = wallMs() - begin;
  } while (spent < WARM_MIN_MS || (spent < WARM_MAX_MS && !warm()));
  // In rotation: what interrupts or slows down one, does so to all.
  const times = loops.map(() => new Float64Array(ROUNDS));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [k, loop] of loops.entries()) {
      clock.read();
      const start = clock.slot[0]!;
      loop(TURNS);
      clock.read();
      times[k]![round] = ((clock.slot[0]! - start) * clock.nsPerTick) / TURNS;
    }
  }
  const [noNumber, number, noObject, object, token] = times.map((series) => series.sort()[ROUNDS >> 2]!);
  return {
    consumeNumberNs: Math.max(0, number! - noNumber!),
    consumeObjectNs: Math.max(0, object! - noObject!),
    tokenNs: token!,
  };
}

/** The empty loop loads the same value and keeps it in a register: what is left over is the consuming. */
const BLACKHOLE_LOOPS = `
  let kept;
  return {
    empty(n) { const m = masks[0]; let v; for (let i = 0; i < n; i++) v = values[i & m]; kept = v; },
    consume(n) { const m = masks[1]; for (let i = 0; i < n; i++) blackhole.consume(values[i & m]); },
    cpu(n) { blackhole.consumeCPU(n); },
  };`;

/** Time of one turn of the loop with an empty body, ns; null when it did not get optimised in 60 ms. */
export function emptyOpNs(machine: Machine, session: Session): number | null {
  const { clock, tiers, wallMs } = machine;
  const results = { number: 0, boolean: false, undefined: undefined, other: session } as const;
  const result = results[session.kind];
  const fn = () => result;
  const options = { ...session.options(), shape: 'plain', before: false, after: false, batch: 1 } as const;
  const { loop } = makeSyncLoop({ ...session.target, fn }, options, session.surroundings);
  const begin = wallMs();
  do loop(20_000);
  while (wallMs() - begin < 60 && !(tiers.of && isTop(tiers.of(loop).tier)));
  if (tiers.of && !isTop(tiers.of(loop).tier)) return null;
  const turns = 20_000;
  const series = new Float64Array(20);
  for (let k = 0; k < series.length; k++) {
    clock.read();
    const start = clock.slot[0]!;
    loop(turns);
    clock.read();
    series[k] = ((clock.slot[0]! - start) * clock.nsPerTick) / turns;
  }
  return series.sort()[series.length >> 2]!;
}

/** Smallest difference of two ordered reads back to back, ns: what a sample of nothing shows. */
export function orderedFloorNs(clock: EngineClock): number {
  const { readOrdered, slot, nsPerTick } = clock;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5000; i++) {
    readOrdered();
    const start = slot[0]!;
    readOrdered();
    if (slot[0]! - start < least) least = slot[0]! - start;
  }
  return least * nsPerTick;
}
