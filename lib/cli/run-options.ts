import type { Command } from 'commander';
import { collect } from './flag-values.js';
import { RESULT_FORMAT_HELP } from './report-program.js';
import { addPrepareFlags, addRunFlags } from './run-flags.js';
import { addCompareFlags } from './verdict-program.js';

/** Every option of `tscope run`, for each command that runs benchmarks. */
export function addRunOptions(command: Command): Command {
  return addCompareFlags(addPrepareFlags(addRunFlags(command)))
    .option('--baseline <name>', 'compare with the run saved under this name; exit 1 on regressed')
    .option('--save-baseline <name>', 'save this run under a name')
    .option('--precision-rule <rule>', 'stein: two stages, exact; width: looks every 5 forks (default stein)')
    .option('--max-forks <n>', 'forks of a trial at most, with --precision (default 200)')
    .option(
      '--budget <time>',
      'time for the whole run: planned for the narrowest intervals, or the limit of --precision',
    )
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
    .option('--keep-chunks', 'keep the time of every chunk in the result file')
    .option('--stray-reruns <n>', 'run a fork again when its canaries strayed, at most n of a trial (default 0)');
}

/** Options that select among benchmarks, or stored runs: without meaning where the benchmarks are given on the command line. */
const SELECTING = new Set(['param', 'only', 'exclude', 'list', 'listParams', 'resume', 'baseline', 'saveBaseline']);

/** Leaves options that select benchmarks out of a command's help. */
export function hideSelection(command: Command): Command {
  for (const option of command.options) if (SELECTING.has(option.attributeName())) option.hideHelp();
  return command;
}
