import { readFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';

// Answers computed outside this project (Python, most of them again in R): see `source` and `verified_by` of each set.
// Some answers belong to no function here and are asserted through what they follow from: student_p of m_edivisive (no pooled-variance t test: Welch's serves) by t and
// its degrees of freedom, corr_log of c_paired (no correlation: pairs show in the interval) by the standard errors with and without pairs. Left out: `source` and
// `verified_by`, and words that say how a set was made (`def`, `rule`, `order`), which are no answers.
// biome-ignore lint/suspicious/noExplicitAny: thirty-three sets of different shapes; each test knows its own
type Sets = Record<string, any>;

const file = new URL('../../../test/stats/vectors.json', import.meta.url);

export const sets: Sets = JSON.parse(readFileSync(file, 'utf8')).sets;

/** |actual - expected| relative to expected (absolute below 1e-300). */
export const relativeError = (actual: number, expected: number): number =>
  Math.abs(actual - expected) / Math.max(Math.abs(expected), 1e-300);

/** Asserts a relative error of at most `tolerance`; 1e-9 is the vectors' own. */
export function close(t: ExecutionContext, actual: unknown, expected: number, what = '', tolerance = 1e-9): void {
  const ok = typeof actual === 'number' && relativeError(actual, expected) <= tolerance;
  t.true(ok, `${what}: got ${actual}, expected ${expected} (relative error allowed: ${tolerance})`);
}

/** Element by element `close`. */
export function closeAll(
  t: ExecutionContext,
  actual: ArrayLike<number>,
  expected: readonly number[],
  what = '',
  tolerance = 1e-9,
): void {
  t.is(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < expected.length; i++) close(t, actual[i], expected[i]!, `${what}[${i}]`, tolerance);
}
