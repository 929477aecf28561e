/** The pages of docs/ whose blocks are checked by the one mechanism of blocks.ts. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ROOT } from '../support/cli.js';
import { blocksOf, openPage, runBlocks, typeErrors } from './blocks.js';

/** Pages with a test of their own beside what they are about. */
const ELSEWHERE = new Set([
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

const names = readdirSync(join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -3))
  .filter((name) => !ELSEWHERE.has(name));
// The package's own README beside them.
const pages = [...names, '../README'].map(openPage);

test.serial('the TypeScript of all pages type-checks', (t) => {
  t.true(pages.some(({ files }) => files.size > 0));
  t.deepEqual(typeErrors(pages), []);
});

for (const page of pages) {
  if (page.blocks.length === 0) continue;
  test.serial(`the blocks of docs/${page.name}.md run`, (t) => {
    t.timeout(5 * 60_000);
    t.deepEqual(runBlocks(page), []);
  });
}

test('blocks are found with their words and lines', (t) => {
  t.deepEqual(blocksOf('# T\n\n```ts file=a.ts\nlet a;\n```\n\n```sh run exit=2\nb\n```\n'), [
    { language: 'ts', words: ['file=a.ts'], text: 'let a;\n', line: 3 },
    { language: 'sh', words: ['run', 'exit=2'], text: 'b\n', line: 7 },
  ]);
});
