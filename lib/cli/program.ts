import { Command, CommanderError, type Help } from 'commander';
import { packageVersion } from '../api/version.js';
import { fsReason } from '../result/files.js';
import { ResultFileError } from '../result/result-file-error.js';
import { UsageError } from '../runner/usage-error.js';
import { runCommand } from './commands/run.js';
import { EXIT, type Io } from './io.js';
import { expandJmhFlags, shortOf } from './jmh-flags.js';
import { addLabCommands } from './lab-program.js';
import { addLatencyCommand } from './latency-program.js';
import { addReportCommand } from './report-program.js';
import { addRunOptions } from './run-options.js';
import { addStartCommands } from './start-program.js';
import { addVerdictCommands } from './verdict-program.js';

/** A command's help shows JMH's short flag beside the long one, which commander itself cannot. */
function optionTerm(this: Help, option: Parameters<Help['optionTerm']>[0]): string {
  const short = option.long ? shortOf(option.long) : undefined;
  return short && short !== option.short ? `${short}, ${option.flags}` : option.flags;
}

/** The command line as data for commander; `finish` takes the exit code of the command that ran. */
export function createProgram(io: Io, argv: readonly string[], finish: (code: number) => void): Command {
  const program = new Command('tscope')
    .description('High-resolution timing for Node.js: benchmarks, latency and verdicts that can be believed.')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text.replace(/^error: /, 'tscope: ')),
    })
    // Descriptions say what the default is; commander's own notes (default: [], preset: "true") say it worse.
    .configureHelp({ optionTerm, optionDescription: ({ description }) => description })
    .showSuggestionAfterError(true)
    .helpCommand(false);

  const run = program
    .command('run')
    .description('Measure benchmark files, folders or globs (default **/*.bench.{ts,mts,js,mjs}).')
    .argument('[inputs...]', 'files, folders or globs')
    .helpOption('--help', 'display help for command');
  addRunOptions(run).action(async (inputs: string[], flags) => finish(await runCommand(inputs, flags, argv, io)));
  addReportCommand(program, io, finish);
  addLatencyCommand(program, io, finish);
  addStartCommands(program, io, argv, finish);
  addLabCommands(program, io, finish);
  addVerdictCommands(program, io, argv, finish);
  return program;
}

/** Each line with the name of the program before it; without control characters, which names and files may hold. */
function sentence(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced.
  const plain = message.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
  return `${plain.replace(/^/gm, 'tscope: ')}\n`;
}

/** What the file system refused to a command, in a sentence; null for any other error, which is a defect of ours. */
function fileSystemSentence(error: unknown): string | null {
  const { code, syscall, path, dest } = (error ?? {}) as NodeJS.ErrnoException & { readonly dest?: string };
  if (typeof code !== 'string' || typeof syscall !== 'string') return null;
  const where = dest ?? path;
  const reason = code === 'EACCES' || code === 'EPERM' ? `${code}, not allowed for this user` : fsReason(error);
  return `${where === undefined ? `${syscall} was refused` : `${where}: ${syscall} was refused`}: ${reason}.`;
}

/**
 * Runs one command line.
 *
 * @param argv Arguments after `tscope`.
 * @returns Exit code: 0 ok, 1 a benchmark failed, 2 usage, also what the file system refuses, 130 and 143 interrupted. Never throws for what a user can cause.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = createProgram(io, argv, (value) => {
    code = value;
  });
  try {
    if (argv.length === 0) {
      io.err(program.helpInformation());
      return EXIT.usage;
    }
    await program.parseAsync(expandJmhFlags(argv), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (io.signal.aborted && error === io.signal.reason) {
      io.err('tscope: interrupted while files were loaded; nothing was measured.\n');
      return error === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    }
    if (error instanceof UsageError || error instanceof ResultFileError) {
      io.err(sentence(error.message));
      return EXIT.usage;
    }
    const refused = fileSystemSentence(error);
    if (refused === null) throw error;
    io.err(sentence(refused));
    return EXIT.usage;
  }
}
