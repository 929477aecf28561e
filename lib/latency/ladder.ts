/** Samples that must lie beyond a percentile before it is shown: with fewer, one stall decides it. */
export const MIN_BEYOND = 10;

/** JLBH's ladder: 50 and 90, then 99, 99.7, 99.9, 99.97 ... as far as samples can reach. */
export const LADDER: readonly number[] = [
  50, 90, 99, 99.7, 99.9, 99.97, 99.99, 99.997, 99.999, 99.9997, 99.9999, 99.99997, 99.99999, 99.999997,
];

/** Does `n` allow percentile `p`, with at least {@link MIN_BEYOND} samples beyond it? */
export function allows(p: number, n: number): boolean {
  return n * (100 - p) * (1 + 1e-9) >= 100 * MIN_BEYOND;
}

/** Samples needed before percentile `p` is shown. */
export const neededFor = (p: number): number => Math.ceil((100 * MIN_BEYOND) / (100 - p) - 1e-6);

/** Name of a level as reports print it: 50.0, 99.0, 99.7, 99.97. */
export const levelName = (p: number): string => (Number.isInteger(p) ? p.toFixed(1) : String(p));
