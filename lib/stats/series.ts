// What every function on one series of values shares: checking it, and its plain moments.

/** One series of finite values, in whatever unit the caller uses. */
export type Series = ArrayLike<number>;

/**
 * Throws unless `values` is a series of finite numbers.
 * @throws TypeError when it is not array-like; RangeError when a value is not a finite number
 */
export function assertSeries(values: Series, name = 'values'): void {
  if (typeof values !== 'object' || values === null || !Number.isInteger(values.length)) {
    throw new TypeError(`${name} must be an array of numbers, got ${values === null ? 'null' : typeof values}`);
  }
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw new RangeError(`${name}[${i}] must be a finite number, got ${values[i]}`);
  }
}

/** Throws a RangeError unless `low <= value <= high` (either bound may be infinite; the value may not). */
export function assertWithin(value: number, low: number, high: number, name: string): void {
  if (!Number.isFinite(value) || value < low || value > high) {
    throw new RangeError(`${name} must be a number from ${low} to ${high}, got ${value}`);
  }
}

/** Throws a RangeError unless `value` is an integer of at least `low`. */
export function assertCount(value: number, low: number, name: string): void {
  if (!Number.isInteger(value) || value < low) {
    throw new RangeError(`${name} must be an integer of at least ${low}, got ${value}`);
  }
}

/** Mean of `values[from..to)`; the range must hold a value. */
export function meanOf(values: Series, from = 0, to = values.length): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  const first = sum / (to - from);
  // Second pass: takes the rounding of a long sum back out.
  let rest = 0;
  for (let i = from; i < to; i++) rest += values[i]! - first;
  return first + rest / (to - from);
}

/** Sum of squared deviations from the mean of `values[from..to)`. */
export function squaresOf(values: Series, from = 0, to = values.length, mean = meanOf(values, from, to)): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (values[i]! - mean) ** 2;
  return sum;
}

/** Sample variance (divisor n - 1) of `values[from..to)`; the range must hold two values. */
export function varianceOf(values: Series, from = 0, to = values.length): number {
  return squaresOf(values, from, to) / (to - from - 1);
}

/** Values in ascending order, in a new array. */
export function ascending(values: Series): Float64Array {
  return Float64Array.from(values).sort();
}

/** Type-7 quantile (linear between order statistics, as numpy and Excel) of values in ascending order. */
export function quantile7Of(sorted: Series, p: number): number {
  const h = (sorted.length - 1) * p;
  const low = Math.floor(h);
  const value = sorted[low]!;
  return low + 1 < sorted.length ? value + (h - low) * (sorted[low + 1]! - value) : value;
}

/** Median of values in any order; the series must hold a value. */
export function medianOf(values: Series): number {
  return quantile7Of(ascending(values), 0.5);
}
