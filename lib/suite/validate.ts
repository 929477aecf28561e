import type { DeclaredOptions } from '../protocol/messages.js';
import { RUN_OPTION_NAMES, readOptions } from './options.js';
import { show } from './show.js';
import { didYouMean } from './suggest.js';
import type { AnySuiteDefinition, Suite } from './types.js';
import { WHOLE_RUN_NAMES } from './whole-run.js';

/** What is wrong in a benchmark file; the message names suite, benchmark and field. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** A suite whose definition has been checked; options are normalised (durations in ms). */
export interface CheckedSuite {
  readonly name: string;
  readonly definition: AnySuiteDefinition;
  readonly options: DeclaredOptions;
  readonly benchmarks: readonly CheckedBenchmark[];
}

export interface CheckedBenchmark {
  readonly name: string;
  readonly baseline: boolean;
  readonly options: DeclaredOptions;
  readonly group: Readonly<Record<string, number>> | null;
}

/** Fixtures in the order in which they first run. */
export const FIXTURES = [
  'shared',
  'setup',
  'setupIteration',
  'setupInvocation',
  'teardownInvocation',
  'teardownIteration',
  'teardown',
] as const;
const FUNCTIONS = ['where', 'inputs', ...FIXTURES] as const;
const SUITE_FIELDS = [...RUN_OPTION_NAMES, ...FUNCTIONS, 'params', 'counters', 'benchmarks', 'groups'];
const BENCHMARK_FIELDS = [...RUN_OPTION_NAMES, 'run', 'baseline'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws SuiteError for a name that is none, or that would break tables, logs and journals. */
export function checkName(kind: string, name: unknown, where: string): asserts name is string {
  if (typeof name !== 'string' || name.trim() === '')
    throw new SuiteError(`${where}: a ${kind} needs a name, not ${show(name)}.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused; they break tables and journals.
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw new SuiteError(`${where}: the name ${show(name)} holds a control character.`);
}

function checkFields(value: Record<string, unknown>, known: readonly string[], where: string): void {
  for (const field of Object.keys(value)) {
    if (!known.includes(field)) {
      if ((WHOLE_RUN_NAMES as readonly string[]).includes(field)) {
        throw new SuiteError(
          `${where}: "${field}" belongs to a run as a whole, not to a suite or a benchmark; set it on the command line, in the config file, or in the settings of run().`,
        );
      }
      throw new SuiteError(
        `${where}: unknown field "${field}".${didYouMean(field, known) || ` Known: ${known.join(', ')}.`}`,
      );
    }
  }
}

function checkParams(params: unknown, where: string): void {
  if (params === undefined) return;
  if (!isObject(params)) throw new SuiteError(`${where}: params must be an object of lists, not ${show(params)}.`);
  for (const [name, values] of Object.entries(params)) {
    const at = `${where}, param "${name}"`;
    checkName('param', name, where);
    // Readers of JSON that are careful drop it.
    if (name === '__proto__') throw new SuiteError(`${at}: this name is JavaScript's own; choose another.`);
    if (!Array.isArray(values)) throw new SuiteError(`${at}: must be a list of values, not ${show(values)}.`);
    if (values.length === 0) throw new SuiteError(`${at}: the list is empty; give at least one value.`);
    for (const value of values) {
      const good = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
      if (!good) throw new SuiteError(`${at}: ${show(value)} is not a finite number, string, boolean or null.`);
    }
    const texts = values.map(String);
    const twice = texts.findIndex((text, i) => texts.indexOf(text) !== i);
    if (twice >= 0) {
      const [first, second] = [values[texts.indexOf(texts[twice]!)], values[twice]];
      throw new SuiteError(
        Object.is(first, second)
          ? `${at}: the value ${texts[twice]} is listed twice.`
          : `${at}: ${show(first)} and ${show(second)} are written alike, so that neither a table nor -p could tell them apart; list one.`,
      );
    }
  }
}

function checkCounters(counters: unknown, where: string): void {
  if (counters === undefined) return;
  if (!isObject(counters)) throw new SuiteError(`${where}: counters must be an object, not ${show(counters)}.`);
  for (const [name, kind] of Object.entries(counters)) {
    checkName('counter', name, where);
    if (kind !== 'operations' && kind !== 'events') {
      throw new SuiteError(`${where}, counter "${name}": must be "operations" or "events", not ${show(kind)}.`);
    }
  }
}

function checkGroup(
  name: string,
  threads: unknown,
  benchmarks: Record<string, unknown>,
  where: string,
): Record<string, number> {
  const at = `${where}, group "${name}"`;
  if (Object.hasOwn(benchmarks, name)) throw new SuiteError(`${at}: a benchmark has the same name.`);
  if (!isObject(threads) || Object.keys(threads).length === 0) {
    throw new SuiteError(`${at}: must name at least one benchmark and its threads, for example { put: 1, take: 3 }.`);
  }
  for (const [method, count] of Object.entries(threads)) {
    if (!Object.hasOwn(benchmarks, method)) {
      throw new SuiteError(`${at}: there is no benchmark "${method}".${didYouMean(method, Object.keys(benchmarks))}`);
    }
    if (!Number.isInteger(count) || (count as number) < 0) {
      throw new SuiteError(`${at}, "${method}": threads must be a whole number of at least 0, not ${show(count)}.`);
    }
  }
  const counts = threads as Record<string, number>;
  if (Object.values(counts).every((count) => count === 0)) throw new SuiteError(`${at}: no method has a thread.`);
  return counts;
}

/** A call of a generator function runs nothing of its body. */
function checkCallable(fn: unknown, where: string): void {
  const tag = Object.prototype.toString.call(fn);
  if (tag !== '[object GeneratorFunction]' && tag !== '[object AsyncGeneratorFunction]') return;
  throw new SuiteError(
    `${where}: is a generator function, and calling one runs nothing of its body; write a function that walks the generator, for example with for...of.`,
  );
}

function checkBenchmark(name: string, value: unknown, suiteWhere: string): CheckedBenchmark {
  const where = `${suiteWhere}, benchmark "${name}"`;
  checkName('benchmark', name, suiteWhere);
  if (typeof value === 'function') {
    checkCallable(value, where);
    return { name, baseline: false, options: {}, group: null };
  }
  if (!isObject(value))
    throw new SuiteError(`${where}: must be a function or { run, ...options }, not ${show(value)}.`);
  checkFields(value, BENCHMARK_FIELDS, where);
  if (typeof value.run !== 'function')
    throw new SuiteError(`${where}, field "run": must be a function, not ${show(value.run)}.`);
  checkCallable(value.run, `${where}, field "run"`);
  if (value.baseline !== undefined && typeof value.baseline !== 'boolean') {
    throw new SuiteError(`${where}, field "baseline": must be true or false, not ${show(value.baseline)}.`);
  }
  return { name, baseline: value.baseline === true, options: optionsOf(value, where), group: null };
}

function optionsOf(value: Record<string, unknown>, where: string): DeclaredOptions {
  const read = readOptions(value);
  if ('problem' in read) throw new SuiteError(`${where}, field "${read.field}": ${read.problem}`);
  return read.options;
}

function checkSuite(value: Suite): CheckedSuite {
  checkName('suite', value.name, 'suite()');
  const where = `suite "${value.name}"`;
  const definition: unknown = value.definition;
  if (!isObject(definition))
    throw new SuiteError(`${where}: the second argument must be an object, not ${show(definition)}.`);
  checkFields(definition, SUITE_FIELDS, where);
  for (const field of FUNCTIONS) {
    const fixture = definition[field];
    if (fixture !== undefined && typeof fixture !== 'function') {
      throw new SuiteError(`${where}, field "${field}": must be a function, not ${show(fixture)}.`);
    }
    checkCallable(fixture, `${where}, field "${field}"`);
  }
  checkParams(definition.params, where);
  checkCounters(definition.counters, where);
  const benchmarks = definition.benchmarks;
  if (!isObject(benchmarks) || Object.keys(benchmarks).length === 0) {
    throw new SuiteError(`${where}, field "benchmarks": must hold at least one function.`);
  }
  const checked = Object.entries(benchmarks).map(([name, fn]) => checkBenchmark(name, fn, where));
  const baselines = checked.filter((b) => b.baseline).map((b) => b.name);
  if (baselines.length > 1)
    throw new SuiteError(`${where}: only one benchmark can be the baseline, not ${baselines.join(' and ')}.`);
  if (definition.groups !== undefined && !isObject(definition.groups)) {
    throw new SuiteError(`${where}, field "groups": must be an object, not ${show(definition.groups)}.`);
  }
  const grouped = new Set<string>();
  const groups: CheckedBenchmark[] = [];
  for (const [name, threads] of Object.entries(definition.groups ?? {})) {
    checkName('group', name, where);
    const group = checkGroup(name, threads, benchmarks, where);
    for (const method of Object.keys(group)) grouped.add(method);
    groups.push({ name, baseline: false, options: {}, group });
  }
  return {
    name: value.name,
    definition: definition as unknown as AnySuiteDefinition,
    options: optionsOf(definition, where),
    // A method of a group is measured as part of the group only, as in JMH.
    benchmarks: [...checked.filter((b) => !grouped.has(b.name)), ...groups],
  };
}

const isSuite = (value: unknown): value is Suite => isObject(value) && value.kind === 'suite' && 'definition' in value;

/**
 * Checks what a benchmark file exports.
 *
 * @param exported The default export: a suite or an array of suites.
 * @throws SuiteError naming suite, benchmark and field, with what to do.
 */
export function checkSuites(exported: unknown): CheckedSuite[] {
  const list = Array.isArray(exported) ? exported : [exported];
  if (exported === undefined || list.length === 0 || !list.every(isSuite)) {
    throw new SuiteError(
      'no suite exported: write `export default suite("Name", { benchmarks: { ... } })`, or an array of suites' +
        (exported === undefined ? '.' : `; the default export is ${show(exported)}.`),
    );
  }
  const suites = list.map(checkSuite);
  const names = suites.map((s) => s.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new SuiteError(`two suites are named "${twice}"; names must be unique within a file.`);
  const full = suites.flatMap((s) =>
    s.benchmarks.map((b) => ({ suite: s.name, name: b.name, full: `${s.name}.${b.name}` })),
  );
  for (const [i, b] of full.entries()) {
    const same = full.slice(0, i).find((other) => other.full === b.full);
    if (same) {
      throw new SuiteError(
        `suite "${b.suite}", benchmark "${b.name}" and suite "${same.suite}", benchmark "${same.name}" are both called "${b.full}" in results; rename one.`,
      );
    }
  }
  return suites;
}
