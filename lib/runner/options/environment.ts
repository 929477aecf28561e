import { DURATION_HINT } from '../../suite/duration.js';
import { isDuration, RUN_OPTION_NAMES, readOptions } from '../../suite/options.js';
import { readWholeRun, WHOLE_RUN_NAMES } from '../../suite/whole-run.js';

type Env = Readonly<Record<string, string | undefined>>;

/** `iterationTime` is set by TSCOPE_ITERATION_TIME. */
export const variableOf = (option: string): string =>
  `TSCOPE_${option.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`;

/** What the text of a variable means: numbers and booleans by their spelling, a list of node arguments by white space. */
function readText(option: string, text: string): unknown {
  if (option === 'nodeArgs') return text.split(/\s+/).filter(Boolean);
  if (option === 'mode' || option === 'keepEnv') return text.split(',');
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Reads the options of these names that variables set, or says in a sentence which variable is wrong. */
function fromVariables<Name extends string, Options>(
  env: Env,
  names: readonly Name[],
  isTime: (name: Name) => boolean,
  read: (source: Record<string, unknown>) => { options: Options } | { field: Name; problem: string },
): { readonly options: Options } | { readonly problem: string } {
  const source: Record<string, unknown> = {};
  for (const name of names) {
    const text = env[variableOf(name)];
    if (text === undefined || text === '') continue;
    // A number alone is ms in code and s on the command line.
    if (isTime(name) && Number.isFinite(Number(text))) {
      return { problem: `environment variable ${variableOf(name)}: ${text} has no unit; ${DURATION_HINT}.` };
    }
    source[name] = readText(name, text);
  }
  const found = read(source);
  return 'problem' in found
    ? { problem: `environment variable ${variableOf(found.field)}: ${found.problem}` }
    : { options: found.options };
}

/**
 * Options set by environment variables (`TSCOPE_FORKS=3`).
 *
 * @returns The options, or a sentence naming the variable that is wrong.
 */
export const environmentOptions = (env: Env) => fromVariables(env, RUN_OPTION_NAMES, isDuration, readOptions);

/** Whole-run options set by environment variables (`TSCOPE_BUDGET=60s`, `TSCOPE_KEEP_ENV=CI,TZ`), like {@link environmentOptions}. */
export const environmentWholeRun = (env: Env) =>
  fromVariables(env, WHOLE_RUN_NAMES, (name) => name === 'budget', readWholeRun);
