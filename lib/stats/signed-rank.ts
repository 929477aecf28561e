import { checkValues } from './check.js';
import { EXACT_LIMIT } from './rank.js';
import { normalCdf } from './special/normal.js';

/** Rank sum of the positive differences, its p-value and how that was had. */
export interface WilcoxonSignedRank {
  /** `constant`: every difference is zero, p is 1. */
  readonly status: 'ok' | 'constant';
  /** Sum of the ranks of the positive differences (V in R); tied sizes share their mean rank. */
  readonly W: number;
  /** Two-sided. */
  readonly p: number;
  /** Exact distribution, or normal approximation with tie and continuity correction. */
  readonly exact: boolean;
  /** Differences that are not zero; zeros are left out, as Wilcoxon did. */
  readonly n: number;
  readonly zeros: number;
  /** Smallest p that this many differences can reach: 2^(1 - n). Five pairs never reach 5 %. */
  readonly smallestP: number;
}

/** Counts of W = 0 .. n (n + 1) / 2 over all signs of the ranks 1 .. n. */
function wCounts(n: number): Float64Array {
  const counts = new Float64Array((n * (n + 1)) / 2 + 1);
  counts[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let w = counts.length - 1; w >= rank; w--) counts[w] = counts[w]! + counts[w - rank]!;
  }
  return counts;
}

/**
 * Wilcoxon's signed-rank test (1945) of paired differences, ln(candidate_j / baseline_j) say, one per independent pair. Null hypothesis: each
 * difference is symmetric about zero. Exact to 20 pairs without ties, else by the normal approximation. A check beside `ratioPaired`,
 * never the verdict; `signFlipTest` uses the sizes themselves instead of their ranks.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one and values that are not finite
 */
export function wilcoxonSignedRank(differences: ArrayLike<number>): WilcoxonSignedRank {
  checkValues('wilcoxonSignedRank', differences);
  const d = Array.from(differences).filter((x) => x !== 0);
  const n = d.length;
  const zeros = differences.length - n;
  if (n === 0) return { status: 'constant', W: 0, p: 1, exact: true, n, zeros, smallestP: 1 };
  d.sort((a, b) => Math.abs(a) - Math.abs(b));
  let W = 0;
  let tieSum = 0;
  for (let i = 0; i < n; ) {
    let end = i + 1;
    while (end < n && Math.abs(d[end]!) === Math.abs(d[i]!)) end++;
    const rank = (i + 1 + end) / 2;
    for (let j = i; j < end; j++) if (d[j]! > 0) W += rank;
    const t = end - i;
    tieSum += t ** 3 - t;
    i = end;
  }
  const smallestP = 2 ** (1 - n);
  const middle = (n * (n + 1)) / 4;
  if (tieSum === 0 && n <= EXACT_LIMIT) {
    const counts = wCounts(n);
    let sum = 0;
    for (let w = 0; w <= Math.min(W, 2 * middle - W); w++) sum += counts[w]!;
    return { status: 'ok', W, p: Math.min(1, 2 * (sum / 2 ** n)), exact: true, n, zeros, smallestP };
  }
  const sigma = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - tieSum / 48);
  const z = Math.max(0, Math.abs(W - middle) - 0.5) / sigma;
  return { status: 'ok', W, p: Math.min(1, 2 * normalCdf(-z)), exact: false, n, zeros, smallestP };
}
