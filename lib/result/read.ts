import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { issueWords } from './issue-words.js';
import { isJmh, type JmhRecord, readJmh } from './jmh.js';
import { checkLightly } from './light.js';
import { RESULT_VERSION, type RunResult } from './model.js';
import { isNodeBench, type NodeBenchRecord, readNodeBench } from './node-bench.js';
import { ResultFileError } from './result-file-error.js';
import { runResultSchema } from './schema.js';

const MAJOR = RESULT_VERSION.split('.')[0];

function check(value: unknown, name: string): RunResult {
  const head = value as { format?: unknown; version?: unknown } | null;
  if (typeof head !== 'object' || head === null || head.format !== 'tscope-result') {
    throw new ResultFileError('foreign', `${name}: not a tscope result (no "format": "tscope-result").`);
  }
  const major = typeof head.version === 'string' ? head.version.split('.')[0] : undefined;
  if (major !== MAJOR) {
    throw new ResultFileError(
      'version',
      `${name}: ${head.version === undefined ? 'no result version is named' : `result version ${JSON.stringify(head.version)} is not known`}; this tscope reads ${MAJOR}.x. Read it with the tscope that wrote it.`,
    );
  }
  const parsed = v.safeParse(runResultSchema, value, { abortEarly: true });
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw new ResultFileError('damaged', `${name}: damaged at ${issueWords(issue)}.`);
  }
  return parsed.output;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ResultFileError(
      'damaged',
      `${name}: not complete JSON (${(error as Error).message}); the file was cut or edited.`,
    );
  }
}

/**
 * Text of a file, without a byte order mark.
 *
 * @throws ResultFileError (`missing`, `unreadable`).
 */
export function readText(path: string): string {
  try {
    // Editors and shells of Windows put a byte order mark first.
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ResultFileError('missing', `${path}: no such result file.`);
    throw new ResultFileError('unreadable', `${path}: cannot be read (${message}).`);
  }
}

/**
 * Reads a result from JSON text.
 *
 * @param text JSON of a {@link RunResult}.
 * @param name Name for messages, usually the path.
 * @throws ResultFileError (`damaged`, `foreign`, `version`).
 */
export const parseResult = (text: string, name: string): RunResult => check(parseJson(text, name), name);

/**
 * Reads a result file.
 *
 * @throws ResultFileError (`missing`, `unreadable`, `damaged`, `foreign`, `version`).
 */
export const readResult = (path: string): RunResult => parseResult(readText(path), path);

/** A result file of any kind. */
export type AnyResult =
  | { readonly kind: 'tscope'; readonly result: RunResult }
  | { readonly kind: 'jmh'; readonly records: readonly JmhRecord[] }
  | { readonly kind: 'node:bench'; readonly records: readonly NodeBenchRecord[] };

/**
 * Reads text that is a result of ours or of JMH, or JSON lines of node:bench.
 *
 * @throws ResultFileError (`damaged`, `foreign`, `version`).
 */
export function parseAnyResult(text: string, name: string): AnyResult {
  if (isNodeBench(text)) return { kind: 'node:bench', records: readNodeBench(text, name) };
  const value = parseJson(text, name);
  if (isJmh(value)) return { kind: 'jmh', records: readJmh(value, name) };
  return { kind: 'tscope', result: checkLightly(value) ?? check(value, name) };
}

/**
 * Reads a result file of ours, of JMH or of node:bench.
 *
 * @throws ResultFileError (`missing`, `unreadable`, `damaged`, `foreign`, `version`).
 */
export const readAnyResult = (path: string): AnyResult => parseAnyResult(readText(path), path);
