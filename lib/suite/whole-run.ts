/** Options that belong to a run as a whole and not to a benchmark: how long to go on measuring, and what forks may see. */
import { DURATION_HINT, parseDuration } from './duration.js';
import { integer } from './options.js';
import { type FieldReaders, type Read, readFields } from './read-fields.js';
import { show } from './show.js';
import type { WholeRunOptions } from './types.js';

/** Whole-run options after reading; absent = not set in this layer. */
export interface WholeRun {
  readonly precisionRule?: 'stein' | 'width';
  readonly maxForks?: number;
  readonly budgetMs?: number;
  readonly keepEnv?: readonly string[];
}

/**
 * Variables that never reach a fork, also not on request. The first four steer Node in ways that change what is measured (coverage made a
 * loop 20 times slower); the last two are set for each fork.
 */
export const NEVER_IN_FORKS: readonly string[] = [
  'NODE_OPTIONS',
  'NODE_V8_COVERAGE',
  'NODE_INSPECT_RESUME_ON_START',
  'NODE_CHANNEL_FD',
  'TSCOPE_FORK',
  'TSCOPE_PADDING',
];

function readRule(value: unknown): Read<'stein' | 'width'> {
  if (value === 'stein' || value === 'width') return { value };
  return { problem: `${show(value)} is not one of stein, width.` };
}

function readBudget(value: unknown): Read<number> {
  const ms = parseDuration(value);
  return ms !== null && ms > 0 ? { value: ms } : { problem: `${show(value)} is not a time; ${DURATION_HINT}.` };
}

function readNames(value: unknown): Read<readonly string[]> {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    return { problem: `must be a list of names of environment variables, not ${show(value)}.` };
  }
  for (const name of value as string[]) {
    if (!/^[^=\s\0]+$/.test(name)) return { problem: `${show(name)} is not the name of an environment variable.` };
    // Windows does not tell upper from lower case.
    if (NEVER_IN_FORKS.includes(name.toUpperCase())) {
      const why = name.toUpperCase().startsWith('TSCOPE_')
        ? 'tscope sets it for each fork'
        : 'it steers Node and changes what is measured; give arguments of Node with nodeArgs (--node-args), where they are recorded';
      return { problem: `${name} is never passed on to forks: ${why}.` };
    }
  }
  return { value: [...new Set(value as string[])].sort() };
}

/** How each option is read, and where it goes. */
const READERS: FieldReaders<keyof WholeRunOptions, WholeRun> = {
  precisionRule: ['precisionRule', readRule],
  maxForks: ['maxForks', integer(1)],
  budget: ['budgetMs', readBudget],
  keepEnv: ['keepEnv', readNames],
};

/** As users write them. */
export const WHOLE_RUN_NAMES = Object.keys(READERS) as readonly (keyof WholeRunOptions)[];

/** Reads whole-run options from any layer. See {@link readFields}. */
export const readWholeRun = (source: Readonly<Record<string, unknown>>) => readFields(READERS, source);
