import type { Command } from 'commander';
import { integerFlag } from './flag-values.js';
import type { Io } from './io.js';

/** Commands of the timing layer alone: clock, topology. Loaded only when asked for, so that `run` starts without them. */
export function addLabCommands(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command('clock')
    .description(
      'Assess the clock: sources, frequency and its uncertainty, granularity, read cost, offsets between CPUs.',
    )
    .option('--ms <n>', 'length of the linearity test and of the fit, ms (default 200)', integerFlag('--ms', 1))
    .option('--no-cross-core', 'do not compare the counters of different CPUs')
    .option('--probe', 'try instructions that the CPU does not advertise, in child processes')
    .option('--json', 'print JSON')
    .action(async (flags) => finish(await (await import('./commands/clock.js')).clockCommand(flags, io)));
  program
    .command('topology')
    .description('Show packages, cores, caches, NUMA nodes, isolation and limits; plan where threads would be pinned.')
    .option('--plan <threads>', 'also plan so many threads; nothing is applied', integerFlag('--plan', 1))
    .option('--json', 'print JSON')
    .action(async (flags) => finish(await (await import('./commands/topology.js')).runTopology(flags, io)));
}
