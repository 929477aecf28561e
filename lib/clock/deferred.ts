import { loadAddon } from '../native/load.js';
import type { ClockInfo } from '../result/model.js';
import { counterOf, sourceName } from './addon.js';
import { type HotClock, type HotClockOptions, hotClock } from './hot.js';
import { readCost } from './read-cost.js';

/**
 * A hot clock that can be read at once, while its frequency is not known yet: for programs that must not wait for the fit before they
 * begin. Ticks read before and after the fit are on one scale.
 */
export interface DeferredClock extends Pick<HotClock, 'read' | 'readOrdered' | 'slot'> {
  /**
   * The clock with its frequency fitted: blocks for `calibrateMs` the first time, as {@link hotClock} does, whose clock it is. If the
   * counter fails its tests, that clock reads something else: take `read` from it, and throw away ticks read before.
   */
  readonly fit: () => HotClock;
  /** Has it been fitted? */
  readonly fitted: boolean;
  /**
   * What is known now. Before the fit, the frequency comes from the start and now alone, and `hzPpm` is the most that it can be off by;
   * the cost of a read is that of cold code.
   */
  readonly early: () => ClockInfo;
}

const TRIES = 20;
/** Readings for the early granularity: 0.06 ms. */
const STEPS = 2000;

/**
 * Opens the hot clock without waiting (about 1 ms of CPU instead of 10 to 20). Where no frequency has to be fitted (no addon, or the
 * kernel clock), it is complete at once.
 *
 * @throws TypeError, RangeError as {@link hotClock}, when the fit is made.
 */
export function deferredClock(options: HotClockOptions = {}): DeferredClock {
  let clock: HotClock | null = null;
  const fit = () => {
    clock ??= hotClock(options);
    return clock;
  };
  const { addon, path } = loadAddon();
  const surface = addon?.clock;
  const counter = surface ? counterOf(surface, path) : null;
  if (!surface || counter?.opened.counting !== 'ticks') {
    const { read, readOrdered, slot, info } = fit();
    return { read, readOrdered, slot, fit, fitted: true, early: () => info };
  }
  const { slot, opened, reads, path: pathInfo } = counter;
  const first = new Float64Array(4);
  surface.point(first, 0, TRIES);
  return {
    read: reads.read,
    readOrdered: reads.readOrdered,
    slot,
    fit,
    get fitted() {
      return clock !== null;
    },
    early() {
      if (clock) return clock.info;
      const { granularity } = surface.steps(STEPS, false);
      const cost = readCost(reads.read, slot, granularity);
      for (let i = 0; i < 4; i++) cost.batch();
      const { readTicks, floorTicks } = cost.result();
      const now = new Float64Array(4);
      surface.point(now, 0, TRIES);
      const ns = now[0]! - first[0]!;
      const nsPerTick = ns / (now[1]! - first[1]!);
      return {
        backend: 'addon',
        source: sourceName(opened.source, pathInfo),
        hz: 1e9 / nsPerTick,
        // Either end is off by at most half of its bracket.
        hzPpm: ((first[2]! + now[2]!) / 2 / ns) * 1e6,
        granularityNs: granularity * nsPerTick,
        readNs: readTicks * nsPerTick,
        floorNs: floorTicks * nsPerTick,
        reason: null,
      };
    },
  };
}
