/** Options that belong to a run as a whole and not to a benchmark: how long to go on measuring, and what forks may see. */
import { DURATION_HINT, parseDuration } from './duration.js';
import { integer } from './options.js';
import type { WholeRunOptions } from './types.js';

/** Whole-run options after reading; absent = not set in this layer. */
export interface WholeRun {
  /** Half-width to reach, as a share. */
  readonly precision?: number;
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

type Read<T> = { readonly value: T } | { readonly problem: string };

const shown = (value: unknown): string =>
  typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));

/** `1%`, `0.01`, `1 %` or 0.01 as a share between 0 and 1; otherwise the end of a sentence. */
export function readShare(given: unknown): Read<number> {
  const text = typeof given === 'number' ? String(given) : given;
  const match = typeof text === 'string' ? /^\s*(\d+(?:\.\d+)?(?:e-?\d+)?|\.\d+)\s*(%?)\s*$/.exec(text) : null;
  const value = match ? Number(match[1]) / (match[2] ? 100 : 1) : Number.NaN;
  if (value > 0 && value < 1) return { value };
  const hint = value >= 1 && match?.[2] !== '%' ? ` Did you mean ${String(text).trim()}%?` : '';
  return { problem: `${shown(given)} is not a share between 0 and 1, such as 1% or 0.01.${hint}` };
}

function readRule(value: unknown): Read<'stein' | 'width'> {
  if (value === 'stein' || value === 'width') return { value };
  return { problem: `${shown(value)} is not one of stein, width.` };
}

function readBudget(value: unknown): Read<number> {
  const ms = parseDuration(value);
  return ms !== null && ms > 0 ? { value: ms } : { problem: `${shown(value)} is not a time; ${DURATION_HINT}.` };
}

function readNames(value: unknown): Read<readonly string[]> {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    return { problem: `must be a list of names of environment variables, not ${shown(value)}.` };
  }
  for (const name of value as string[]) {
    if (!/^[^=\s\0]+$/.test(name)) return { problem: `${shown(name)} is not the name of an environment variable.` };
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
const READERS: {
  readonly [K in keyof Required<WholeRunOptions>]: readonly [keyof WholeRun, (value: unknown) => Read<unknown>];
} = {
  precision: ['precision', readShare],
  precisionRule: ['precisionRule', readRule],
  maxForks: ['maxForks', integer(1)],
  budget: ['budgetMs', readBudget],
  keepEnv: ['keepEnv', readNames],
};

/** As users write them. */
export const WHOLE_RUN_NAMES = Object.keys(READERS) as readonly (keyof WholeRunOptions)[];

/**
 * Reads whole-run options from any layer. Other fields are passed over.
 *
 * @returns The options present, or the first field that is wrong and the end of a sentence about it.
 */
export function readWholeRun(
  source: Readonly<Record<string, unknown>>,
): { readonly options: WholeRun } | { readonly field: keyof WholeRunOptions; readonly problem: string } {
  const options: Record<string, unknown> = {};
  for (const field of WHOLE_RUN_NAMES) {
    const value = source[field];
    if (value === undefined) continue;
    const [target, reader] = READERS[field];
    const read = reader(value);
    if ('problem' in read) return { field, problem: read.problem };
    options[target] = read.value;
  }
  return { options };
}
