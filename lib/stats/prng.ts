/** A seeded stream of pseudo-random numbers. Same seed, same stream, on every platform. */
export interface Random {
  /** Next 32-bit word, 0 .. 2^32 - 1. */
  u32(): number;
  /** Uniform in [0, 1), 32 bits of resolution. */
  float(): number;
  /** Uniform whole number in 0 .. n - 1 (n < 2^32; bias below n / 2^32). */
  below(n: number): number;
}

/** A seeded source of random numbers. */
export type Generator = 'mulberry32' | 'xoshiro128**';

function checkSeed(seed: number): void {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a whole number, got ${seed}`);
}

/**
 * Mulberry32: 32 bits of state, so a period of at most 2^32 draws. For short streams: schedules, permutations, vectors.
 * @throws RangeError for a seed that is not a whole number
 */
export function mulberry32(seed: number): Random {
  checkSeed(seed);
  let a = seed | 0;
  const u32 = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return stream(u32);
}

/**
 * xoshiro128** (Blackman and Vigna 2018): period 2^128 - 1, for long streams such as bootstraps. State filled by mulberry32.
 * @throws RangeError for a seed that is not a whole number
 */
export function xoshiro128(seed: number): Random {
  const fill = mulberry32(seed);
  return xoshiro128State(fill.u32(), fill.u32(), fill.u32(), fill.u32());
}

/** xoshiro128** from its four state words, not all zero. @throws RangeError for four zeros */
export function xoshiro128State(s0: number, s1: number, s2: number, s3: number): Random {
  let [a, b, c, d] = [s0 | 0, s1 | 0, s2 | 0, s3 | 0];
  if ((a | b | c | d) === 0) throw new RangeError('xoshiro128**: the four state words must not all be zero');
  const u32 = () => {
    const r = Math.imul(b, 5);
    const result = Math.imul((r << 7) | (r >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  return stream(u32);
}

/**
 * The generator of that name, seeded.
 * @throws TypeError for an unknown generator; RangeError for a seed that is not a whole number
 */
export function random(generator: Generator, seed: number): Random {
  if (generator === 'mulberry32') return mulberry32(seed);
  if (generator === 'xoshiro128**') return xoshiro128(seed);
  throw new TypeError(`unknown generator "${generator}": use mulberry32 or xoshiro128**`);
}

function stream(u32: () => number): Random {
  return {
    u32,
    float: () => u32() / 4294967296,
    below: (n) => Math.floor((u32() / 4294967296) * n),
  };
}

/** Fisher-Yates in place, from the last element down to the second, one draw each. Returns the same array. */
export function shuffle<T>(items: T[], rng: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
