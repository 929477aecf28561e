import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from '../runner/usage-error.js';
import { DURATION_HINT, parseDuration } from '../suite/duration.js';
import type { Arrivals } from '../suite/latency.js';
import { collect, integerFlag, numberFlag, switchFlag, timeFlag } from './flag-values.js';
import type { Io } from './io.js';

const ARRIVALS_HINT =
  'write constant, poisson, uniform, burst:<on>/<off> (burst:100ms/900ms), ramp:<from>..<to> (ramp:100/s..2000/s) or trace:<file> (a JSON array of gaps in ns)';

function traceGaps(path: string): number[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--arrivals: ${path}: ${(error as Error).message}.`);
  }
  if (Array.isArray(value) && value.every((gap) => typeof gap === 'number')) return value;
  throw new UsageError(`--arrivals: ${path}: must hold a JSON array of gaps in ns.`);
}

/** `burst:100ms/900ms` and so on as the option of `latency()`. */
export function arrivalsFlag(text: string): Arrivals {
  if (text === 'constant' || text === 'poisson' || text === 'uniform') return text;
  const [kind, rest = ''] = text.split(/:(.*)/s, 2);
  if (kind === 'burst') {
    const [on, off] = rest.split('/').map((part) => parseDuration(part, 's'));
    if (on == null || off == null)
      throw new UsageError(`--arrivals: "${text}" is not a burst; ${ARRIVALS_HINT}; ${DURATION_HINT}.`);
    return { kind, on, off };
  }
  if (kind === 'ramp') {
    const [from, to] = rest.split('..');
    if (from && to) return { kind, from, to };
  }
  if (kind === 'trace' && rest !== '') return { kind, gaps: traceGaps(rest) };
  throw new UsageError(`--arrivals: "${text}" is not known; ${ARRIVALS_HINT}.`);
}

const choice =
  (flag: string, known: readonly string[]) =>
  (text: string): string => {
    if (known.includes(text)) return text;
    throw new UsageError(`${flag}: "${text}" is not one of ${known.join(', ')}.`);
  };

/** `tscope latency`: every option of `latency()`, and where results go. */
export function addLatencyCommand(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command('latency')
    .description(
      'Drive a latency() file at its planned rate: response, service and own lateness, percentiles to the worst.',
    )
    .argument('<file>', 'file whose default export is latency(...)')
    .option('--rate <rate>', 'planned events per second, or 5/ms, 1/us')
    .option(
      '--arrivals <process>',
      'constant, poisson, uniform, burst:<on>/<off>, ramp:<from>..<to>, trace:<file>',
      arrivalsFlag,
    )
    .option('--seed <n>', 'seed of the arrivals', integerFlag('--seed', 0))
    .option('--iterations <n>', 'events per run', integerFlag('--iterations', 1))
    .option('--duration <time>', 'planned length of a run', timeFlag('--duration'))
    .option('--runs <n>', 'measured runs in one process (default 3)', integerFlag('--runs', 1))
    .option('--forks <n>', 'processes, each does all runs (default 1)', integerFlag('--forks', 1))
    .option('--warmup <what>', 'events (a number), a time, or steady; 0 = none', (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    )
    .option('--pause-after-warmup <time>', 'pause before the first run', timeFlag('--pause-after-warmup'))
    .option('--late <policy>', 'catch-up, capped or skip', choice('--late', ['catch-up', 'capped', 'skip']))
    .option('--cap <factor>', 'largest multiple of the rate while catching up with --late capped', numberFlag('--cap'))
    .option('--timeout <time>', 'when an event counts as lost', timeFlag('--timeout'))
    .option('--done <how>', 'return or sample: what ends an event', choice('--done', ['return', 'sample']))
    .option(
      '--driver <driver>',
      'spin, pacer or timer: who issues the events',
      choice('--driver', ['spin', 'pacer', 'timer']),
    )
    .option(
      '--coordinated-omission <bool>',
      "false = JLBH's other mode, labelled",
      switchFlag('--coordinated-omission'),
    )
    .option('--pin <bool>', 'pin the measuring thread (default true)', switchFlag('--pin'))
    .option('--jitter <bool>', "watch the machine's own jitter (default true)", switchFlag('--jitter'))
    .option('--keep-samples', 'keep planned start, start and end of every event')
    .option('--node-args <args>', 'extra arguments for node', (text) => text.split(/\s+/).filter(Boolean))
    .option('--param <name=values>', 'values of a param, with commas; repeatable', collect, [])
    .option('--only <regexp>', 'keep measurements whose name matches')
    .option('--max <limit>', 'fail when exceeded, for example p99=2ms; repeatable', collect, [])
    .option('--json', 'print JSON instead of the report')
    .option('--out <file>', 'write JSON here')
    .option('--csv <file>', "write CSV in JLBH's layout here")
    .option('--hlog <file>', 'write an HdrHistogram log here')
    .option('--percentiles <file>', 'write HdrHistogram percentile text here')
    .option('--junit <file>', 'write the limits of --max as JUnit XML here')
    .option('--teamcity [prefix]', 'print TeamCity service messages')
    .option('--plot', 'print the percentile plot')
    .option('--keep-env <names>', 'environment variables that forks keep, with commas; repeatable', collect, [])
    .option('--node <executable>', 'node executable of the forks')
    .option('--loader <how>', 'TypeScript: strip, native or none', choice('--loader', ['strip', 'native', 'none']))
    .action(async (file, flags) => finish(await (await import('./commands/latency.js')).runLatency(file, flags, io)));
}
