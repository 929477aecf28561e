import { Command, CommanderError, type Help } from 'commander';
import { packageVersion } from '../api/version.js';
import { UsageError } from '../runner/usage-error.js';
import { runCommand } from './commands/run.js';
import { collect } from './flag-values.js';
import { EXIT, type Io } from './io.js';
import { expandJmhFlags, shortOf } from './jmh-flags.js';
import { addLabCommands } from './lab-program.js';
import { addLatencyCommand } from './latency-program.js';
import { addReportCommand, RESULT_FORMAT_HELP } from './report-program.js';
import { addRunFlags } from './run-flags.js';
import { addStartCommands } from './start-program.js';
import { addCompareFlags, addVerdictCommands } from './verdict-program.js';

/** A command's help shows JMH's short flag beside the long one, which commander itself cannot. */
function optionTerm(this: Help, option: Parameters<Help['optionTerm']>[0]): string {
  const short = option.long ? shortOf(option.long) : undefined;
  return short && short !== option.short ? `${short}, ${option.flags}` : option.flags;
}

/** The command line as data for commander; `finish` takes the exit code of the command that ran. */
function createProgram(io: Io, argv: readonly string[], finish: (code: number) => void): Command {
  const program = new Command('tscope')
    .description('High-resolution timing for Node.js: benchmarks, latency and verdicts that can be believed.')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text.replace(/^error: /, 'tscope: ')),
    })
    .configureHelp({ optionTerm })
    .showSuggestionAfterError(true)
    .helpCommand(false);

  const run = program
    .command('run')
    .description('Measure benchmark files, folders or globs (default **/*.bench.{ts,mts,js,mjs}).')
    .argument('[inputs...]', 'files, folders or globs')
    .helpOption('--help', 'display help for command');
  addCompareFlags(addRunFlags(run))
    .option('--baseline <name>', 'compare with the run saved under this name; exit 1 on regressed')
    .option('--save-baseline <name>', 'save this run under a name')
    .option('--precision <share>', 'measure until the interval of each score is ± this share, such as 1%')
    .option('--precision-rule <rule>', 'stein: two stages, exact; width: looks every 5 forks (default stein)')
    .option('--max-forks <n>', 'forks of a trial at most, with --precision (default 200)')
    .option(
      '--budget <time>',
      'time for the whole run: planned for the narrowest intervals, or the limit of --precision',
    )
    .option('--param <name=values>', 'values of a param, with commas; repeatable', collect, [])
    .option('--only <regexp>', 'keep benchmarks whose full name matches; repeatable', collect, [])
    .option('--exclude <regexps>', 'leave out benchmarks whose full name matches; repeatable', collect, [])
    .option('--list', 'list benchmarks and stop')
    .option('--list-params', 'list trials with their params and stop')
    .option('--out <file>', 'write the result file here too')
    .option('--json', 'print the result as JSON instead of the table')
    .option('--log <file>', 'write the readable report to a file too')
    .option('--result-format <format[=file]>', RESULT_FORMAT_HELP, collect, [])
    .option('--result-file <file>', 'file of the one -rf without a file')
    .option('--fail-on-error [bool]', 'stop at the first failure (default false)')
    .option('--verbosity <level>', 'SILENT, NORMAL or EXTRA', 'NORMAL')
    .option('--seed <n>', 'seed of the order of forks (default random, always recorded)')
    .option('--order <order>', 'random: rounds of one fork of each trial; sequential: trial by trial', 'random')
    .option('--resume [run]', 'go on with an interrupted run (default the latest)')
    .option('--allow <ids>', 'silence findings by id, with commas; repeatable', collect, [])
    .option('--config <file>', 'config file (default the nearest tscope.config.*)')
    .option('--no-config', 'use no config file')
    .option('--node <executable>', 'node executable of the forks')
    .option('--loader <how>', 'TypeScript: strip, native or none', 'strip')
    .option('--keep-chunks', 'keep the time of every chunk in the result file')
    .option('--no-canaries', 'do not time the canary loops beside iterations')
    .option('--stray-reruns <n>', 'run a fork again when its canaries strayed, at most n of a trial (default 0)')
    .option('--no-linearity', 'do not check that time grows with work')
    .action(async (inputs: string[], flags) => finish(await runCommand(inputs, flags, argv, io)));
  addReportCommand(program, io, finish);
  addLatencyCommand(program, io, finish);
  addStartCommands(program, io, argv, finish);
  addLabCommands(program, io, finish);
  addVerdictCommands(program, io, finish);
  return program;
}

/**
 * Runs one command line.
 *
 * @param argv Arguments after `tscope`.
 * @returns Exit code: 0 ok, 1 a benchmark failed, 2 usage, 130 and 143 interrupted. Never throws for what a user can cause.
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
    if (error instanceof UsageError) {
      io.err(`${error.message.replace(/^/gm, 'tscope: ')}\n`);
      return EXIT.usage;
    }
    throw error;
  }
}
