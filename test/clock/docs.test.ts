import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const root = new URL('../../../', import.meta.url);
const run = promisify(execFile);

// Each js block of the page is a whole program; the text block after it is what it prints.
const PAIR = /```js\n([\s\S]*?)```\s*```text\n([\s\S]*?)```/g;

for (const env of [{}, { TSCOPE_NO_ADDON: '1' }]) {
  test.serial(`the examples of docs/clock.md print what the page says ${JSON.stringify(env)}`, async (t) => {
    const page = await readFile(new URL('docs/clock.md', root), 'utf8');
    const pairs = [...page.matchAll(PAIR)];
    t.is(pairs.length, page.split('```js\n').length - 1, 'every example is followed by its output');
    t.true(pairs.length > 0);
    const folder = new URL('out/docs-examples/', root);
    await mkdir(folder, { recursive: true });
    for (const [i, [, source, output]] of pairs.entries()) {
      // Inside the package, so that `tscope/clock` resolves to this build.
      const file = new URL(`clock-${i}.mjs`, folder);
      await writeFile(file, source!);
      const { stdout } = await run(process.execPath, [fileURLToPath(file)], {
        env: { PATH: process.env.PATH, ...env },
      });
      t.is(stdout, output!, `example ${i + 1}`);
    }
  });
}
