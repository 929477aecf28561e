import { type Ratio, resolve, without } from './types.js';
import { logInterval } from './welch.js';

/** What the summary needs of a row: a `Ratio`, or any estimate with these three. */
export interface SummaryRow {
  readonly ratio: number;
  /** Standard error of ln ratio. */
  readonly standardError: number;
  /** Degrees of freedom behind it; null or Infinity = known. */
  readonly df: number | null;
}

/**
 * Geometric mean of cost ratios over a fixed set of rows: exp(mean ln R_k), standard error sqrt(sum se_k^2)/m, degrees of freedom by
 * Satterthwaite over the rows. A summary beside the rows, never instead of them. The rows must be independent.
 * Rows are cost ratios already, so `numerator` of the answer means nothing beyond that and is `candidate`.
 * @throws RangeError for no rows, a level outside (0, 1), a ratio that is not finite and a standard error that is not finite or below 0
 */
export function geometricMeanRatio(rows: readonly SummaryRow[], confidence = 0.95): Ratio {
  const resolved = resolve('geometric-mean', { confidence });
  if (rows.length === 0) throw new RangeError('geometricMeanRatio: no rows');
  let sum = 0;
  // Relative to the largest, so that the fourth power of a small one does not vanish.
  const largest = rows.reduce((most, { standardError }) => Math.max(most, standardError), 0) || 1;
  let squares = 0;
  let fourth = 0;
  for (const [k, { ratio, standardError, df }] of rows.entries()) {
    if (!Number.isFinite(ratio)) throw new RangeError(`geometricMeanRatio: ratio of row ${k} is ${ratio}`);
    if (!(standardError >= 0 && standardError < Infinity)) {
      throw new RangeError(`geometricMeanRatio: standard error of row ${k} is ${standardError}`);
    }
    if (!(ratio > 0)) return without(resolved, 'not-positive', null);
    sum += Math.log(ratio);
    squares += (standardError / largest) ** 2;
    fourth += (standardError / largest) ** 4 / (df ?? Infinity);
  }
  const m = rows.length;
  return logInterval(
    resolved,
    Math.exp(sum / m),
    (largest * Math.sqrt(squares)) / m,
    fourth === 0 ? Infinity : squares ** 2 / fourth,
  );
}
