/**
 * What a run has measured so far, on disk: `plan.json`, then `journal.jsonl`, one line for each thing that happened, written as it happens
 * and forced to the disk after each fork. A crash of the host loses at most the fork in flight.
 */
import { closeSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { ForkMessage } from '../protocol/messages.js';
import { fsReason, makeFolder, writeAll, writeWhole } from '../result/files.js';
import { lockRun } from './lock.js';
import type { ForkFrame } from './recorder.js';
import { RunDirError } from './run-dir-error.js';
import type { RunPlan } from './types.js';

/** Version of the files of a run folder; a reader refuses another. */
const JOURNAL_VERSION = 1;

export type JournalEntry =
  | { readonly type: 'start'; readonly slot: string; readonly pid: number | null; readonly startedAt: string }
  | { readonly type: 'message'; readonly slot: string; readonly message: ForkMessage }
  /** `rerun`: this attempt does not count, the slot is run again; why not: the clock jumped, or the canaries strayed. */
  | {
      readonly type: 'end';
      readonly slot: string;
      readonly frame: ForkFrame;
      readonly rerun: boolean;
      readonly why?: RerunReason;
    };

export type RerunReason = 'clock' | 'canary';

/** Where a run's events go. Nothing here throws: losing the journal must not lose the measurement. */
export interface Journal {
  append(entry: JournalEntry): void;
  /** Forces what was appended to the disk. */
  sync(): void;
  /** Why nothing is written any more; null while all is well. */
  readonly lost: string | null;
  /** Closes the file and releases the folder. */
  close(): void;
}

/** The calls a journal makes; replaced in tests to fill the disk. */
export interface JournalFs {
  write(fd: number, text: string): void;
  sync(fd: number): void;
}

const realFs: JournalFs = { write: writeAll, sync: fsyncSync };

/** What `plan.json` holds. */
export interface StoredPlan {
  readonly format: 'tscope-plan';
  readonly version: number;
  readonly plan: RunPlan;
  readonly createdAt: string;
  /** SHA-256 of each benchmark file, and of the files it imports, when the run began. */
  readonly sources: Readonly<Record<string, string>>;
}

/** A journal that keeps nothing, for runs without a folder. */
export const noJournal: Journal = { append() {}, sync() {}, lost: null, close() {} };

/**
 * Creates the folder of a new run and stores its plan.
 * @throws {RunDirError} When the folder cannot be made or written, or already holds a run: before anything was measured.
 */
export function createRun(stored: Omit<StoredPlan, 'format' | 'version'>, fs: JournalFs = realFs): Journal {
  const { runDir } = stored.plan;
  let release: (() => void) | undefined;
  try {
    makeFolder(runDir);
    release = lockRun(runDir);
    const fd = openSync(join(runDir, 'journal.jsonl'), 'ax');
    writeWhole(
      join(runDir, 'plan.json'),
      `${JSON.stringify({ format: 'tscope-plan', version: JOURNAL_VERSION, ...stored })}\n`,
    );
    return new FileJournal(runDir, fd, release, fs);
  } catch (error) {
    release?.();
    if (error instanceof RunDirError) throw error;
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && path?.endsWith('journal.jsonl')) {
      throw new RunDirError(`${runDir} already holds a run; resume it, or begin one in another folder`);
    }
    throw new RunDirError(
      `cannot write the run folder ${runDir}: ${fsReason(error)}; nothing was measured. Run from a folder you can write to`,
    );
  }
}

/** An earlier run, opened again. */
export interface ReopenedRun {
  readonly stored: StoredPlan;
  readonly entries: readonly JournalEntry[];
  readonly journal: Journal;
}

/**
 * Opens the folder of a run that was interrupted; a torn last line is cut off.
 * @throws {RunDirError} When there is no readable run.
 */
export function reopenRun(runDir: string, fs: JournalFs = realFs): ReopenedRun {
  const stored = readPlan(runDir);
  const release = lockRun(runDir);
  try {
    const file = join(runDir, 'journal.jsonl');
    const { entries, length } = readJournal(file);
    truncateSync(file, length);
    const fd = openSync(file, 'a');
    return { stored, entries, journal: new FileJournal(runDir, fd, release, fs) };
  } catch (error) {
    release();
    if (error instanceof RunDirError) throw error;
    throw new RunDirError(`cannot go on with ${runDir}: ${fsReason(error)}`);
  }
}

function readPlan(runDir: string): StoredPlan {
  const file = join(runDir, 'plan.json');
  let stored: StoredPlan;
  try {
    stored = JSON.parse(readFileSync(file, 'utf8')) as StoredPlan;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new RunDirError(`${runDir} holds no run: ${file} does not exist`);
    }
    throw new RunDirError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (stored?.format !== 'tscope-plan') throw new RunDirError(`${file} is not a plan of tscope`);
  if (stored.version !== JOURNAL_VERSION) {
    throw new RunDirError(
      `${file} has version ${stored.version}, this tscope reads ${JOURNAL_VERSION}; resume with the version that began the run`,
    );
  }
  // The folder may have been moved since.
  return { ...stored, plan: { ...stored.plan, runDir } };
}

/** Entries up to the last whole line, and the length of that part in bytes. */
function readJournal(file: string): { entries: JournalEntry[]; length: number } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    bytes = Buffer.alloc(0);
  }
  const entries: JournalEntry[] = [];
  let start = 0;
  // Line by line: the whole of a long run with kept chunks may be longer than a string can be.
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    try {
      entries.push(JSON.parse(bytes.toString('utf8', start, end)) as JournalEntry);
    } catch {
      throw new RunDirError(
        `${file}:${entries.length + 1} is damaged; remove that line to repeat the fork it belongs to`,
      );
    }
    start = end + 1;
  }
  return { entries, length: start };
}

class FileJournal implements Journal {
  readonly #runDir: string;
  readonly #fs: JournalFs;
  readonly #release: () => void;
  #fd: number | null;
  lost: string | null = null;

  constructor(runDir: string, fd: number, release: () => void, fs: JournalFs) {
    this.#runDir = runDir;
    this.#fd = fd;
    this.#release = release;
    this.#fs = fs;
  }

  append(entry: JournalEntry): void {
    this.#guarded((fd) => this.#fs.write(fd, `${JSON.stringify(entry)}\n`));
  }

  sync(): void {
    this.#guarded((fd) => this.#fs.sync(fd));
  }

  close(): void {
    if (this.#fd !== null) {
      try {
        closeSync(this.#fd);
      } catch (error) {
        // Some file systems tell only here that they could not write.
        this.lost ??= `the journal in ${this.#runDir} cannot be written: ${fsReason(error)}`;
      }
    }
    this.#fd = null;
    this.#release();
  }

  /** After the first error nothing is written any more: a line after a torn one could not be told from it. */
  #guarded(action: (fd: number) => void): void {
    if (this.#fd === null || this.lost !== null) return;
    try {
      action(this.#fd);
    } catch (error) {
      this.lost = `the journal in ${this.#runDir} cannot be written: ${fsReason(error)}`;
    }
  }
}
