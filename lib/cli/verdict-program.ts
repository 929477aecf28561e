import type { Command } from 'commander';
import { collect } from './flag-values.js';
import type { Io } from './io.js';
import { addPrepareFlags, addRunFlags } from './run-flags.js';

/** Flags of a comparison, shared by every command that makes one. */
export function addCompareFlags(command: Command): Command {
  return command
    .option('--delta <share>', 'smallest effect that matters (default 1%)')
    .option('--confidence <share>', 'level of intervals and verdicts (default 95%)')
    .option('--method <method>', 'auto, log-delta, geometric, fieller, bootstrap or paired (default auto)')
    .option(
      '--score <which>',
      'judge plain scores, or aware ones: without time of a recorded external cause (default plain)',
    )
    .option('--force', 'compare unlike results all the same')
    .option('--strict', 'exit 4 when a row is inconclusive');
}

/** Commands that judge what was measured. Loaded only when asked for. */
export function addVerdictCommands(
  program: Command,
  io: Io,
  argv: readonly string[],
  finish: (code: number) => void,
): void {
  addCompareFlags(
    program
      .command('compare')
      .description(
        'Judge a candidate against a baseline: two result files (ours or JMH JSON), or the benchmarks of one with baseline: true. Exit 1 on regressed.',
      )
      .argument('[baseline]', 'result file; alone: its benchmarks against their baseline')
      .argument('[candidate]', 'result file')
      .option('--allow <ids>', 'silence notes by id, with commas; repeatable', collect, [])
      .option('--json', 'print JSON')
      .option('--baseline <name>', 'saved baseline instead of a file; candidate: the file given, or the latest run'),
  ).action(async (first: string | undefined, second: string | undefined, flags) => {
    const files = [first, second].filter((file) => file !== undefined);
    finish((await import('./commands/compare.js')).compareCommand(files, flags, io));
  });
  program
    .command('history')
    .description('Show what was measured before: all series, or the plot and the changes of one benchmark.')
    .argument('[benchmark]', 'name or part of it')
    .option('--delta <share>', 'smallest change that matters (default 1%)')
    .option('--mode <mode>', 'one mode only')
    .option('--rebuild', 'make the index anew from the result files first')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, flags) =>
      finish((await import('./commands/history.js')).historyCommand(name, flags, io)),
    );
  const plan = program
    .command('plan')
    .description(
      'Calibrate: what varies at which level, what it costs, and the cheapest forks x iterations for a width.',
    )
    .argument('[inputs...]', 'files, folders or globs')
    .helpOption('--help', 'display help for command');
  addPrepareFlags(addRunFlags(plan, ['precision']))
    .option('--precision <share>', 'half-width to plan for (default 1%)')
    .option('--confidence <share>', 'level of the interval (default 95%)')
    .option('--again', 'measure anew although a calibration is kept')
    .option('--json', 'print JSON')
    .action(async (inputs: string[], flags) =>
      finish(await (await import('./commands/plan.js')).planCommand(inputs, flags, argv, io)),
    );
}
