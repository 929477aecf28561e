import type { TimeUnit } from '../result/model.js';
import { NS_PER } from '../result/units.js';

/** Units that reading may scale to; minutes and hours only when asked for. */
const READABLE: readonly TimeUnit[] = ['ns', 'us', 'ms', 's'];

interface Parsed {
  readonly unit: TimeUnit;
  readonly rate: boolean;
}

function parse(unit: string): Parsed | null {
  const time = /^(ns|us|ms|s|m|h)\/op$/.exec(unit);
  if (time) return { unit: time[1] as TimeUnit, rate: false };
  const rate = /^ops\/(ns|us|ms|s|m|h)$/.exec(unit);
  return rate ? { unit: rate[1] as TimeUnit, rate: true } : null;
}

/** The factor to another unit of the same kind and that unit's name. */
export interface Scale {
  readonly factor: number;
  readonly unit: string;
}

/**
 * The unit in which a set of scores reads best: the coarsest for times and the finest for rates in which the smallest of them is
 * still at least 1. Files keep the unit of the trial.
 *
 * @param values Positive scores that share `unit`.
 * @returns A scale by 1 for a unit that is neither a time nor a rate.
 */
export function readableScale(values: readonly number[], unit: string): Scale {
  const parsed = parse(unit);
  const least = Math.min(...values.filter((value) => value > 0));
  if (!parsed || !Number.isFinite(least)) return { factor: 1, unit };
  const candidates = parsed.rate ? [...READABLE].reverse() : READABLE;
  let best: Scale = { factor: 1, unit };
  for (const candidate of candidates) {
    const ratio = NS_PER[parsed.unit] / NS_PER[candidate];
    const factor = parsed.rate ? 1 / ratio : ratio;
    if (least * factor >= 1 || candidate === candidates[0]) {
      best = { factor, unit: parsed.rate ? `ops/${candidate}` : `${candidate}/op` };
    }
  }
  return best;
}

/** A number with three decimals, or three significant digits when these would show nothing or a row of them. */
export function fixed3(value: number): string {
  if (value === 0) return '0.000';
  // From 1e21 on toFixed writes all digits with an exponent.
  return Math.abs(value) >= 0.0005 && Math.abs(value) < 1e21 ? value.toFixed(3) : value.toExponential(2);
}
