import type { ClockSurface, FrequencyFit } from '../native/surface/clock.js';
import type { HotClock } from './hot.js';
import { chooseReads, type PathInfo, processHost } from './paths.js';
import { type ReadCost, readCost } from './read-cost.js';

/** Points of the frequency fit; each is the tightest of TRIES brackets (kernel clock, counter, kernel clock). */
const POINTS = 41;
const TRIES = 20;
/** Stretches of the window that are also fitted alone: the repeated uncertainty. */
const PARTS = 4;
/** A fit worse than this, three times in a row, is no frequency: the counter is not linear against the kernel clock. */
const MAX_PPM = 20;
const MAX_RESIDUAL_NS = 1000;
const ATTEMPTS = 3;
/** Readings for the granularity: about 1 ms. */
const STEPS = 20_000;

/** A block on a cache line of its own, so that threads do not slow each other down by writing neighbouring slots. */
function newSlot(): Float64Array {
  return new Float64Array(new SharedArrayBuffer(256), 64, 8);
}

/** What `openCounter` found, on the first call of a thread. */
export function counterOf(surface: ClockSurface, addonPath: string | null): ReturnType<typeof openCounter> {
  counter ??= openCounter(surface, addonPath);
  return counter;
}

/** Opened once per thread: all hot clocks of a thread share its slot, as each read is followed by its own load. */
let counter: ReturnType<typeof openCounter> | undefined;

function openCounter(surface: ClockSurface, addonPath: string | null) {
  const slot = newSlot();
  const opened = surface.open(slot, false);
  let granularity: number | undefined;
  const found = {
    slot,
    opened,
    /** The real step, ticks; looked for when first asked for. */
    get granularity() {
      granularity ??= surface.steps(STEPS, false).granularity;
      return granularity;
    },
  };
  if (opened.counting === 'ns') return Object.assign(found, { reads: opened, path: NAPI });
  const { reads, info } = chooseReads(surface, slot, opened, processHost(addonPath));
  return Object.assign(found, { reads, path: info });
}

const NAPI: PathInfo = { path: 'napi', refused: [] };

/** The addon's clock: cycle counter if it passes, else the kernel clock read natively. */
export function openAddonClock(surface: ClockSurface, addonPath: string | null, calibrateMs: number): HotClock {
  const counter = counterOf(surface, addonPath);
  const { slot, opened, reads, path } = counter;
  if (opened.counting === 'ns') return kernelClock(surface, opened, slot, opened.reason);
  const { granularity } = counter;
  const cost = readCost(reads.read, slot, granularity);
  const fit = fitFrequency(surface, calibrateMs, cost);
  if (!fit.good) {
    const numbers = `residual ${fit.residualNs.toFixed(0)} ns, ${fit.sePpm.toFixed(1)} ppm after ${ATTEMPTS} fits`;
    const reason = `the cycle counter does not keep a constant frequency against the kernel clock (${numbers})`;
    return kernelClock(surface, surface.open(slot, true), slot, reason);
  }
  const nsPerTick = 1e9 / fit.hz;
  const { readTicks, floorTicks } = cost.result();
  return {
    read: reads.read,
    readOrdered: reads.readOrdered,
    slot,
    nsPerTick,
    path,
    info: {
      backend: 'addon',
      source: sourceName(opened.source, path),
      hz: fit.hz,
      hzPpm: Math.max(fit.sePpm, fit.sdPpm),
      granularityNs: granularity * nsPerTick,
      readNs: readTicks * nsPerTick,
      floorNs: floorTicks * nsPerTick,
      reason: null,
    },
  };
}

/** The source and, where it is not the ordinary one, the path to it. */
export function sourceName(source: string, path: PathInfo): string {
  return path.path === 'napi' ? source : `${source} (${path.path})`;
}

function kernelClock(
  surface: ClockSurface,
  opened: ReturnType<ClockSurface['open']>,
  slot: Float64Array,
  reason: string | null,
): HotClock {
  const { granularity } = surface.steps(STEPS, true);
  const cost = readCost(opened.read, slot, granularity);
  for (let i = 0; i < 200; i++) cost.batch();
  const { readTicks, floorTicks } = cost.result();
  return {
    read: opened.read,
    readOrdered: opened.readOrdered,
    slot,
    nsPerTick: 1,
    path: NAPI,
    info: {
      backend: 'addon',
      source: opened.source,
      hz: 1e9,
      hzPpm: null,
      granularityNs: granularity,
      readNs: readTicks,
      floorNs: floorTicks,
      reason,
    },
  };
}

/** Points spread over `ms`; reads run in between, so that their cost is measured warm and the wait is not wasted. */
function fitFrequency(surface: ClockSurface, ms: number, cost: ReadCost): FrequencyFit & { readonly good: boolean } {
  const points = new Float64Array(POINTS * 4);
  const now = new Float64Array(4);
  for (let attempt = 1; ; attempt++) {
    surface.point(points, 0, TRIES);
    const step = (ms * 1e6) / (POINTS - 1);
    for (let i = 1; i < POINTS; i++) {
      const target = points[0]! + step * i;
      do {
        cost.batch();
        surface.point(now, 0, 1);
      } while (now[0]! < target);
      surface.point(points, i * 4, TRIES);
    }
    const fit = surface.fit(points, PARTS);
    const good = fit.valid && fit.sePpm < MAX_PPM && fit.residualNs < MAX_RESIDUAL_NS;
    if (good || attempt === ATTEMPTS) return { ...fit, good };
  }
}
