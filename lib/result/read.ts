import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { RESULT_VERSION, type RunResult } from './model.js';
import { runResultSchema } from './schema.js';

/** A result file that cannot be read: `code` says which way, the message names the file and what to do. */
export class ResultFileError extends Error {
  override readonly name = 'ResultFileError';
  readonly code: 'missing' | 'unreadable' | 'damaged' | 'foreign' | 'version';
  constructor(code: ResultFileError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

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
      `${name}: result version ${JSON.stringify(head.version)} is not known; this tscope reads ${MAJOR}.x. Read it with the tscope that wrote it.`,
    );
  }
  const parsed = v.safeParse(runResultSchema, value, { abortEarly: true });
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw new ResultFileError('damaged', `${name}: damaged at ${v.getDotPath(issue) ?? 'the top'}: ${issue.message}`);
  }
  return parsed.output;
}

/**
 * Reads a result from JSON text.
 *
 * @param text JSON of a {@link RunResult}.
 * @param name Name for messages, usually the path.
 * @throws ResultFileError (`damaged`, `foreign`, `version`).
 */
export function parseResult(text: string, name: string): RunResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ResultFileError(
      'damaged',
      `${name}: not complete JSON (${(error as Error).message}); the file was cut or edited.`,
    );
  }
  return check(value, name);
}

/**
 * Reads a result file.
 *
 * @throws ResultFileError (`missing`, `unreadable`, `damaged`, `foreign`, `version`).
 */
export function readResult(path: string): RunResult {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ResultFileError('missing', `${path}: no such result file.`);
    throw new ResultFileError('unreadable', `${path}: cannot be read (${message}).`);
  }
  return parseResult(text, path);
}
