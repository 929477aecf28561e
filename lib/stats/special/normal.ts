import { gammaQ } from './gamma.js';

/**
 * Standard normal cumulative distribution, accurate to 1e-13 relative in the lower tail too.
 * @throws RangeError for NaN
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) throw new RangeError('normalCdf: z is NaN');
  const tail = 0.5 * gammaQ(0.5, (z * z) / 2);
  return z > 0 ? 1 - tail : tail;
}

/**
 * Standard normal quantile, 0 < p < 1. Abramowitz-Stegun 26.2.23 as a start (4.5e-4), then Halley steps on the lower tail.
 * @throws RangeError for a p outside (0, 1)
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`normalQuantile: p must lie strictly between 0 and 1, got ${p}`);
  if (p === 0.5) return 0;
  const q = Math.min(p, 1 - p);
  const t = Math.sqrt(-2 * Math.log(q));
  let z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (let i = 0; i < 8; i++) {
    const u = (normalCdf(z) - q) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2);
    const step = u / (1 + (z * u) / 2);
    z -= step;
    if (Math.abs(step) <= 1e-6 * Math.abs(z)) break; // cubic: the next would be 1e-18
  }
  return p < 0.5 ? z : -z;
}
