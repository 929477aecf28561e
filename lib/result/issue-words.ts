/** What is wrong with a file, in words for the person who has it rather than the validator's. */
import * as v from 'valibot';

const EXPECTED: Readonly<Record<string, string>> = {
  Object: 'an object',
  Array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};

/** Longest value shown as it is. */
const SHOWN = 40;

function found(input: unknown): string {
  if (input === undefined) return 'nothing';
  if (typeof input === 'number' && !Number.isFinite(input)) return 'a number too large to be held';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object' && input !== null) return 'an object';
  const text = JSON.stringify(input);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function expected({ type, expected: words, requirement }: v.BaseIssue<unknown>): string {
  if (type === 'finite') return 'a number';
  if (type === 'integer') return 'a whole number';
  if (type === 'min_value') return `at least ${String(requirement)}`;
  if (type === 'min_length') return `at least ${String(requirement)} in it`;
  if (type === 'regex') return `text of the form ${String(requirement)}`;
  if (words === null) return `${type} ${String(requirement)}`;
  return EXPECTED[words] ?? words.replace(/^\((.*)\)$/, '$1').replaceAll(' | ', ' or ');
}

/** Where and what: `trials.0.mode: expected "thrpt" or "avgt", found 5`. */
export function issueWords(issue: v.BaseIssue<unknown>): string {
  const where = v.getDotPath(issue as v.BaseIssue<unknown> & { path?: never }) ?? 'the top';
  // A key that is not there is an issue of the object around it; its path ends with the key.
  const missing = issue.input === undefined || issue.message.startsWith('Invalid key');
  return missing ? `${where}: it is missing` : `${where}: expected ${expected(issue)}, found ${found(issue.input)}`;
}
