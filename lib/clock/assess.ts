import { checkKeys } from '../native/check-keys.js';
import { loadAddon } from '../native/load.js';
import type { CounterFeatures } from '../native/surface/clock.js';
import { type Calibration, calibrate } from './calibrate.js';
import { checkNumber } from './check.js';
import { type CrossCore, crossCore } from './cross-core.js';
import { type ClockRefusal, requireCounter } from './refusal.js';

/** What `assess` looks at. */
export interface AssessOptions {
  /** Length of the linearity test, ms, 1 to 60000; default 200. */
  readonly ms?: number;
  /** Readings of the monotony test, 1000 to 1e8; default 1e6. */
  readonly readings?: number;
  /** Compare the counters of all allowed CPUs; default true. */
  readonly crossCore?: boolean;
}

const KEYS: ReadonlySet<string> = new Set(['ms', 'readings', 'crossCore'] satisfies (keyof AssessOptions)[]);

/** What was tested, and the verdict. */
export interface Assessment {
  /** True: use the counter; false: do not; null: there is none to assess. */
  readonly invariant: boolean | null;
  /** What speaks against it; empty when `invariant`. */
  readonly against: readonly string[];
  readonly monotone: { readonly readings: number; readonly backward: number } | null;
  readonly linear: Calibration | ClockRefusal;
  readonly crossCore: CrossCore | ClockRefusal | null;
  /** What CPU and kernel claim: evidence only, they contradict each other on real machines. */
  readonly flags: CounterFeatures | null;
}

/**
 * Decides by test whether the counter is a clock: it never goes back, it is a straight line against the kernel clock, and
 * all CPUs agree. Blocks for `ms` and the comparison of CPUs.
 *
 * @throws TypeError, RangeError on options out of range.
 */
export function assess(options: AssessOptions = {}): Assessment {
  checkKeys('assess', options, KEYS, '{ crossCore: false }');
  const ms = checkNumber(options.ms ?? 200, 'assess: ms', 1, 60_000, 'ms');
  const readings = checkNumber(options.readings ?? 1e6, 'assess: readings', 1000, 1e8);
  const { crossCore: compare = true } = options;
  if (typeof compare !== 'boolean') throw new TypeError(`assess: crossCore must be true or false, not ${compare}`);
  const found = requireCounter('assess');
  const flags = loadAddon().addon?.clock?.features() ?? null;
  if (!found.ok)
    return { invariant: null, against: [found.message], monotone: null, linear: found, crossCore: null, flags };
  const monotone = { readings, backward: found.surface.backward(readings) };
  const linear = calibrate({ ms });
  const cross = compare ? crossCore() : null;
  const against = judge(monotone, linear, cross);
  return { invariant: against.length === 0, against, monotone, linear, crossCore: cross, flags };
}

/** The verdict alone: what speaks against the counter. A comparison of CPUs that could not be made speaks neither way. */
export function judge(
  monotone: { readonly readings: number; readonly backward: number },
  linear: Calibration | ClockRefusal,
  cross: CrossCore | ClockRefusal | null,
): string[] {
  const against: string[] = [];
  if (monotone.backward > 0) against.push(`it went back ${monotone.backward} times in ${monotone.readings} readings`);
  if (!linear.ok) against.push(linear.message.replace(/^calibrate: the counter/, 'it'));
  if (cross?.ok && !cross.agree) {
    const violations = cross.pairs.reduce((sum, pair) => sum + pair.violations, 0);
    against.push(
      `the counters of different CPUs disagree (by up to ${cross.worstTicks.toFixed(0)} ticks, ${violations} impossible stamps)`,
    );
  }
  return against;
}
