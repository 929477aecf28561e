/** Readers of flag values: each turns text into a value or throws UsageError naming the flag. */
import { UsageError } from '../runner/usage-error.js';
import { DURATION_HINT, parseDuration } from '../suite/duration.js';

/** A flag that may be repeated. */
export const collect = (value: string, list: string[]): string[] => [...list, value];

/** A whole number of at least `min`, and at most `max` where there is one. */
export const integerFlag =
  (flag: string, min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`${flag}: "${text}" is not a whole number ${range}.`);
  };

/** Any finite number. */
export const numberFlag =
  (flag: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) return value;
    throw new UsageError(`${flag}: "${text}" is not a number.`);
  };

/** A time as ms; a bare number is in seconds, as in JMH. */
export const timeFlag =
  (flag: string) =>
  (text: string): number => {
    const ms = parseDuration(text, 's');
    if (ms !== null) return ms;
    throw new UsageError(`${flag}: "${text}" is not a time; ${DURATION_HINT} (a bare number is seconds).`);
  };

/** A time as ms from `min` to `max`, which are written as such flags are. */
export const timeBetween =
  (flag: string, min: string, max: string) =>
  (text: string): number => {
    const ms = timeFlag(flag)(text);
    if (ms >= parseDuration(min, 's')! && ms <= parseDuration(max, 's')!) return ms;
    throw new UsageError(`${flag}: "${text}" is not from ${min} to ${max}.`);
  };

/** `true` or `false`. */
export const switchFlag =
  (flag: string) =>
  (text: string): boolean => {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new UsageError(`${flag}: "${text}" must be true or false.`);
  };
