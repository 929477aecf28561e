/** The pages of docs/ whose blocks are checked by the one mechanism of blocks.ts. */
import test from 'ava';
import { blocksOf, openPage, runBlocks, typeErrors } from './blocks.js';
import { ELSEWHERE, PAGES } from './pages.js';

const pages = PAGES.map(openPage);

test.serial('the TypeScript of all pages type-checks', (t) => {
  t.true(
    pages.some(({ name, files }) => name === 'latency' && [...files.keys()].some(({ language }) => language === 'ts')),
  );
  t.deepEqual(typeErrors(pages), []);
});

for (const page of pages) {
  if (page.blocks.length === 0 || ELSEWHERE.has(page.name)) continue;
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
