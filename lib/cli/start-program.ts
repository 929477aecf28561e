import type { Command } from 'commander';
import { integerFlag } from './flag-values.js';
import type { Io } from './io.js';
import { addRunOptions, hideSelection } from './run-options.js';

/** Commands for a first number and a first file: quick, eval, init. Loaded only when asked for. */
export function addStartCommands(
  program: Command,
  io: Io,
  argv: readonly string[],
  finish: (code: number) => void,
): void {
  program
    .command('quick')
    .description('Call an exported function some times in this process: a first number in seconds.')
    .argument('<module>', 'JavaScript or TypeScript file')
    .argument('<export>', 'name of the function; it is called with (steps, timer)')
    .option('--warmups <n>', 'calls before the runs', integerFlag('--warmups', 0), 5)
    .option('--runs <n>', 'calls that count', integerFlag('--runs', 1), 10)
    .option('--steps <n>', 'first argument; times are divided by it', integerFlag('--steps', 1), 1000)
    .option('--wait', 'wait for Enter first, so that a profiler can attach')
    .action(async (module: string, name: string, flags) =>
      finish(await (await import('./commands/quick.js')).quickCommand(module, name, flags, io)),
    );
  const evaluate = program
    .command('eval')
    .description('Measure an expression in forks, or compare two: the first is the baseline.')
    .argument('<expression>', 'JavaScript; its value is consumed')
    .argument('[other]', 'the expression to compare with it')
    .option('--setup <code>', 'statements that run once per fork; the expressions see what they declare')
    .helpOption('--help', 'display help for command');
  hideSelection(addRunOptions(evaluate)).action(async (first: string, second: string | undefined, flags) =>
    finish(await (await import('./commands/eval.js')).evalCommand([first, second], flags, argv, io)),
  );
  program
    .command('init')
    .description(
      'Write a bench folder with an example, a config file, an npm script and a CI workflow; overwrites nothing.',
    )
    .action(async () => finish((await import('./commands/init.js')).initCommand(io)));
}
