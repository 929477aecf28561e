import type { ExecutionContext } from 'ava';
import { close } from './vectors.js';

export { sets as vectors } from './vectors.js';

/** `close` with the message last. */
export const near = (t: ExecutionContext, actual: number | null, expected: number, message = ''): void =>
  close(t, actual, expected, message);

/** A p-value: below 1e-12 its log10 to 1e-6 (the vectors' own rule), else as `near`. */
export function nearP(t: ExecutionContext, actual: number | null, expected: number, message = ''): void {
  if (expected >= 1e-12) near(t, actual, expected, message);
  else t.true(actual !== null && Math.abs(Math.log10(actual) - Math.log10(expected)) <= 1e-6, `${message} ${actual}`);
}
