/** Command lines of the pages, read by the program's own parser without running anything. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { expandJmhFlags } from '#lib/cli/jmh-flags.js';
import { processIo } from '#lib/cli/process-io.js';
import { createProgram } from '#lib/cli/program.js';
import { commandLineOptions, paramOverrides } from '#lib/cli/run-flags.js';
import { ROOT } from '../support/cli.js';

/** The program with commands that do nothing but read their values, and say nothing. */
export function idleProgram(said: string[] = []): Command {
  const program = createProgram(processIo(), [], () => {});
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: (text) => said.push(text.trim()) });
    if (command === program) continue;
    command.action(() => {
      if (command.name() !== 'run' && command.name() !== 'eval') return;
      const flags = command.opts();
      commandLineOptions(flags);
      paramOverrides(flags.param);
    });
  }
  return program;
}

/** The words of each command of shell text, without what stands before its name (`$`, variables, npx): quotes, comments, `&&` and `;` are read. */
function commandsOf(text: string): string[][] {
  const commands: string[][] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    let words: string[] = [];
    commands.push(words);
    for (const match of line.matchAll(/'([^']*)'|"([^"]*)"|((?<!\S)#.*)|(&&|;)|([^\s'";]+)/g)) {
      const [, single, double, comment, end, bare] = match;
      if (comment !== undefined) break;
      if (end === undefined) words.push((single ?? double ?? bare)!);
      else commands.push((words = []));
    }
  }
  return commands.flatMap((words) => {
    const name = words.findIndex((word) => word !== '$' && word !== 'npx' && !/^[A-Z_]+=/.test(word));
    return name < 0 ? [] : [words.slice(name)];
  });
}

/** Arguments of each `tscope` command of shell text. */
export const commandLines = (text: string): string[][] =>
  commandsOf(text).flatMap(([name, ...args]) => (name === 'tscope' ? [args] : []));

/** Commands that are neither ours nor npm's with a script that there is, as sentences. */
export function foreignCommands(text: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  return commandsOf(text).flatMap(([name, verb, script]) => {
    if (name === 'tscope') return [];
    const known = name === 'npm' && (verb === 'run' ? script! in scripts : ['ci', 'install', 'test'].includes(verb!));
    return known ? [] : [`${[name, verb, script].join(' ').trim()}: no command that is checked here`];
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
