import { checkConfidence, checkValues } from './check.js';
import { sorted } from './quantile.js';
import { binomialCdf } from './special/binomial.js';

/** Interval for a quantile between two order statistics. Ranks count from 1; a missing side is null, never the minimum or maximum. */
export interface OrderStatisticInterval {
  readonly status: 'ok' | 'no-upper' | 'no-lower' | 'no-limits';
  readonly lowRank: number | null;
  readonly highRank: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Exact level of what is returned (one-sided if a side is missing; 0 without limits). */
  readonly coverage: number;
}

function checkInner(p: number): void {
  if (!(p > 0 && p < 1)) throw new RangeError(`p must lie strictly between 0 and 1 (0.99 for p99), got ${p}`);
}

/**
 * Distribution-free interval for the p quantile of independent values: the widest-level pair of order statistics x_(l), x_(u) with at
 * most alpha/2 beyond each. Values inside one process are rarely independent; then it describes that process only.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite and a p or level outside
 * (0, 1)
 */
export function orderStatisticInterval(
  values: ArrayLike<number>,
  p: number,
  confidence = 0.95,
): OrderStatisticInterval {
  checkValues('orderStatisticInterval', values);
  checkInner(p);
  checkConfidence(confidence);
  const x = sorted(values);
  const n = x.length;
  const side = (1 - confidence) / 2;
  // Both conditions are monotone in k: Bin(k - 1) grows with k.
  const l = firstRank(n, (k) => binomialCdf(k - 1, n, p) > side) - 1;
  const u = firstRank(n, (k) => binomialCdf(k - 1, n, p) >= 1 - side);
  const lowRank = l >= 1 ? l : null;
  const highRank = u <= n ? u : null;
  const below = lowRank === null ? 0 : binomialCdf(lowRank - 1, n, p);
  const above = highRank === null ? 1 : binomialCdf(highRank - 1, n, p);
  const none = lowRank === null && highRank === null;
  return {
    status: none ? 'no-limits' : highRank === null ? 'no-upper' : lowRank === null ? 'no-lower' : 'ok',
    lowRank,
    highRank,
    low: lowRank === null ? null : x[lowRank - 1]!,
    high: highRank === null ? null : x[highRank - 1]!,
    coverage: none ? 0 : above - below,
  };
}

/** Smallest k in 1 .. n with the (monotone) condition, n + 1 if none. */
function firstRank(n: number, holds: (k: number) => boolean): number {
  let [low, high] = [1, n + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Smallest number of independent values from which an upper limit for the p quantile exists: p^n <= alpha (one-sided) or alpha/2.
 * p99 at a two-sided 95 % needs 368.
 * @throws RangeError for a p or level outside (0, 1) and `sides` other than 1 and 2
 */
export function minimumCountForUpperLimit(p: number, confidence = 0.95, sides: 1 | 2 = 2): number {
  checkInner(p);
  checkConfidence(confidence);
  if (sides !== 1 && sides !== 2) throw new RangeError(`sides must be 1 or 2, got ${sides}`);
  return Math.ceil(Math.log((1 - confidence) / sides) / Math.log(p));
}
