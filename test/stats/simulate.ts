import { type Random, xoshiro128 } from '#lib/stats/index.js';

/** Standard normal draws from a seeded stream (Box-Muller). */
export function normals(seed: number): { readonly rng: Random; next(): number } {
  const rng = xoshiro128(seed);
  let spare: number | null = null;
  return {
    rng,
    next() {
      if (spare !== null) {
        const value = spare;
        spare = null;
        return value;
      }
      const r = Math.sqrt(-2 * Math.log((rng.u32() + 0.5) / 2 ** 32));
      const angle = 2 * Math.PI * rng.float();
      spare = r * Math.sin(angle);
      return r * Math.cos(angle);
    },
  };
}

/** `groups` unit means around `center`, each the mean of `size` values: relative SD of units and of values as given. */
export function unitMeans(
  next: () => number,
  center: number,
  groups: number,
  unitSd: number,
  valueSd: number,
  size: number,
): number[] {
  return Array.from({ length: groups }, () => center * (1 + unitSd * next() + (valueSd / Math.sqrt(size)) * next()));
}
