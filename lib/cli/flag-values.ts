import { UsageError } from '../runner/usage-error.js';

/** Reader of a flag that takes a whole number of at least `min`; throws UsageError naming the flag. */
export const integerFlag =
  (flag: string, min: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw new UsageError(`${flag}: "${text}" is not a whole number of at least ${min}.`);
  };
