/** The same estimate as native/core/clock/steps.cc, for the clock without the addon. */

const MOST = 0.8;
const ROUNDED = 8;
const LARGEST = 512;
const MULTIPLES = 16;
const ENOUGH = 0.3;

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

/**
 * The step a counter really makes, from differences of readings at varied distances (whole numbers; zeros and negatives are
 * left out): the largest step that at least 80 % of the differences are multiples of, where steps of 8 and more may be rounded
 * by one. 1 when the readings never moved.
 */
export function granularityOf(differences: readonly number[]): number {
  const moved = differences.filter((d) => d > 0);
  const divisor = moved.reduce(gcd, 0);
  if (divisor === 0) return 1;
  const scaled = new Map<number, number>();
  for (const d of moved) scaled.set(d / divisor, (scaled.get(d / divisor) ?? 0) + 1);
  for (let step = LARGEST; step > 1; step--) {
    if (share(scaled, moved.length, step, step >= ROUNDED ? 1 : 0) < MOST) continue;
    let best = step;
    let bestShare = 0;
    for (let candidate = step; step >= ROUNDED && candidate >= Math.max(ROUNDED, step - 2); candidate--) {
      const exact = share(scaled, moved.length, candidate, 0);
      if (exact > bestShare) [best, bestShare] = [candidate, exact];
    }
    return best * divisor;
  }
  return divisor;
}

/** Share of the differences up to MULTIPLES steps that are multiples of `step` within `tolerance`; 0 if they are too few. */
function share(counts: ReadonlyMap<number, number>, total: number, step: number, tolerance: number): number {
  let judged = 0;
  let fit = 0;
  for (const [difference, count] of counts) {
    // One tick is no step, only the counter's way of not repeating itself.
    if (difference <= tolerance || difference > MULTIPLES * step) continue;
    judged += count;
    const over = difference % step;
    if (Math.min(over, step - over) <= tolerance) fit += count;
  }
  return judged < ENOUGH * total ? 0 : fit / judged;
}
