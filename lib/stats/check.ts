// Misuse of an API is an exception with one sentence; what data can legitimately look like is a status.

/** Throws unless `values` is a non-empty array (or typed array) of finite numbers. */
export function checkValues(name: string, values: ArrayLike<number>): void {
  if (values === null || typeof values !== 'object' || typeof values.length !== 'number') {
    throw new TypeError(`${name}: expected an array of numbers, got ${values === null ? 'null' : typeof values}`);
  }
  if (values.length === 0) throw new RangeError(`${name}: no values`);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number') throw new TypeError(`${name}: value ${i} is ${typeof value}, not a number`);
    if (!Number.isFinite(value))
      throw new RangeError(`${name}: value ${i} is ${value}; only finite numbers are allowed`);
  }
}

/** Throws unless `groups` is a non-empty array of non-empty arrays of finite numbers. */
export function checkGroups(name: string, groups: ArrayLike<ArrayLike<number>>): void {
  if (groups === null || typeof groups !== 'object' || typeof groups.length !== 'number') {
    throw new TypeError(`${name}: expected an array of arrays of numbers`);
  }
  if (groups.length === 0) throw new RangeError(`${name}: no groups`);
  for (let g = 0; g < groups.length; g++) checkValues(`${name}: group ${g}`, groups[g]!);
}

/** Throws unless `confidence` lies strictly between 0 and 1. */
export function checkConfidence(confidence: number): void {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence must lie strictly between 0 and 1 (0.95 for 95 %), got ${confidence}`);
  }
}

/** Throws unless `value` is a positive finite number. */
export function checkPositive(name: string, value: number): void {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`${name} must be a positive number, got ${value}`);
}
