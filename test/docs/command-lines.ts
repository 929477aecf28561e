/** Command lines of the pages, read by the program's own parser without running anything. */
import { CommanderError } from 'commander';
import { expandJmhFlags } from '#lib/cli/jmh-flags.js';
import { processIo } from '#lib/cli/process-io.js';
import { createProgram } from '#lib/cli/program.js';

/** The program with commands that do nothing and say nothing. */
export function idleProgram(said: string[] = []): ReturnType<typeof createProgram> {
  const program = createProgram(processIo(), [], () => {});
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: (text) => said.push(text.trim()) });
    if (command !== program) command.action(() => {});
  }
  return program;
}

/** Words of one simple command as a shell reads them: quotes, and `#` for a comment. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [, single, double, comment, bare] of line.matchAll(
    /'([^']*)'|"([^"]*)"|(#.*)|((?:[^\s'"#]|(?<=\S)#)+)/g,
  )) {
    if (comment !== undefined) break;
    words.push((single ?? double ?? bare)!);
  }
  return words;
}

/** Arguments of each `tscope` command of shell text; commands of other programs are not ours to check. */
export function commandLines(text: string): string[][] {
  const lines = text.replace(/\\\n/g, ' ').split(/\n|&&|;/);
  return lines.flatMap((line) => {
    const words = wordsOf(line);
    while (/^[A-Z_]+=/.test(words[0] ?? '') || words[0] === 'npx' || words[0] === '$') words.shift();
    return words[0] === 'tscope' ? [words.slice(1)] : [];
  });
}

/** Why the program would refuse these arguments; null when it would not. */
export function refusal(args: readonly string[]): string | null {
  const said: string[] = [];
  try {
    idleProgram(said).parse(expandJmhFlags(args), { from: 'user' });
    return null;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return null;
    return said.join(' ') || (error as Error).message;
  }
}
