/** What the harness itself costs in this process. */
import { middle } from './chunks.js';
import { makeSyncLoop } from './loops.js';
import type { Session } from './session.js';
import { isTop } from './stages.js';
import type { EngineClock, Machine } from './types.js';

/** Median cost of one clock read, ns: from 40 series of 64. */
export function clockReadNs(clock: EngineClock): number {
  const { slot } = clock;
  const series = new Float64Array(40);
  for (let k = 0; k < series.length; k++) {
    clock.read();
    const start = slot[0]!;
    for (let i = 0; i < 64; i++) clock.read();
    series[k] = ((slot[0]! - start) * clock.nsPerTick) / 64;
  }
  return middle(series.sort());
}

/** Time of one turn of the loop with an empty body, ns; null when it did not get optimised in 60 ms. */
export function emptyOpNs(machine: Machine, session: Session): number | null {
  const { clock, tiers, wallMs } = machine;
  const fn = session.kind === 'number' ? () => 0 : () => undefined;
  const { loop } = makeSyncLoop({ ...session.target, fn }, session.kind, session.cells);
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
