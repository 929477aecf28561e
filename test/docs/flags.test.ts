/** Every command and every flag of `tscope run` has its place in the pages, and the page has no flag that is not there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ROOT, tscope } from '../support/cli.js';
import { idleProgram } from './command-lines.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const LONG = /(?<![\w-])--[a-z][a-z-]*/g;

/** Flags in the first column of the page's tables. */
const inTables = (page: string): string[] => [...page.matchAll(/^\| `(--[a-z-]+)/gm)].map((match) => match[1]!).sort();

test('docs/run.md has every long flag of tscope run --help in a table, once, and no other', async (t) => {
  const { code, stdout } = await tscope(['run', '--help']);
  t.is(code, 0);
  // The flags of a line stand before its description, which may name others.
  const flags = [...stdout.matchAll(/^ {2}(-\S.*?)(?: {2,}|$)/gm)].flatMap((match) => match[1]!.match(LONG) ?? []);
  t.true(flags.length > 50, `only ${flags.length} flags were found in the help`);
  t.deepEqual(inTables(read('docs/run.md')), [...new Set(flags)].sort());
});

test('the short flags of docs/run.md are those of the help', async (t) => {
  const { stdout } = await tscope(['run', '--help']);
  const short = [...stdout.matchAll(/^ {2}(-[a-zA-Z]+), (--[a-z-]+)/gm)].map(([, s, long]) => `${long} ${s}`);
  const told = [...read('docs/run.md').matchAll(/^\| `(--[a-z-]+)[^`]*` *\| `(-[a-zA-Z]+)`/gm)];
  t.deepEqual(told.map(([, long, s]) => `${long} ${s}`).sort(), short.sort());
});

test('every command has a page that names it, and every page is linked in the index', (t) => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const texts = pages.map((name) => read(`docs/${name}`));
  const commands = idleProgram().commands.map((command) => command.name());
  t.true(commands.length > 10);
  t.deepEqual(
    commands.filter((name) => !texts.some((text) => new RegExp(`\\btscope ${name}(?![\\w-])`).test(text))),
    [],
  );
  const index = read('docs/README.md');
  t.deepEqual(
    pages.filter((name) => !index.includes(`](${name})`)),
    [],
  );
});
