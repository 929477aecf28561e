import type { PrepareRequest } from '../../api/prepare.js';
import type { LoaderPlan } from '../../protocol/messages.js';
import type { LoadedConfig } from '../../runner/config.js';
import { type WholeRunFlags, wholeRunOptions } from '../adaptive-flags.js';
import type { Io } from '../io.js';
import { commandLineOptions, flagName, paramOverrides, patterns } from '../run-flags.js';

/** Flags of `tscope run` that say what to measure, as commander hands them over. */
export interface RunFlags extends Readonly<Record<string, unknown>>, WholeRunFlags {
  readonly param: readonly string[];
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly node?: string;
  readonly loader: string;
  readonly keepChunks?: boolean;
  readonly canaries: boolean;
  readonly linearity: boolean;
}

/** Flags as a request; throws UsageError naming the flag that is wrong. */
export function runRequest(
  inputs: readonly string[],
  flags: RunFlags,
  config: LoadedConfig,
  io: Pick<Io, 'cwd' | 'env' | 'signal'>,
): PrepareRequest {
  return {
    inputs,
    options: commandLineOptions(flags),
    source: 'command line',
    wholeRun: wholeRunOptions(flags),
    params: paramOverrides(flags.param),
    only: patterns('--only', flags.only),
    exclude: patterns(
      '--exclude',
      flags.exclude.flatMap((list) => list.split(',')),
    ),
    config,
    env: io.env,
    cwd: io.cwd,
    signal: io.signal,
    node: flags.node,
    loader: flags.loader as LoaderPlan['mode'],
    keepChunks: flags.keepChunks === true,
    canaries: flags.canaries,
    linearity: flags.linearity,
    names: { param: flagName('--param'), only: flagName('--only'), exclude: flagName('--exclude') },
  };
}
