import { checkKeys } from '../native/check-keys.js';
import type { FrequencyFit } from '../native/surface/clock.js';
import { checkNumber, checkWhole } from './check.js';
import { type ClockRefusal, refuse, requireCounter } from './refusal.js';

/** Length and points of a frequency fit. */
export interface CalibrateOptions {
  /** Length of the window, ms, 1 to 60000; default 20. */
  readonly ms?: number;
  /** Points in it, 3 to 100000; default 41. Each is the tightest of 20 (clock, counter, clock) brackets. */
  readonly points?: number;
  /** Equal stretches of the window that are also fitted alone, for the repeated uncertainty; 2 to 100, default 4. */
  readonly repeats?: number;
}

/** A frequency and how well it is known. */
export interface Calibration extends Omit<FrequencyFit, 'valid'> {
  readonly ok: true;
  /** max(sePpm, sdPpm): the uncertainty to quote. */
  readonly hzPpm: number;
  readonly ms: number;
  /** The clock it refers to. That clock is made from the same counter by the kernel: this is agreement, not truth. */
  readonly clock: string;
  readonly source: string;
}

const KEYS: ReadonlySet<string> = new Set(['ms', 'points', 'repeats'] satisfies (keyof CalibrateOptions)[]);

/** Beyond these the counter does not follow the kernel clock. */
const MAX_RESIDUAL_NS = 1000;
const MAX_PPM = 20;

/**
 * Fits the counter's frequency on the kernel's raw clock by least squares. Blocks the thread for `ms`, sleeping between
 * points. Measured spread of repeated calibrations: 20 ms 0.02 ppm, 100 ms 0.006 ppm, 500 ms 0.002 ppm.
 *
 * @returns The fit, or a refusal: `NO_ADDON`, `NO_COUNTER`, or `UNSTABLE` when points lie more than 1 us (root mean square)
 * off the line or the slope is not known to 20 ppm.
 * @throws TypeError, RangeError on options out of range.
 */
export function calibrate(options: CalibrateOptions = {}): Calibration | ClockRefusal {
  checkKeys('calibrate', options, KEYS, '{ ms: 100 }');
  const ms = checkNumber(options.ms ?? 20, 'calibrate: ms', 1, 60_000, 'ms');
  const points = checkWhole(options.points ?? 41, 'calibrate: points', 3, 100_000);
  const repeats = checkWhole(options.repeats ?? 4, 'calibrate: repeats', 2, 100);
  const found = requireCounter('calibrate');
  if (!found.ok) return found;
  const { valid, ...fit } = found.surface.calibrate(ms, points, repeats);
  const hzPpm = Math.max(fit.sePpm, fit.sdPpm);
  if (!valid || fit.residualNs > MAX_RESIDUAL_NS || hzPpm > MAX_PPM) {
    return refuse(
      'UNSTABLE',
      `calibrate: the counter does not follow the kernel clock (residual ${fit.residualNs.toFixed(0)} ns, ${hzPpm.toFixed(1)} ppm)`,
      'Repeat with a longer window on a quieter machine; if it stays, do not use the counter here.',
    );
  }
  const { opened } = found.counter;
  return { ok: true, ...fit, hzPpm, ms, clock: opened.kernelClock, source: opened.source };
}
