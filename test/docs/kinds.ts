/** What the tests do with each block of the pages: a block of no kind is one that nobody checks, and fails. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/cli.js';
import type { Block } from './blocks.js';
import { commandLines, foreignCommands, refusal } from './command-lines.js';

/**
 * - `run`: a program or a shell script that is run; what a program prints is compared with the `text` block after it.
 * - `type-checked`: TypeScript. `written`: a file that blocks after it use.
 * - `parsed`: shell commands read by the program's own parser, JSON read as JSON.
 * - `output`: text. Lines of it that begin with `$` are parsed too.
 * - `excerpt`: said to be one.
 */
type Kind = 'run' | 'type-checked' | 'written' | 'parsed' | 'output' | 'excerpt';

/** How a page is tested: by blocks.ts, or by a test of its own beside what it is about, which runs the plain `js` blocks. */
type Testing = 'blocks' | 'elsewhere';

const WORDS: Readonly<Record<string, RegExp>> = {
  ts: /^file=\S+$/,
  js: /^file=\S+$/,
  sh: /^(run|exit=\d+)$/,
};

/** The kind of a block; null when nothing checks it. */
export function kindOf({ language, words }: Block, testing: Testing): Kind | null {
  if (words.length === 1 && words[0] === 'excerpt') return 'excerpt';
  if (!words.every((word) => WORDS[language]?.test(word))) return null;
  switch (language) {
    case 'ts':
      return 'type-checked';
    case 'js':
      if (words.length === 0) return 'run';
      return testing === 'blocks' ? 'written' : null;
    case 'sh':
      if (words.length === 0) return 'parsed';
      return testing === 'blocks' && words.includes('run') ? 'run' : null;
    case 'json':
      return 'parsed';
    case 'text':
      return 'output';
    default:
      return null;
  }
}

/** Fences of a page, opened and closed: more than twice its blocks means one that is not seen as a block. */
export const fencesOf = (page: string): number => page.match(/^[ \t>]*(```|~~~)/gm)?.length ?? 0;

/** What is wrong with the text of a parsed block, or with the commands that an output shows. */
export function parseProblems({ language, text }: Block): string[] {
  if (language === 'json') {
    try {
      JSON.parse(text);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }
  const shell = language === 'sh' ? text : (text.match(/^\$ .*$/gm) ?? []).join('\n');
  const refused = commandLines(shell).flatMap((args) => {
    const why = refusal(args);
    return why === null ? [] : [`tscope ${args.join(' ')}: ${why}`];
  });
  return [...refused, ...foreignCommands(shell)];
}

/** The text of a page; `name` is its path from docs/, without `.md`. */
export const textOf = (name: string): string => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8');
