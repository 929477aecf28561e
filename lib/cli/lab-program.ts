import type { Command } from 'commander';
import { MAX_CPUS } from '../thread/check.js';
import { integerFlag, timeBetween } from './flag-values.js';
import type { Io } from './io.js';

/** Commands of the timing layer alone: clock, topology, jitter, counters. Loaded only when asked for, so that `run` starts without them. */
export function addLabCommands(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command('clock')
    .description(
      'Assess the clock: sources, frequency and its uncertainty, granularity, read cost, offsets between CPUs.',
    )
    .option('--ms <n>', 'length of the linearity test and of the fit, ms (default 200)', integerFlag('--ms', 1, 60_000))
    .option('--no-cross-core', 'do not compare the counters of different CPUs')
    .option('--probe', 'try instructions that the CPU does not advertise, in child processes')
    .option('--json', 'print JSON')
    .action(async (flags) => finish(await (await import('./commands/clock.js')).clockCommand(flags, io)));
  program
    .command('topology')
    .description('Show packages, cores, caches, NUMA nodes, isolation and limits; plan where threads would be pinned.')
    .option('--plan <threads>', 'also plan so many threads; nothing is applied', integerFlag('--plan', 1, MAX_CPUS))
    .option(
      '--keep-free <cores>',
      'with --plan: cores that stay for everything else (default 1)',
      integerFlag('--keep-free', 0, MAX_CPUS),
    )
    .option('--share-cores', 'with --plan: threads may share a core (default a whole core each)')
    .option('--json', 'print JSON')
    .action(async (flags) => finish(await (await import('./commands/topology.js')).runTopology(flags, io)));
  program
    .command('jitter')
    .description('Sample what the machine takes from a running thread: gaps, their causes, lost time.')
    .option('--cpu <cpus>', 'CPUs, with commas, all at once (default the highest allowed)', cpuList)
    .option('--duration <time>', 'how long (default 5s)', timeBetween('--duration', '1ns', '24h'))
    .option(
      '--threshold <time>',
      'shortest gap kept (default from the length of a loop turn)',
      timeBetween('--threshold', '1ns', '1000s'),
    )
    .option('--sleep', 'late wake-ups of a sleeping thread instead of gaps of a busy one')
    .option('--json', 'print JSON')
    .action(async ({ duration, threshold, ...flags }) => {
      const { runJitter } = await import('./commands/jitter.js');
      const times = { durationMs: duration, thresholdNs: threshold === undefined ? undefined : threshold * 1e6 };
      finish(await runJitter({ ...flags, ...times }, io));
    });
  program
    .command('counters')
    .description(
      'Try every counter: what can be counted here and what not, the source of cycles, what a section costs.',
    )
    .option('--events <names>', 'only these, with commas (default all)', (text) => text.split(','))
    .option('--kernel', 'count what the kernel does for the thread as well')
    .option('--probe', 'try rdpru in a child process where the CPU does not advertise it')
    .option('--json', 'print JSON')
    .action(async (flags) => finish(await (await import('./commands/counters.js')).runCounters(flags, io)));
}

const cpuList = (text: string): number[] => text.split(',').map(integerFlag('--cpu', 0, MAX_CPUS - 1));
