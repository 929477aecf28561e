/** Arguments of this folder's functions: one sentence that says what, where and what is allowed. */

/** A finite number from `low` to `high`. @throws TypeError, RangeError */
export function checkNumber(value: unknown, name: string, low: number, high: number, unit = ''): number {
  const range = `from ${low} to ${high}${unit && ` ${unit}`}`;
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number ${range}, got ${typeof value}`);
  if (!(value >= low && value <= high)) throw new RangeError(`${name} must be ${range}, got ${value}`);
  return value;
}

/** A whole number from `low` to `high`. @throws TypeError, RangeError */
export function checkWhole(value: unknown, name: string, low: number, high: number): number {
  const number = checkNumber(value, name, low, high);
  if (!Number.isInteger(number)) throw new RangeError(`${name} must be a whole number, got ${number}`);
  return number;
}

/** @throws TypeError */
export function checkFunction(value: unknown, name: string): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, got ${typeof value}`);
}
