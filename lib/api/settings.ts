/** From the settings of a call to a request: checks, one sentence each. */
import { statSync } from 'node:fs';
import type { DeclaredOptions } from '../protocol/messages.js';
import { UsageError } from '../runner/usage-error.js';
import { RUN_OPTION_NAMES, readOptions } from '../suite/options.js';
import { show } from '../suite/show.js';
import { didYouMean } from '../suite/suggest.js';
import { readWholeRun, WHOLE_RUN_NAMES, type WholeRun } from '../suite/whole-run.js';
import type { RunSettings } from './types.js';

type Own = Exclude<keyof RunSettings, (typeof RUN_OPTION_NAMES)[number] | (typeof WHOLE_RUN_NAMES)[number]>;
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const flag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    known.includes(value as string);
const patterns: Check = (value) =>
  [value].flat().every((item: unknown) => typeof item === 'string' || item instanceof RegExp);
const isParam: Check = (value) =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
const isParams: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((item: unknown) =>
    Array.isArray(item) ? item.length > 0 && item.every(isParam) : isParam(item),
  );

/** Settings that are not options of a suite: what they must be. */
const OWN: { readonly [K in Own]: readonly [check: Check, expected: string] } = {
  params: [isParams, 'an object of finite numbers, strings, booleans, null, or lists of them'],
  only: [patterns, 'a string, a regular expression or a list of these'],
  exclude: [patterns, 'a string, a regular expression or a list of these'],
  seed: [
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32,
    'a whole number from 0 to 4294967295',
  ],
  order: [oneOf('random', 'sequential'), '"random" or "sequential"'],
  failFast: [flag, 'true or false'],
  allow: [(value) => Array.isArray(value) && value.every(text), 'a list of strings'],
  node: [text, 'the path of a node executable'],
  loader: [oneOf('strip', 'native', 'none'), '"strip", "native" or "none"'],
  keepChunks: [flag, 'true or false'],
  canaries: [flag, 'true or false'],
  strayReruns: [(value) => Number.isInteger(value) && (value as number) >= 0, 'a whole number of at least 0'],
  linearity: [flag, 'true or false'],
  cwd: [text, 'the path of a folder'],
  config: [(value) => value === false || text(value), 'the path of a config file, or false'],
  keep: [flag, 'true or false'],
  moveHost: [flag, 'true or false'],
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
};

/**
 * Checks settings and reads their options (durations in ms).
 *
 * @param caller Name of the function whose settings they are, for messages.
 * @throws TypeError naming the field.
 */
export function readSettings(
  settings: unknown,
  caller: string,
): { readonly options: DeclaredOptions; readonly wholeRun: WholeRun } {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new TypeError(`${caller}: settings must be an object, not ${show(settings)}.`);
  }
  const known = [...RUN_OPTION_NAMES, ...WHOLE_RUN_NAMES, ...Object.keys(OWN)];
  for (const [field, value] of Object.entries(settings)) {
    if (!known.includes(field))
      throw new TypeError(`${caller}: unknown setting "${field}".${didYouMean(field, known)}`);
    if (value === undefined || !Object.hasOwn(OWN, field)) continue;
    const [check, expected] = OWN[field as Own];
    if (!check(value)) throw new TypeError(`${caller}, setting "${field}": must be ${expected}, not ${show(value)}.`);
  }
  checkFolder((settings as RunSettings).cwd, caller);
  const read = readOptions(settings as Record<string, unknown>);
  if ('problem' in read) throw new TypeError(`${caller}, setting "${read.field}": ${read.problem}`);
  const whole = readWholeRun(settings as Record<string, unknown>);
  if ('problem' in whole) throw new TypeError(`${caller}, setting "${whole.field}": ${whole.problem}`);
  return { options: read.options, wholeRun: whole.options };
}

/** A mistyped folder would otherwise be made, with the kept run in it. @throws UsageError naming it. */
export function checkFolder(cwd: string | undefined, caller: string): void {
  if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UsageError(`${caller}, setting "cwd": ${cwd}: no such folder.`);
}

/** Patterns as regular expressions; throws TypeError for one that is none. */
export function regexps(given: RunSettings['only'], where: string): RegExp[] {
  return [given ?? []].flat().map((item) => {
    // A global expression would remember where its last match ended.
    if (typeof item !== 'string') return new RegExp(item.source, item.flags.replace(/[gy]/g, ''));
    try {
      return new RegExp(item);
    } catch (error) {
      throw new TypeError(`${where}: ${(error as Error).message}.`);
    }
  });
}

/** Values of params as the text that a command line would hold. */
export function paramTexts(params: RunSettings['params']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, values]) => [name, [values].flat().map(String)]));
}
