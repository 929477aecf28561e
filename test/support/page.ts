import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';

const root = new URL('../../../', import.meta.url);
const run = promisify(execFile);

// Each js block of a page is a whole program; the text block after it is what it prints.
const PAIR = /```js\n([\s\S]*?)```\s*```text\n([\s\S]*?)```/g;
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#');

export interface PageOptions {
  /** Environment of the examples. Default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
  /** Numbers belong to the machine: only the words are compared. Default false. */
  readonly wordsOnly?: boolean;
}

/** Runs every example of docs/<name>.md and compares what it prints with the page. */
export async function examplesPrintWhatThePageSays(
  t: ExecutionContext,
  name: string,
  { env = process.env, wordsOnly = false }: PageOptions = {},
): Promise<void> {
  const page = await readFile(new URL(`docs/${name}.md`, root), 'utf8');
  const pairs = [...page.matchAll(PAIR)];
  t.is(pairs.length, page.split('```js\n').length - 1, 'every example is followed by its output');
  t.true(pairs.length > 0);
  const told = wordsOnly ? withoutNumbers : (text: string) => text;
  const folder = new URL('out/docs-examples/', root);
  await mkdir(folder, { recursive: true });
  for (const [i, [, source, output]] of pairs.entries()) {
    // Inside the package, so that `tscope/...` resolves to this build.
    const file = new URL(`${name}-${i}.mjs`, folder);
    await writeFile(file, source!);
    const { stdout } = await run(process.execPath, [fileURLToPath(file)], { env });
    t.is(told(stdout), told(output!), `example ${i + 1}`);
  }
}
