import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';

const root = new URL('../../../', import.meta.url);
const run = promisify(execFile);
/** Each js block of a page is a whole program; the text block after it is what it prints. */
const PAIR = /```js\n([\s\S]*?)```\s*```text\n([\s\S]*?)```/g;
const withoutNumbers = (text: string) => text.replace(/\d+/g, '#');

/** Runs every example of docs/<page>.md and compares what it prints with the page; numbers belong to the machine. */
export async function checkExamples(t: ExecutionContext, page: string, env: Record<string, string>): Promise<void> {
  const text = await readFile(new URL(`docs/${page}.md`, root), 'utf8');
  const pairs = [...text.matchAll(PAIR)];
  t.is(pairs.length, text.split('```js\n').length - 1, 'every example is followed by its output');
  t.true(pairs.length > 0);
  // Inside the package, so that `tscope/<entry>` resolves to this build.
  const folder = new URL('out/docs-examples/', root);
  await mkdir(folder, { recursive: true });
  for (const [i, [, source, output]] of pairs.entries()) {
    const file = new URL(`${page}-${i}.mjs`, folder);
    await writeFile(file, source!);
    const { stdout } = await run(process.execPath, [fileURLToPath(file)], { env: { ...process.env, ...env } });
    t.is(withoutNumbers(stdout), withoutNumbers(output!), `example ${i + 1}`);
  }
}
