/**
 * `.tscope/index.jsonl`: one line for each trial of each run, only ever appended to. It is a table of contents: everything in it can be made
 * again from the result files.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../result/files.js';
import { readResult, readText } from '../result/read.js';
import { ResultFileError } from '../result/result-file-error.js';
import { entriesOf, INDEX_VERSION, type IndexEntry } from './entry.js';

export const indexFile = (root: string): string => join(root, 'index.jsonl');
export const runsFolder = (root: string): string => join(root, 'runs');

export interface IndexContent {
  /** Last line of each trial of each run, in the order of the file. */
  readonly entries: readonly IndexEntry[];
  /** Lines that cannot be read: cut by a crash, or of another version. */
  readonly damaged: number;
}

const TEXTS = ['run', 'at', 'trial', 'name', 'mode', 'unit', 'status', 'host', 'cpu', 'node', 'policy'] as const;

const isEntry = (value: unknown): value is IndexEntry => {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof IndexEntry, unknown>>;
  const { params } = entry;
  return (
    entry.v === INDEX_VERSION &&
    TEXTS.every((name) => typeof entry[name] === 'string') &&
    typeof params === 'object' &&
    params !== null &&
    (entry.better === 'lower' || entry.better === 'higher') &&
    Number.isFinite(entry.forks) &&
    (entry.value === null || Number.isFinite(entry.value)) &&
    (entry.se === null || Number.isFinite(entry.se))
  );
};

/**
 * Reads index lines.
 *
 * @param needle Text that a line must contain to be looked at, such as part of a name in JSON; all lines without it. A line that does not contain
 *   it is not counted as damaged either.
 */
export function parseIndex(text: string, needle = ''): IndexContent {
  const found = new Map<string, IndexEntry>();
  let damaged = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    const line = text.slice(start, stop);
    start = stop + 1;
    if (line === '' || (needle !== '' && !line.includes(needle))) continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      damaged++;
      continue;
    }
    if (!isEntry(value)) {
      damaged++;
      continue;
    }
    // A run that was interrupted and taken up again has two lines; the later one counts, in its place.
    const key = `${value.run}\n${value.trial}`;
    found.delete(key);
    found.set(key, value);
  }
  return { entries: [...found.values()], damaged };
}

/** Reads the index below `root` (`.tscope`); empty when there is none. @throws ResultFileError when it cannot be read. */
export function readIndex(root: string, needle = ''): IndexContent {
  try {
    return parseIndex(readText(indexFile(root)), needle);
  } catch (error) {
    // Only what is not there is empty; what may not be read is not.
    if (error instanceof ResultFileError && error.code === 'missing') return { entries: [], damaged: 0 };
    throw error;
  }
}

const lines = (entries: readonly IndexEntry[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/**
 * Appends lines in one write, which the operating system does not mix with those of other processes. After a line that a crash has cut
 * they begin on a new one.
 *
 * @throws The file system's error.
 */
export function appendIndex(root: string, entries: readonly IndexEntry[]): void {
  if (entries.length === 0) return;
  const file = openSync(indexFile(root), 'a+');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
    const bytes = Buffer.from(`${torn ? '\n' : ''}${lines(entries)}`);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

/** Ids of all runs that have a folder, oldest first. @throws The file system's error when there are some that may not be listed. */
export function runIds(root: string): string[] {
  try {
    return readdirSync(runsFolder(root)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export interface Rebuilt {
  readonly runs: number;
  readonly trials: number;
  /** Runs whose result cannot be read, with the reason; those without a result file (still running, or killed) are not among them. */
  readonly left: readonly string[];
}

/** Makes the index anew from the result files and replaces it at once. */
export function rebuildIndex(root: string): Rebuilt {
  const entries: IndexEntry[] = [];
  const left: string[] = [];
  let runs = 0;
  for (const id of runIds(root)) {
    const file = join(runsFolder(root), id, 'result.json');
    try {
      entries.push(...entriesOf(readResult(file)));
      runs++;
    } catch (error) {
      if (error instanceof ResultFileError && error.code === 'missing') continue;
      left.push((error as Error).message);
    }
  }
  writeWhole(indexFile(root), lines(entries));
  return { runs, trials: entries.length, left };
}
