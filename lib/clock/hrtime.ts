import type { HotClock } from './hot.js';
import { readCost } from './read-cost.js';
import { granularityOf } from './steps.js';

/** The clock without the addon: `process.hrtime.bigint()` less a base taken now, in ns. */
export function openHrtimeClock(reason: string): HotClock {
  const slot = new Float64Array(8);
  const { bigint } = process.hrtime;
  const base = bigint();
  const read = () => {
    slot[0] = Number(bigint() - base);
  };
  const granularity = granularityOf(differences(bigint));
  const cost = readCost(read, slot, granularity);
  for (let i = 0; i < 200; i++) cost.batch();
  const { readTicks, floorTicks } = cost.result();
  return {
    read,
    readOrdered: read,
    slot,
    nsPerTick: 1,
    path: { path: 'js', refused: [] },
    info: {
      backend: 'hrtime',
      source: 'hrtime',
      hz: 1e9,
      hzPpm: null,
      granularityNs: granularity,
      readNs: readTicks,
      floorNs: floorTicks,
      reason,
    },
  };
}

/** Steps of readings at varied distances, ns. */
function differences(now: () => bigint): number[] {
  const steps: number[] = [];
  let last = now();
  let random = 1;
  for (let i = 0; i < 4000; i++) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    for (let k = random >>> 29; k > 0; k--) spun = k;
    const next = now();
    // The first half runs unoptimised, too slowly to see single steps.
    if (i >= 2000) steps.push(Number(next - last));
    last = next;
  }
  return steps;
}

/** @public Keeps the spinning loop: an exported variable of the module cannot be optimised away. */
export let spun = 0;
