import type { Series } from './series.js';
import { ibeta } from './special.js';

/**
 * Harrell-Davis quantile of values in ascending order, weights cut off where they are below 1e-9 in all (8 standard deviations
 * of the rank): for density histograms, which need a hundred of them.
 */
export function harrellDavisAt(sorted: Series, p: number): number {
  const n = sorted.length;
  if (p <= 0) return sorted[0]!;
  if (p >= 1) return sorted[n - 1]!;
  const [a, b] = [(n + 1) * p, (n + 1) * (1 - p)];
  const spread = 8 * Math.sqrt(Math.max(1, n * p * (1 - p)));
  const from = Math.max(0, Math.floor(n * p - spread));
  const to = Math.min(n, Math.ceil(n * p + spread));
  let sum = 0;
  let total = 0;
  let before = from === 0 ? 0 : ibeta(from / n, a, b);
  for (let i = from; i < to; i++) {
    const upTo = i + 1 === n ? 1 : ibeta((i + 1) / n, a, b);
    sum += (upTo - before) * sorted[i]!;
    total += upTo - before;
    before = upTo;
  }
  return sum / total;
}
