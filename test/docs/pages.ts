/** The pages, and who tests which. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/cli.js';

/** Pages with a test of their own beside what they are about, `test/<folder>/docs.test.ts`. */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  'clock',
  'counters',
  'cpu',
  'histogram',
  'jitter',
  'latency',
  'pacer',
  'stats',
  'stats-series',
]);

/** All pages by their path from docs/, without `.md`; the package's own README beside them. */
export const PAGES: readonly string[] = [
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3)),
  '../README',
];
