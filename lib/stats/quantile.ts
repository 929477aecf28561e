import { checkValues } from './check.js';

/**
 * Sample quantile types of Hyndman and Fan 1996. Those with names of their own: 1 = nearest rank (HdrHistogram), 6 = JMH (commons-math),
 * 7 = numpy, R, Excel; 8 = median-unbiased. They differ in the tail, so a percentile is only reproducible with its type.
 */
export type QuantileType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Hyndman and Fan's type 1: always a value that was measured. */
export const NEAREST_RANK = 1 satisfies QuantileType;
/** Hyndman and Fan's type 6: what JMH prints. */
export const JMH_QUANTILE = 6 satisfies QuantileType;
/** Hyndman and Fan's type 7: R's and NumPy's default. */
export const DEFAULT_QUANTILE = 7 satisfies QuantileType;

export function checkProbability(p: number): void {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p must lie in [0, 1] (0.99 for p99), got ${p}`);
}

/**
 * Quantile of a sample, in the unit of the values.
 * @param p 0 to 1
 * @param type interpolation, default 7
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite, a p outside [0, 1] and a
 * type outside 1 to 9
 */
export function quantile(values: ArrayLike<number>, p: number, type: QuantileType = DEFAULT_QUANTILE): number {
  checkValues('quantile', values);
  return quantileSorted(sorted(values), p, type);
}

/** Ascending copy of checked values. */
export const sorted = (values: ArrayLike<number>): Float64Array => Float64Array.from(values).sort();

/** Throws unless `x` holds finite numbers in ascending order. */
export function checkAscending(name: string, x: ArrayLike<number>): void {
  checkValues(name, x);
  for (let i = 1; i < x.length; i++) {
    if (x[i]! < x[i - 1]!) throw new RangeError(`${name}: values must ascend, value ${i} does not; sort them first`);
  }
}

/** As `quantile`, for values already in ascending order. @throws RangeError when they are not */
export function quantileSorted(x: ArrayLike<number>, p: number, type: QuantileType = DEFAULT_QUANTILE): number {
  checkProbability(p);
  checkAscending('quantileSorted', x);
  const n = x.length;
  const at = (rank: number): number => x[Math.min(n, Math.max(1, rank)) - 1]!;
  // 100 * 0.07 is 7.000000000000001 in binary: snap ranks that are whole but for rounding, as R does.
  const snap = (h: number): number => {
    const whole = Math.round(h);
    return Math.abs(h - whole) <= 4 * Number.EPSILON * Math.max(1, Math.abs(h)) ? whole : h;
  };
  if (type === 1) return at(Math.ceil(snap(n * p)));
  if (type === 2) {
    const h = snap(n * p);
    return Number.isInteger(h) ? (at(h) + at(h + 1)) / 2 : at(Math.ceil(h));
  }
  if (type === 3) {
    const h = snap(n * p - 0.5);
    const low = Math.floor(h);
    // On a tie the even rank.
    return at(Number.isInteger(h) && low % 2 === 0 ? low : low + 1);
  }
  const h = snap(position(n, p, type));
  const low = Math.floor(h);
  const part = h - low;
  const a = at(low);
  return part === 0 ? a : a + part * (at(low + 1) - a);
}

/** Rank (1-based, real) that types 4 to 9 interpolate at. */
function position(n: number, p: number, type: QuantileType): number {
  switch (type) {
    case 4:
      return n * p;
    case 5:
      return n * p + 0.5;
    case 6:
      return (n + 1) * p;
    case 7:
      return (n - 1) * p + 1;
    case 8:
      return (n + 1 / 3) * p + 1 / 3;
    case 9:
      return (n + 1 / 4) * p + 3 / 8;
    default:
      throw new RangeError(`quantile type must be 1 to 9, got ${type}`);
  }
}

/**
 * Median: the type 7 quantile at 0.5.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one and values that are not finite
 */
export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);
