import { loadAddon } from '../native/load.js';
import type { HotClock } from './hot.js';

/** The hot clock and the kernel clock read at the same time (tightest of several brackets). */
export interface Anchor {
  /** Kernel clock, ns since the process's base; hrtime when there is no addon. */
  readonly ns: number;
  readonly ticks: number;
  /** Distance of the two kernel readings around the tick, ns: twice the largest error of `ns`. */
  readonly widthNs: number;
  /** CPU it was taken on; null when unknown. */
  readonly cpu: number | null;
}

/** How far the hot clock and the kernel's went apart between two anchors. */
export interface AnchorCheck {
  /** Hot clock minus kernel clock, ns; null when the hot clock is the kernel clock, which cannot be checked against itself. */
  readonly driftNs: number | null;
  readonly ppm: number | null;
  /** Kernel clock between the anchors, ns. */
  readonly elapsedNs: number;
  /** Drift beyond max(1 us, 50 ppm) plus what the two brackets leave open: migration, suspend or a rescaled counter. */
  readonly discontinuity: boolean;
}

const TRIES = 5;
const out = new Float64Array(4);

/** Takes an anchor now (about 0.5 us). */
export function takeAnchor(clock: HotClock): Anchor {
  const surface = counterSurface(clock);
  if (!surface) {
    clock.read();
    const ns = clock.slot[0]! * clock.nsPerTick;
    return { ns, ticks: clock.slot[0]!, widthNs: 0, cpu: null };
  }
  surface.point(out, 0, TRIES);
  return { ns: out[0]!, ticks: out[1]!, widthNs: out[2]!, cpu: out[3]! >= 0 ? out[3]! : null };
}

/**
 * Compares now with `start`, which must come from the same clock.
 * @throws TypeError when `start` is no anchor.
 */
export function checkAnchor(clock: HotClock, start: Anchor): AnchorCheck {
  if (typeof start?.ns !== 'number' || typeof start.ticks !== 'number' || typeof start.widthNs !== 'number') {
    throw new TypeError('anchor: pass what anchor() gave, to compare now with it');
  }
  const end = takeAnchor(clock);
  const surface = counterSurface(clock);
  if (!surface) return { driftNs: null, ppm: null, elapsedNs: end.ns - start.ns, discontinuity: false };
  return surface.check(start.ns, start.ticks, start.widthNs, end.ns, end.ticks, end.widthNs, clock.nsPerTick);
}

/** The addon's functions if the clock counts ticks (a clock that counts kernel ns has nothing to be compared with). */
function counterSurface(clock: HotClock) {
  if (clock.info.backend !== 'addon' || clock.info.hzPpm === null) return null;
  return loadAddon().addon?.clock ?? null;
}
