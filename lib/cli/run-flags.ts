import { type Command, Option } from 'commander';
import type { DeclaredOptions } from '../protocol/messages.js';
import { PRESETS } from '../runner/options/table.js';
import { UsageError } from '../runner/usage-error.js';
import { DURATION_HINT, parseDuration } from '../suite/duration.js';
import { RUN_OPTION_NAMES, readOptions } from '../suite/options.js';
import type { RunOptions } from '../suite/types.js';
import { collect } from './flag-values.js';
import { JMH_FLAGS } from './jmh-flags.js';

/** How the text of a flag is read before {@link readOptions} checks it. */
type Kind = 'count' | 'time' | 'switch' | 'modes' | 'text' | 'threads' | 'words';

/** Options of RunOptions that have a flag: the long flag, its kind, and what help says. */
const FLAGS: { readonly [K in keyof Required<RunOptions>]: readonly [flag: string, kind: Kind, help: string] } = {
  forks: ['--forks <n>', 'count', 'fresh processes per trial (default 10)'],
  warmupForks: ['--warmup-forks <n>', 'count', 'whole forks run first and discarded (default 0)'],
  warmupIterations: ['--warmup-iterations <n>', 'count', 'exactly n warm-up iterations (default: until steady)'],
  warmupMode: [
    '--warmup-mode <mode>',
    'text',
    'indi, bulk: warm all of the suite, bulk_indi: measure also after the others of the suite (default indi)',
  ],
  warmupTime: ['--warmup-time <time>', 'time', 'length of a warm-up iteration (default 100ms)'],
  warmupBatchSize: ['--warmup-batch-size <n>', 'count', 'invocations per op in warm-up (default: batch size)'],
  iterations: ['--iterations <n>', 'count', 'measured iterations per fork (default 5; ss 1)'],
  iterationTime: ['--iteration-time <time>', 'time', 'length of a measured iteration (default 100ms)'],
  batchSize: ['--batch-size <n>', 'count', 'invocations per op in sample and ss (default 1)'],
  mode: ['--mode <modes>', 'modes', 'thrpt, avgt, sample, ss or all; several with commas (default avgt)'],
  unit: ['--unit <unit>', 'text', 'unit of scores: ns, us, ms, s, m, h (default ns; thrpt s)'],
  opsPerInvocation: ['--ops-per-invocation <n>', 'count', 'ops that one invocation performs (default 1)'],
  threads: ['--threads <n>', 'threads', 'worker threads: a number, max or half (default 1)'],
  inflight: ['--inflight <n>', 'count', 'promises an async benchmark keeps in flight (default 1)'],
  timeout: ['--timeout <time>', 'time', 'limit of one iteration or fixture (default 60s)'],
  syncIterations: ['--sync-iterations [bool]', 'switch', 'start and stop threads together (default true)'],
  gc: ['--gc [bool]', 'switch', 'collect garbage before each iteration (default false)'],
  pin: ['--pin [bool]', 'switch', 'pin the measuring thread to one CPU (default true)'],
  opaque: ['--opaque [bool]', 'switch', 'call every benchmark through one megamorphic site (default false)'],
  precision: ['--precision <share>', 'text', 'measure until the interval of each score is ± this share, such as 1%'],
  nodeArgs: ['--node-args <args>', 'words', 'extra arguments for the node of the forks'],
};

/** Long flags of run options and presets. */
export const RUN_OPTION_FLAGS: readonly string[] = [
  ...Object.values(FLAGS).map(([flag]) => flag.split(' ')[0]!),
  '--quick',
  '--thorough',
];

const SHORT = new Map(Object.entries(JMH_FLAGS).map(([short, long]) => [long, short]));

/** The flag as users know it: `-wi` where there is a short one. */
export function flagName(long: string): string {
  const short = SHORT.get(long);
  return short ? `${short} (${long})` : long;
}

