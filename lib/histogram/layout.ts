/**
 * Where a value lands: the bucket layout of HdrHistogram, so that interchange moves counts and never re-buckets them.
 *
 * Values below 2^bits units have a bucket each; above, every power of two is divided into 2^(bits-1) equal buckets.
 * With `e` = how many binary digits a value has beyond `bits`, its index is `e * 2^(bits-1) + (value >> e)`.
 */
export interface Layout {
  /** Significant decimal digits kept, 1 to 5: a bucket is at most 10^-digits of its values wide. */
  readonly digits: number;
  /** Smallest difference kept, as a power of two: values are divided by 2^unit first. */
  readonly unit: number;
  /** Binary digits kept. */
  readonly bits: number;
}

/** Largest value that can be recorded. */
export const MAX_VALUE = Number.MAX_SAFE_INTEGER;

/**
 * @param digits Significant decimal digits, 1 to 5.
 * @param lowest Smallest difference worth keeping, at least 1; rounded down to a power of two.
 * @throws RangeError when either is out of range.
 */
export function layoutOf(digits: number, lowest = 1): Layout {
  if (!Number.isInteger(digits) || digits < 1 || digits > 5) {
    throw new RangeError(`histogram: digits must be an integer from 1 to 5, not ${digits}`);
  }
  if (!Number.isSafeInteger(lowest) || lowest < 1) {
    throw new RangeError(`histogram: lowest must be a whole number of at least 1, not ${lowest}`);
  }
  const unit = Math.floor(Math.log2(lowest));
  const bits = Math.ceil(Math.log2(2 * 10 ** digits));
  if (unit + bits > 53) {
    throw new RangeError(
      `histogram: lowest ${lowest} with ${digits} digits leaves no room below 2^53; make one smaller`,
    );
  }
  return { digits, unit, bits };
}

export const sameLayout = (a: Layout, b: Layout): boolean => a.bits === b.bits && a.unit === b.unit;

/** Position of the highest one-bit of a whole number from 1 to 2^53-1. */
function topBit(value: number): number {
  return value < 0x80000000 ? 31 - Math.clz32(value) : 53 - Math.clz32(Math.floor(value / 4194304));
}

/** Index of the bucket that holds `value`, a number from 0 to {@link MAX_VALUE}; a fraction is cut off. */
export function indexOf({ bits, unit }: Layout, value: number): number {
  const v = Math.floor(value);
  const e = v === 0 ? 0 : Math.max(0, topBit(v) - (bits - 1) - unit);
  return e * 2 ** (bits - 1) + Math.floor(v / 2 ** (e + unit));
}

/** Lowest value of bucket `index`. */
export function lowestOf({ bits, unit }: Layout, index: number): number {
  const half = 2 ** (bits - 1);
  const e = index < 2 * half ? 0 : Math.floor(index / half) - 1;
  return (index - e * half) * 2 ** (e + unit);
}

/** How many whole numbers bucket `index` holds. */
export function widthOf({ bits, unit }: Layout, index: number): number {
  const half = 2 ** (bits - 1);
  return 2 ** ((index < 2 * half ? 0 : Math.floor(index / half) - 1) + unit);
}

/** Highest value of bucket `index`. */
export const highestOf = (layout: Layout, index: number): number =>
  Math.min(lowestOf(layout, index) + widthOf(layout, index) - 1, MAX_VALUE);

/** Value in the middle of bucket `index`, as HdrHistogram rounds it: what mean and deviation are computed from. */
export const middleOf = (layout: Layout, index: number): number =>
  lowestOf(layout, index) + Math.floor(widthOf(layout, index) / 2);

/** Buckets needed so that every value up to `highest` has one, rounded up to a whole power of two of values. */
export function lengthFor(layout: Layout, highest: number): number {
  const half = 2 ** (layout.bits - 1);
  return Math.ceil((indexOf(layout, highest) + 1) / half) * half;
}
