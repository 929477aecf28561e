/** tscope/adapters/ava: a macro that passes when one function is faster than another. */
import { type ExpectFasterSettings, expectFaster, type Subject } from '../api/expect-faster.js';

/** What the macro needs of ava's execution context; no types of ava, so that a program without ava can import the package's types. */
export interface Assertions {
  pass(message?: string): unknown;
  fail(message?: string): unknown;
  log(...values: unknown[]): void;
  timeout(ms: number, message?: string): void;
}

/** How long the macro lets a comparison take before ava gives up on it, ms. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * `test('title', faster, candidate, baseline, settings)`: passes when the verdict of {@link expectFaster} is `improved`, and fails with its
 * explanation otherwise. Run such tests alone (ava's `concurrency: 1`): tests beside it take time from the forks.
 */
export const faster = {
  async exec(t: Assertions, candidate: Subject, baseline: Subject, settings: ExpectFasterSettings = {}): Promise<void> {
    t.timeout(TIMEOUT_MS, 'comparing takes its time');
    const { faster: yes, explanation } = await expectFaster(candidate, baseline, settings);
    t.log(explanation);
    if (yes) t.pass(explanation);
    else t.fail(explanation);
  },
  /** Title when the test gives none. */
  title(given: string | undefined, candidate: Subject, baseline: Subject): string {
    const name = (subject: Subject, otherwise: string) =>
      (typeof subject === 'function' ? subject.name : subject.export) || otherwise;
    return given || `${name(candidate, 'candidate')} is faster than ${name(baseline, 'baseline')}`;
  },
};
