import { checkValues } from '../check.js';
import { MIN_VALUES } from '../mean-interval.js';
import { tQuantile } from '../special/student.js';
import { orient, type Ratio, type RatioOptions, resolve, side, without } from './types.js';
import { satterthwaite } from './welch.js';

/** Level and degrees of freedom of a Fieller interval. */
export interface FiellerOptions extends RatioOptions {
  /**
   * `satterthwaite` (default): one t with the degrees of freedom of the difference. `per-side`: each half-width with its own n - 1
   * (Kalibera and Jones 2013), conservative for few units: 98.7 % instead of 95 % at three a side.
   */
  readonly df?: 'satterthwaite' | 'per-side';
}

/** Fieller's limits, or that the set is unbounded. */
export type FiellerLimits =
  | { readonly status: 'ok'; readonly low: number; readonly high: number }
  | { readonly status: 'unbounded'; readonly low: null; readonly high: null };

/**
 * Fieller's limits for numerator / denominator from two independent means and the half-widths of their intervals. `unbounded` if the
 * denominator's interval reaches zero: then every ratio, however large, is compatible with the data.
 */
export function fiellerLimits(
  numerator: number,
  denominator: number,
  halfNumerator: number,
  halfDenominator: number,
): FiellerLimits {
  for (const value of [numerator, denominator, halfNumerator, halfDenominator]) {
    if (!Number.isFinite(value)) throw new RangeError(`fiellerLimits: ${value} is not finite`);
  }
  if (!(halfNumerator >= 0) || !(halfDenominator >= 0)) throw new RangeError('fiellerLimits: half-widths must be >= 0');
  if (halfDenominator >= Math.abs(denominator)) return { status: 'unbounded', low: null, high: null };
  // In relative terms, so that the unit (and a square of it) cannot overflow or underflow.
  const ratio = numerator / denominator;
  const g = (halfDenominator / denominator) ** 2;
  const h = halfNumerator / Math.abs(denominator);
  const root = Math.sqrt(ratio * ratio * g + h * h * (1 - g));
  return { status: 'ok', low: (ratio - root) / (1 - g), high: (ratio + root) / (1 - g) };
}

/** Ratio of means with Fieller's interval. One number per independent unit on each side. */
export function ratioFieller(
  candidate: ArrayLike<number>,
  baseline: ArrayLike<number>,
  options: FiellerOptions = {},
): Ratio {
  checkValues('candidate', candidate);
  checkValues('baseline', baseline);
  const { df: rule = 'satterthwaite' } = options;
  if (rule !== 'satterthwaite' && rule !== 'per-side') {
    throw new TypeError(`df must be "satterthwaite" or "per-side", got ${rule}`);
  }
  const resolved = resolve('fieller', options);
  const [c, b] = orient(resolved, side(candidate), side(baseline));
  if (!(c.mean > 0) || !(b.mean > 0)) return without(resolved, 'not-positive', null);
  const ratio = c.mean / b.mean;
  if (c.n < MIN_VALUES || b.n < MIN_VALUES) return without(resolved, 'too-few', ratio);
  const vc = c.varianceOfMean / c.mean ** 2;
  const vb = b.varianceOfMean / b.mean ** 2;
  if (vc + vb === 0) {
    return { status: 'constant', ratio, low: ratio, high: ratio, standardError: 0, df: null, ...resolved };
  }
  const p = 0.5 + resolved.confidence / 2;
  const df = rule === 'satterthwaite' ? satterthwaite(vc, c.n, vb, b.n) : null;
  const limits = fiellerLimits(
    c.mean,
    b.mean,
    tQuantile(p, df ?? c.n - 1) * Math.sqrt(c.varianceOfMean),
    tQuantile(p, df ?? b.n - 1) * Math.sqrt(b.varianceOfMean),
  );
  if (limits.status !== 'ok') return without(resolved, 'unbounded', ratio);
  return { ...limits, ratio, standardError: null, df, ...resolved };
}
