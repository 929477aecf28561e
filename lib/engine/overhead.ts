/** What the harness itself costs in this process. */
import type { BlackholeCost } from '../result/model.js';
import { middle } from './chunks.js';
import { makeBlackhole } from './harness.js';
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

/** Measures the black hole with one of its own, so that the benchmark's keeps its feedback. Takes about 130 ms. */
export function blackholeCost(machine: Machine): BlackholeCost {
  const make = new Function('blackhole', 'values', 'masks', BLACKHOLE_LOOPS);
  const loops = (kinds: readonly unknown[]) =>
    make(makeBlackhole(), kinds, new Int32Array(4)) as Record<'empty' | 'consume' | 'cpu', (n: number) => unknown>;
  const time = (loop: (n: number) => unknown, n: number) => {
    const { clock } = machine;
    const series = new Float64Array(15);
    const begin = machine.wallMs();
    do loop(n);
    while (machine.wallMs() - begin < 25);
    for (let k = 0; k < series.length; k++) {
      clock.read();
      const start = clock.slot[0]!;
      loop(n);
      clock.read();
      series[k] = ((clock.slot[0]! - start) * clock.nsPerTick) / n;
    }
    return series.sort()[series.length >> 2]!;
  };
  const numbers = loops([1.5, 2.5]);
  const objects = loops([{ a: 1 }, { a: 2 }]);
  return {
    consumeNumberNs: Math.max(0, time(numbers.consume, 10_000) - time(numbers.empty, 10_000)),
    consumeObjectNs: Math.max(0, time(objects.consume, 10_000) - time(objects.empty, 10_000)),
    tokenNs: time(numbers.cpu, 10_000),
  };
}

/** The empty loop loads the same value and keeps it in a register: what is left over is the consuming. */
const BLACKHOLE_LOOPS = `'use strict';
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
