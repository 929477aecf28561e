/**
 * Code blocks of a page of docs/, made real. What the line after the fence says:
 *
 * - `ts`: type-checked. With `file=NAME` it is also written under that name, for blocks that follow.
 * - `js`: run as a program of its own (exit code 0); when a `text` block follows, it prints that, numbers aside. With `file=NAME` it is
 *   written and not run.
 * - `sh run`: run in the folder of the page's files, with short measurements; `exit=N` when the exit code is not 0.
 * - `excerpt` after any of these: shown only. What becomes of other blocks is in kinds.ts.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/cli.js';

export interface Block {
  readonly language: string;
  /** Words after the language. */
  readonly words: readonly string[];
  readonly text: string;
  /** Line of the fence, from 1. */
  readonly line: number;
}

/** All fenced blocks of a page. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```([\w-]+)([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    words: match[2]!.trim().split(/\s+/).filter(Boolean),
    text: match[3]!,
    line: page.slice(0, match.index).split('\n').length,
  }));
}

const wordOf = ({ words }: Block, name: string): string | undefined =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);

const isExcerpt = ({ words }: Block) => words.includes('excerpt');

/** The blocks of one page, written to a folder inside the package, so that `tscope` and `tscope/...` are this build. */
export interface Page {
  readonly name: string;
  readonly folder: string;
  readonly blocks: readonly Block[];
  /** Path of each block that was written. */
  readonly files: ReadonlyMap<Block, string>;
}

/** Reads docs/<name>.md and writes its blocks. */
export function openPage(name: string): Page {
  const folder = join(ROOT, 'out/docs-blocks', name);
  rmSync(folder, { recursive: true, force: true });
  const blocks = blocksOf(readFileSync(join(ROOT, `docs/${name}.md`), 'utf8'));
  const files = new Map<Block, string>();
  for (const block of blocks) {
    if (isExcerpt(block) || (block.language !== 'ts' && block.language !== 'js')) continue;
    const file = join(folder, wordOf(block, 'file') ?? `line-${block.line}.${block.language === 'ts' ? 'ts' : 'mjs'}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.text);
    files.set(block, file);
  }
  return { name, folder, blocks, files };
}

/** Type errors of the TypeScript blocks of pages, `page.md:line of the block: message`. */
export function typeErrors(pages: readonly Page[]): string[] {
  const places = new Map<string, string>();
  for (const page of pages) {
    for (const [block, file] of page.files)
      if (block.language === 'ts') places.set(file, `${page.name}.md:${block.line}`);
  }
  const program = ts.createProgram([...places.keys()], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const place = (file && places.get(file.fileName)) ?? file?.fileName ?? 'options';
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const withoutNumbers = (text: string) => text.replace(/\d+/g, '#');

/** Measurements as short as can be; a block that sets its own options keeps them. */
const SHORT = {
  TSCOPE_FORKS: '1',
  TSCOPE_WARMUP_ITERATIONS: '1',
  TSCOPE_WARMUP_TIME: '20ms',
  TSCOPE_ITERATIONS: '1',
  TSCOPE_ITERATION_TIME: '20ms',
};

function run(command: string, args: readonly string[], cwd: string) {
  const bin = join(ROOT, 'out/docs-blocks/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'tscope'),
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(join(ROOT, 'dist/cli/main.js'))} "$@"\n`,
  );
  chmodSync(join(bin, 'tscope'), 0o755);
  const env = { HOME: process.env.HOME, PATH: [bin, process.env.PATH].join(delimiter), ...SHORT };
  return spawnSync(command, args, { cwd, encoding: 'utf8', env });
}

/** Runs the js and sh blocks of a page in their order; what went wrong, `page.md:line: what`. */
export function runBlocks({ name, folder, blocks, files }: Page): string[] {
  const problems: string[] = [];
  for (const [i, block] of blocks.entries()) {
    if (isExcerpt(block)) continue;
    const where = `${name}.md:${block.line}`;
    const program = block.language === 'js' && wordOf(block, 'file') === undefined;
    if (!program && !(block.language === 'sh' && block.words.includes('run'))) continue;
    mkdirSync(folder, { recursive: true });
    const { status, stdout, stderr } = program
      ? run(process.execPath, [files.get(block)!], folder)
      : run('sh', ['-e', '-c', block.text], folder);
    const expected = Number(wordOf(block, 'exit') ?? 0);
    if (status !== expected) problems.push(`${where}: exit code ${status} instead of ${expected}: ${stderr || stdout}`);
    const next = blocks[i + 1];
    if (program && next?.language === 'text' && withoutNumbers(stdout) !== withoutNumbers(next.text)) {
      problems.push(`${where}: prints ${JSON.stringify(stdout)}, the page says ${JSON.stringify(next.text)}`);
    }
  }
  return problems;
}
