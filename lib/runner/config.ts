import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importTs } from '../loader/index.js';
import type { DeclaredOptions } from '../protocol/messages.js';
import type { Config } from '../suite/config.js';
import { RUN_OPTION_NAMES, readOptions } from '../suite/options.js';
import { show } from '../suite/show.js';
import { didYouMean } from '../suite/suggest.js';
import { readWholeRun, WHOLE_RUN_NAMES, type WholeRun } from '../suite/whole-run.js';
import { UsageError } from './usage-error.js';

const NAMES = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `tscope.config.${extension}`);
const RUN_FIELDS = ['files', 'allow', 'seed', 'node'] as const;

/** A config file after checking. */
export interface LoadedConfig extends Pick<Config, (typeof RUN_FIELDS)[number]> {
  /** null = there is none. */
  readonly path: string | null;
  readonly options: DeclaredOptions;
  /** What concerns the run as a whole. */
  readonly wholeRun?: WholeRun;
}

/** Looks for a config file from `cwd` up to the folder of the nearest package.json. */
export function findConfig(cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found) return found;
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return null;
  }
}

/** Is `value` right for `field`? The end of a sentence when it is not. */
function problemOf(field: (typeof RUN_FIELDS)[number], value: unknown): string | null {
  if (field === 'files' || field === 'allow') {
    const good = Array.isArray(value) && value.every((item) => typeof item === 'string');
    return good ? null : `must be a list of strings, not ${show(value)}.`;
  }
  if (field === 'seed') {
    const good = Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32;
    return good ? null : `must be a whole number from 0 to 4294967295, not ${show(value)}.`;
  }
  return typeof value === 'string' ? null : `must be the path of a node executable, not ${show(value)}.`;
}

/** Checks the content of a config file; throws UsageError naming path and field. */
export function checkConfig(value: unknown, path: string): LoadedConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path}: must export an object (export default defineConfig({ ... })), not ${show(value)}.`);
  }
  const known: readonly string[] = [...RUN_OPTION_NAMES, ...WHOLE_RUN_NAMES, ...RUN_FIELDS];
  for (const field of Object.keys(value)) {
    if (!known.includes(field)) throw new UsageError(`${path}: unknown field "${field}".${didYouMean(field, known)}`);
  }
  const config = value as Record<string, unknown>;
  const read = readOptions(config);
  if ('problem' in read) throw new UsageError(`${path}, field "${read.field}": ${read.problem}`);
  const whole = readWholeRun(config);
  if ('problem' in whole) throw new UsageError(`${path}, field "${whole.field}": ${whole.problem}`);
  for (const field of RUN_FIELDS) {
    const problem = config[field] === undefined ? null : problemOf(field, config[field]);
    if (problem !== null) throw new UsageError(`${path}, field "${field}": ${problem}`);
  }
  const run = Object.fromEntries(RUN_FIELDS.filter((field) => config[field] !== undefined).map((f) => [f, config[f]]));
  return { path, options: read.options, wholeRun: whole.options, ...run };
}

/**
 * Loads the config file.
 *
 * @param wanted Path given by the user; `false` = none; otherwise the one found by {@link findConfig}, or none.
 * @throws UsageError when it is missing, does not load or holds a mistake.
 */
export async function loadConfig(cwd: string, wanted?: string | boolean): Promise<LoadedConfig> {
  const path = typeof wanted === 'string' ? resolve(cwd, wanted) : wanted === false ? null : findConfig(cwd);
  if (path === null) return { path: null, options: {} };
  if (!existsSync(path)) throw new UsageError(`${path}: no such config file.`);
  let value: unknown;
  try {
    value = path.endsWith('.json')
      ? JSON.parse(readFileSync(path, 'utf8'))
      : (await importTs(pathToFileURL(path).href)).default;
  } catch (error) {
    throw new UsageError(`${path}: does not load: ${error instanceof Error ? error.message : show(error)}`);
  }
  return checkConfig(value, path);
}
