/** Every block of every page is checked by something, and commands that are not run are at least commands of this program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ROOT } from '../support/cli.js';
import { type Block, blocksOf } from './blocks.js';
import { fencesOf, kindOf, parseProblems, textOf } from './kinds.js';
import { ELSEWHERE, PAGES } from './pages.js';

const pages = PAGES.map((name) => ({ name, text: textOf(name), blocks: blocksOf(textOf(name)) }));
const testing = (name: string) => (ELSEWHERE.has(name) ? 'elsewhere' : 'blocks');

test('every block is of a kind that is checked', (t) => {
  const unchecked = pages.flatMap(({ name, text, blocks }) => [
    ...blocks
      .filter((block) => kindOf(block, testing(name)) === null)
      .map(({ language, words, line }) => `${name}.md:${line}: ${[language, ...words].join(' ')}`),
    ...(fencesOf(text) === 2 * blocks.length ? [] : [`${name}.md: a fence without a language, or not at the margin`]),
  ]);
  t.deepEqual(unchecked, []);
});

test('pages that are tested elsewhere have a test there', (t) => {
  const tests = readdirSync(join(ROOT, 'test'))
    .map((folder) => join(ROOT, 'test', folder, 'docs.test.ts'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  t.deepEqual(
    [...ELSEWHERE].filter((name) => !tests.some((text) => text.includes(`'${name}'`))),
    [],
  );
});

test('commands that are shown and not run are known to the program, with their flags; JSON is JSON', (t) => {
  const problems = pages.flatMap(({ name, blocks }) =>
    blocks
      .filter((block) => ['parsed', 'output'].includes(kindOf(block, testing(name)) ?? ''))
      .flatMap((block) => parseProblems(block).map((problem) => `${name}.md:${block.line}: ${problem}`)),
  );
  t.deepEqual(problems, []);
});

const block = (language: string, text: string, ...words: string[]): Block => ({ language, words, text, line: 1 });

test('the checks see what is wrong', (t) => {
  t.is(kindOf(block('java', ''), 'blocks'), null);
  t.is(kindOf(block('sh', '', 'runs'), 'blocks'), null);
  t.is(kindOf(block('sh', '', 'run'), 'elsewhere'), null);
  t.is(kindOf(block('java', '', 'excerpt'), 'blocks'), 'excerpt');
  t.is(fencesOf('```\na\n```\n\n- a\n\n  ```sh\n  ```\n'), 4);
  const problems = (text: string, language = 'sh') => parseProblems(block(language, text)).join('\n');
  t.is(
    problems("npx tscope run 'a b.ts' -f 5 -p n=1,2 # a comment; more of it\nnpm ci && A=1 tscope eval 'x #' \"y\"\n"),
    '',
  );
  t.regex(problems('tscope rum\n'), /tscope rum: .*unknown command 'rum'/);
  t.regex(problems('npm ci && tscope run --forkz 3\n'), /unknown option '--forkz'/);
  t.regex(problems('tscope run -r "5 parsecs"\n'), /-r \(--iteration-time\): "5 parsecs" is not a time/);
  t.regex(problems('tscope quick a.mjs\n'), /missing required argument 'export'/);
  t.regex(problems('npm run nothing\n'), /npm run nothing: no command/);
  t.regex(problems('$ tscope jitter --cpus 1\nwith output\n', 'text'), /unknown option '--cpus'/);
  t.regex(problems('{ a }', 'json'), /JSON/);
});
