import type { DeclaredOptions } from '../../protocol/messages.js';
import type { Mode } from '../../result/model.js';

/** Options after merging, for one trial: every field has a value. */
export type TrialOptions = {
  -readonly [K in keyof Required<
    Omit<DeclaredOptions, 'mode' | 'warmupIterations' | 'threads' | 'precision'>
  >]: Required<DeclaredOptions>[K];
} & {
  mode: Mode;
  /** null = until steady. */
  warmupIterations: number | null;
  threads: number | 'max' | 'half';
  /** null = no more than the forks asked for. */
  precision: number | null;
  /** Shortest and longest warm-up until steady, ms. */
  warmupMinMs: number;
  warmupMaxMs: number;
};

/** Names of options in results, in the order in which they are listed. */
export const OPTION_NAMES = [
  'mode',
  'unit',
  'forks',
  'warmupForks',
  'warmupIterations',
  'warmupMode',
  'warmupTimeMs',
  'warmupMinMs',
  'warmupMaxMs',
  'iterations',
  'iterationTimeMs',
  'batchSize',
  'warmupBatchSize',
  'opsPerInvocation',
  'threads',
  'timeoutMs',
  'inflight',
  'pin',
  'opaque',
  'gc',
  'syncIterations',
  'precision',
  'nodeArgs',
] as const satisfies readonly (keyof TrialOptions)[];

/**
 * The one table of defaults. 10 forks of 0.2 to 1.5 s of warm-up and 5 x 100 ms make about 10 s a trial. Single shot measures
 * the first call of a fresh process, so it has no warm-up and one iteration, as in JMH.
 */
export function defaultsFor(mode: Mode): TrialOptions {
  return {
    mode,
    // ops/ns reads badly: throughput is per second unless asked otherwise, as in JMH.
    unit: mode === 'thrpt' ? 's' : 'ns',
    forks: 10,
    warmupForks: 0,
    warmupIterations: mode === 'ss' ? 0 : null,
    warmupMode: 'indi',
    warmupTimeMs: 100,
    warmupMinMs: 200,
    warmupMaxMs: 1500,
    iterations: mode === 'ss' ? 1 : 5,
    iterationTimeMs: 100,
    batchSize: 1,
    warmupBatchSize: 1,
    opsPerInvocation: 1,
    threads: 1,
    timeoutMs: 60_000,
    inflight: 1,
    pin: true,
    opaque: false,
    gc: false,
    syncIterations: true,
    precision: null,
    nodeArgs: [],
  };
}

/** Forks of the presets on the command line. */
export const PRESETS = { quick: 3, thorough: 30 } as const;