/** Adds the flags of run options to a command, but for those that mean something else there. */
export function addRunFlags(command: Command, without: readonly (keyof RunOptions)[] = []): Command {
  for (const name of RUN_OPTION_NAMES.filter((option) => !without.includes(option))) {
    const [flag, kind, help] = FLAGS[name];
    const option = new Option(flag, help);
    command.addOption(kind === 'switch' ? option.preset('true') : option);
  }
  return command
    .option('--quick', `short: ${PRESETS.quick} forks`)
    .option('--thorough', `long: ${PRESETS.thorough} forks`);
}

function readText(kind: Kind, text: string, flag: string): unknown {
  switch (kind) {
    case 'count':
      return /^[+-]?\d+$/.test(text) ? Number(text) : text;
    case 'threads':
      return /^\d+$/.test(text) ? Number(text) : text === 'halfmax' ? 'half' : text;
    case 'time': {
      const ms = parseDuration(text, 's');
      if (ms === null)
        throw new UsageError(`${flag}: "${text}" is not a time; ${DURATION_HINT} (a bare number is seconds).`);
      return ms;
    }
    case 'switch':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'modes':
      return text.split(',');
    case 'words':
      return text.split(/\s+/).filter(Boolean);
    default:
      return text;
  }
}

/**
 * Options from parsed flags.
 *
 * @param flags What commander parsed, by camel-case name.
 * @throws UsageError naming the flag.
 */
export function commandLineOptions(flags: Readonly<Record<string, unknown>>): DeclaredOptions {
  if (flags.quick && flags.thorough) throw new UsageError('--quick and --thorough cannot go together; choose one.');
  const source: Record<string, unknown> = {};
  const preset = flags.quick ? PRESETS.quick : flags.thorough ? PRESETS.thorough : null;
  if (preset !== null) source.forks = preset;
  for (const name of RUN_OPTION_NAMES) {
    const text = flags[name];
    const [flag, kind] = FLAGS[name];
    if (typeof text === 'string') source[name] = readText(kind, text, flagName(flag.split(' ')[0]!));
  }
  const read = readOptions(source);
  if ('problem' in read)
    throw new UsageError(`${flagName(FLAGS[read.field as keyof RunOptions][0].split(' ')[0]!)}: ${read.problem}`);
  return read.options;
}

/** `-p name=v1,v2` (repeatable) as a record. As in JMH, commas cannot be escaped. */
export function paramOverrides(texts: readonly string[]): Record<string, string[]> {
  // Without a prototype: a param may be named like something every object has.
  const overrides: Record<string, string[]> = Object.create(null);
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at <= 0) throw new UsageError(`${flagName('--param')}: "${text}" must be name=value or name=value1,value2.`);
    const name = text.slice(0, at);
    overrides[name] = [...(overrides[name] ?? []), ...text.slice(at + 1).split(',')];
  }
  return overrides;
}

/** Regular expressions from flags; throws UsageError naming flag and pattern. */
export function patterns(flag: string, texts: readonly string[]): RegExp[] {
  return texts.map((text) => {
    try {
      return new RegExp(text);
    } catch (error) {
      throw new UsageError(`${flagName(flag)}: ${(error as Error).message}.`);
    }
  });
}

/** Options of every command that finds and prepares benchmarks: which of them, and how their forks are started and checked. */
export function addPrepareFlags(command: Command): Command {
  return command
    .option('--param <name=values>', 'values of a param, with commas; repeatable', collect, [])
    .option('--only <regexp>', 'keep benchmarks whose full name matches; repeatable', collect, [])
    .option('--exclude <regexps>', 'leave out benchmarks whose full name matches; repeatable', collect, [])
    .option('--keep-env <names>', 'environment variables that forks keep, with commas; repeatable', collect, [])
    .option('--config <file>', 'config file (default the nearest tscope.config.*)')
    .option('--no-config', 'use no config file')
    .option('--node <executable>', 'node executable of the forks')
    .option('--loader <how>', 'TypeScript: strip, native or none', 'strip')
    .option('--no-canaries', 'do not time the canary loops beside iterations')
    .option('--no-linearity', 'do not check that time grows with work');
}
