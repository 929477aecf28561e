import type { DeclaredOptions, WarmupMode } from '../protocol/messages.js';
import type { Mode, TimeUnit } from '../result/model.js';
import { DURATION_HINT, parseDuration } from './duration.js';
import { type FieldReaders, type Reader, readFields } from './read-fields.js';
import { readShare } from './share.js';
import { show } from './show.js';
import { didYouMean } from './suggest.js';
import type { RunOptions } from './types.js';

export const MODES: readonly Mode[] = ['thrpt', 'avgt', 'sample', 'ss'];
export const UNITS: readonly TimeUnit[] = ['ns', 'us', 'ms', 's', 'm', 'h'];

/** A whole number from `min` up. */
export const integer =
  (min: number): Reader<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min
      ? { value: value as number }
      : {
          problem: `must be a whole number of at least ${min}, not ${show(value)}.`,
        };

const boolean: Reader<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { problem: `must be true or false, not ${show(value)}.` };

const duration: Reader<number> = (value) => {
  const ms = parseDuration(value);
  if (ms === null) return { problem: `${show(value)} is not a duration; ${DURATION_HINT}.` };
  return ms > 0 ? { value: ms } : { problem: 'must be longer than 0.' };
};

const share: Reader<number> = readShare;

const unit: Reader<TimeUnit> = (value) =>
  UNITS.includes(value as TimeUnit)
    ? { value: value as TimeUnit }
    : { problem: `must be one of ${UNITS.join(', ')}, not ${show(value)}.` };

const threads: Reader<number | 'max' | 'half'> = (value) =>
  value === 'max' || value === 'half' || (Number.isSafeInteger(value) && (value as number) >= 1)
    ? { value: value as number | 'max' | 'half' }
    : { problem: `must be a whole number of at least 1, "max" or "half", not ${show(value)}.` };

const texts: Reader<readonly string[]> = (value) =>
  Array.isArray(value) && value.every((v) => typeof v === 'string')
    ? { value: value as string[] }
    : { problem: `must be a list of strings, not ${show(value)}.` };

const warmupMode: Reader<WarmupMode> = (value) => {
  const name = typeof value === 'string' ? value.toLowerCase() : value;
  if (name === 'indi' || name === 'bulk' || name === 'bulk_indi') return { value: name };
  return { problem: `must be indi, bulk or bulk_indi, not ${show(value)}.` };
};

const FULL_NAMES: ReadonlyMap<string, Mode> = new Map([
  ['throughput', 'thrpt'],
  ['averagetime', 'avgt'],
  ['sampletime', 'sample'],
  ['singleshottime', 'ss'],
]);

/** One mode by name or unambiguous prefix of its short label, as in JMH. */
function modeOf(value: unknown): Mode | 'all' | null {
  if (typeof value !== 'string' || value === '') return null;
  const name = value.toLowerCase();
  const full = FULL_NAMES.get(name);
  if (full) return full;
  const exact = [...MODES, 'all' as const].find((mode) => mode === name);
  if (exact) return exact;
  const found = [...MODES, 'all' as const].filter((mode) => mode.startsWith(name));
  return found.length === 1 ? found[0]! : null;
}

const mode: Reader<readonly Mode[]> = (value) => {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) return { problem: 'must name at least one mode.' };
  const modes = new Set<Mode>();
  for (const item of list) {
    const found = modeOf(item);
    if (found === null) {
      return {
        problem: `${show(item)} is not a mode; use ${MODES.join(', ')} or all.${typeof item === 'string' ? didYouMean(item, MODES) : ''}`,
      };
    }
    for (const m of found === 'all' ? MODES : [found]) modes.add(m);
  }
  return { value: [...modes] };
};

/** How each option that users write is read, and where it goes. */
const READERS: FieldReaders<keyof RunOptions, DeclaredOptions> = {
  mode: ['mode', mode],
  unit: ['unit', unit],
  forks: ['forks', integer(1)],
  warmupForks: ['warmupForks', integer(0)],
  warmupIterations: ['warmupIterations', integer(0)],
  warmupMode: ['warmupMode', warmupMode],
  warmupTime: ['warmupTimeMs', duration],
  iterations: ['iterations', integer(1)],
  iterationTime: ['iterationTimeMs', duration],
  batchSize: ['batchSize', integer(1)],
  warmupBatchSize: ['warmupBatchSize', integer(1)],
  opsPerInvocation: ['opsPerInvocation', integer(1)],
  threads: ['threads', threads],
  timeout: ['timeoutMs', duration],
  inflight: ['inflight', integer(1)],
  pin: ['pin', boolean],
  opaque: ['opaque', boolean],
  gc: ['gc', boolean],
  syncIterations: ['syncIterations', boolean],
  precision: ['precision', share],
  nodeArgs: ['nodeArgs', texts],
};

export const RUN_OPTION_NAMES = Object.keys(READERS) as readonly (keyof RunOptions)[];

/** Is this option a length of time? */
export const isDuration = (option: keyof RunOptions): boolean => READERS[option][1] === duration;

/**
 * Reads options from any layer (suite, benchmark, config file, environment, command line): durations become ms, modes
 * a list. See {@link readFields}.
 */
export const readOptions = (source: Readonly<Record<string, unknown>>) => readFields(READERS, source);
