import { checkConfidence } from './check.js';
import { checkDelta, DEFAULT_DELTA, type Verdict } from './decision.js';
import type { SummaryRow } from './ratio/summary.js';
import { tCdf } from './special/student.js';

function checkPValues(p: ArrayLike<number>): void {
  for (let i = 0; i < p.length; i++) {
    if (!(p[i]! >= 0 && p[i]! <= 1)) throw new RangeError(`p-value ${i} must lie in [0, 1], got ${p[i]}`);
  }
}

/** Bonferroni-adjusted p-values: min(1, m p). @throws RangeError for a p-value outside [0, 1] */
export function bonferroni(p: ArrayLike<number>): number[] {
  checkPValues(p);
  return Array.from(p, (value) => Math.min(1, value * p.length));
}

/**
 * Holm's step-down adjusted p-values (1979), in the order given: as safe as Bonferroni's, never larger.
 * @throws RangeError for a p-value outside [0, 1]
 */
export function holm(p: ArrayLike<number>): number[] {
  checkPValues(p);
  const m = p.length;
  const order = Array.from({ length: m }, (_, i) => i).sort((i, j) => p[i]! - p[j]!);
  const adjusted = new Array<number>(m).fill(1);
  let floor = 0;
  for (const [step, i] of order.entries()) {
    floor = Math.max(floor, Math.min(1, (m - step) * p[i]!));
    adjusted[i] = floor;
  }
  return adjusted;
}

/** Largest number below 1. */
const BELOW_ONE = 1 - 2 ** -53;

/**
 * Level of each of m intervals that together hold at `confidence` (Bonferroni): 1 - (1 - confidence) / m, and always below 1.
 * @throws RangeError for a level outside (0, 1) and an `m` that is not a whole number from 1
 */
export function bonferroniConfidence(confidence: number, m: number): number {
  checkConfidence(confidence);
  if (!Number.isInteger(m) || m < 1) throw new RangeError(`m must be a whole number >= 1, got ${m}`);
  return Math.min(BELOW_ONE, 1 - (1 - confidence) / m);
}

/** A verdict after correction for the number of rows. */
export interface AdjustedVerdict {
  readonly verdict: Verdict;
  /** Holm-adjusted p of the verdict the row leans to: it stands if this is at most 1 - confidence. */
  readonly adjustedP: number;
}

/**
 * Verdicts over many rows at a joint error rate of 1 - confidence. The p of a row is the smallest alpha whose 1 - alpha interval of ln R
 * (estimate, standard error, df) lies wholly in one part of the decision table; Holm's procedure then says which rows stand. With one row
 * this is `decide` on its interval.
 * @throws RangeError for a delta or level outside (0, 1), a ratio or standard error that is not finite, a ratio not above 0 and a
 * standard error below 0
 */
export function holmVerdicts(rows: readonly SummaryRow[], delta = DEFAULT_DELTA, confidence = 0.95): AdjustedVerdict[] {
  checkDelta(delta);
  checkConfidence(confidence);
  const leanings = rows.map((row) => leaning(row, delta));
  const adjusted = holm(leanings.map(({ p }) => p));
  return leanings.map(({ verdict }, i) => ({
    // alpha = 1 - 0.95 carries a rounding error of 4e-17.
    verdict: adjusted[i]! <= 1 - confidence + 1e-12 ? verdict : 'inconclusive',
    adjustedP: adjusted[i]!,
  }));
}

/** The verdict reached first as the interval narrows, with the alpha at which it is. */
function leaning({ ratio, standardError, df }: SummaryRow, delta: number): { verdict: Verdict; p: number } {
  if (!(ratio > 0 && ratio < Infinity)) throw new RangeError(`holmVerdicts: ratio must be positive, got ${ratio}`);
  if (!(standardError >= 0 && standardError < Infinity)) {
    throw new RangeError(`holmVerdicts: standard error must be >= 0, got ${standardError}`);
  }
  const x = Math.log(ratio);
  const [bottom, top] = [Math.log(1 - delta), Math.log(1 + delta)];
  const verdict = x < bottom ? 'improved' : x > top ? 'regressed' : 'equivalent';
  // Distance to the nearest edge that the interval must not cross.
  const distance = Math.min(Math.abs(x - bottom), Math.abs(x - top));
  if (standardError === 0) return { verdict, p: 0 };
  return { verdict, p: Math.min(1, 2 * tCdf(-distance / standardError, df ?? Infinity)) };
}
