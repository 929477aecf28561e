import { checkKeys } from '../native/check-keys.js';
import { loadAddon } from '../native/load.js';
import type { ClockInfo } from '../result/model.js';
import { openAddonClock } from './addon.js';
import { checkNumber } from './check.js';
import { openHrtimeClock } from './hrtime.js';
import type { PathInfo } from './paths.js';

/**
 * The cheapest clock this process has, for loops that read it themselves: `read()` writes into `slot[0]` and returns nothing,
 * because a number that crosses the native border costs more than the counter itself.
 */
export interface HotClock {
  /** Writes ticks since the base into `slot[0]`. The base is taken once per process: all threads share it. */
  readonly read: () => void;
  /** The same, fenced on both sides, so that neighbouring instructions stay on theirs; for single shots. */
  readonly readOrdered: () => void;
  readonly slot: Float64Array;
  readonly nsPerTick: number;
  readonly info: ClockInfo;
  readonly path: PathInfo;
}

/** How the hot clock is calibrated. */
export interface HotClockOptions {
  /** Length of the frequency fit, ms, 1 to 60000; default 20 (about 0.02 ppm on a quiet machine). */
  readonly calibrateMs?: number;
}

const KEYS: ReadonlySet<string> = new Set(['calibrateMs'] satisfies (keyof HotClockOptions)[]);
const clocks = new Map<number, HotClock>();

/**
 * The hot clock of this thread, one per `calibrateMs`. Blocks for `calibrateMs` the first time. Without the addon (or when its
 * counter fails its tests) it runs on `process.hrtime.bigint()` or the kernel clock, and `info` says so and why.
 *
 * @throws TypeError, RangeError when `calibrateMs` is not a number of ms from 1 to 60000.
 */
export function hotClock(options: HotClockOptions = {}): HotClock {
  checkKeys('hotClock', options, KEYS, '{ calibrateMs: 100 }');
  const ms = options.calibrateMs ?? 20;
  checkNumber(ms, 'hotClock: calibrateMs', 1, 60_000, 'ms');
  let clock = clocks.get(ms);
  if (!clock) {
    const { addon, reason, path } = loadAddon();
    clock = addon?.clock
      ? openAddonClock(addon.clock, path, ms)
      : openHrtimeClock(reason ?? 'this build of the addon has no clock: run `npm run build:addon`');
    clocks.set(ms, clock);
  }
  return clock;
}
