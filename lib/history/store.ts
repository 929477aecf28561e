/** Keeping results, and names for some of them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, writeWhole } from '../result/files.js';
import type { RunResult } from '../result/model.js';
import { readResult, readText } from '../result/read.js';
import { ResultFileError } from '../result/result-file-error.js';
import { writeResult } from '../result/write.js';
import { entriesOf } from './entry.js';
import { appendIndex, runIds, runsFolder } from './index-file.js';

/** Folder of everything that is kept, below a working directory. */
export const keepFolder = (cwd: string): string => join(cwd, '.tscope');

const resultFile = (root: string, id: string): string => join(runsFolder(root), id, 'result.json');

/** A name that can be given to a run; it becomes part of a file name. */
export const isBaselineName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);

const baselineFile = (root: string, name: string): string => join(root, 'baselines', `${name}.json`);

function isComplete(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { status?: unknown }).status === 'complete';
  } catch {
    return false;
  }
}

/**
 * Writes the result of a run into its folder `<root>/runs/<id>` and its lines into the index. A complete result is never written again; that of an
 * interrupted run is, once, when the run has been taken up and finished.
 *
 * @returns False when a complete result was there already, and nothing was written.
 * @throws The file system's error; when it comes from the index, the result has been written.
 */
export function keepResult(runDir: string, result: RunResult): boolean {
  const file = join(runDir, 'result.json');
  if (existsSync(file) && isComplete(file)) return false;
  writeResult(file, result);
  appendIndex(dirname(dirname(runDir)), entriesOf(result));
  return true;
}

/** What `read` returns; null when the file is not there. */
function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ResultFileError && error.code === 'missing') return null;
    throw error;
  }
}

/**
 * The latest complete run, or null. Runs without a result (still running, or killed) and interrupted ones are passed over.
 *
 * @throws ResultFileError when a later result is damaged or may not be read: an older one must not stand in for it.
 */
export function latestRun(root: string): RunResult | null {
  for (const id of runIds(root).reverse()) {
    const result = ifThere(() => readResult(resultFile(root, id)));
    if (result?.status === 'complete') return result;
  }
  return null;
}

/** Names a run. An earlier run of that name keeps its files and loses the name. */
export function saveBaseline(root: string, name: string, run: string, at: string): void {
  makeFolder(join(root, 'baselines'));
  writeWhole(baselineFile(root, name), `${JSON.stringify({ format: 'tscope-baseline', version: 1, run, at })}\n`);
}

export type BaselineOutcome =
  | { readonly status: 'ok'; readonly result: RunResult; readonly savedAt: string }
  /** No run has this name; `path` is where it was looked for. */
  | { readonly status: 'unknown'; readonly path: string }
  /** The name is there, the run is not any more, or its name file is damaged. */
  | { readonly status: 'lost'; readonly path: string };

/** The run that has a name. @throws ResultFileError when its result file is damaged, or a file may not be read. */
export function readBaseline(root: string, name: string): BaselineOutcome {
  const path = baselineFile(root, name);
  const text = ifThere(() => readText(path));
  if (text === null) return { status: 'unknown', path };
  let named: { run?: unknown; at?: unknown };
  try {
    named = JSON.parse(text) as typeof named;
  } catch {
    return { status: 'lost', path };
  }
  if (typeof named?.run !== 'string' || !isBaselineName(named.run)) return { status: 'lost', path };
  const file = resultFile(root, named.run);
  const result = ifThere(() => readResult(file));
  return result === null ? { status: 'lost', path: file } : { status: 'ok', result, savedAt: String(named.at) };
}
