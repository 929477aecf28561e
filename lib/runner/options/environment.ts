import type { DeclaredOptions } from '../../protocol/messages.js';
import { DURATION_HINT } from '../../suite/duration.js';
import { isDuration, RUN_OPTION_NAMES, readOptions } from '../../suite/options.js';

/** `iterationTime` is set by TSCOPE_ITERATION_TIME. */
export const variableOf = (option: string): string =>
  `TSCOPE_${option.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`;

/** What the text of a variable means: numbers and booleans by their spelling, a list of node arguments by white space. */
function readText(option: string, text: string): unknown {
  if (option === 'nodeArgs') return text.split(/\s+/).filter(Boolean);
  if (option === 'mode') return text.split(',');
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

/**
 * Options set by environment variables (`TSCOPE_FORKS=3`).
 *
 * @returns The options, or a sentence naming the variable that is wrong.
 */
export function environmentOptions(
  env: Readonly<Record<string, string | undefined>>,
): { options: DeclaredOptions } | { problem: string } {
  const source: Record<string, unknown> = {};
  for (const option of RUN_OPTION_NAMES) {
    const text = env[variableOf(option)];
    if (text === undefined || text === '') continue;
    // A number alone is ms in code and s on the command line.
    if (isDuration(option) && Number.isFinite(Number(text))) {
      return { problem: `environment variable ${variableOf(option)}: ${text} has no unit; ${DURATION_HINT}.` };
    }
    source[option] = readText(option, text);
  }
  const read = readOptions(source);
  return 'problem' in read
    ? { problem: `environment variable ${variableOf(read.field)}: ${read.problem}` }
    : { options: read.options };
}
