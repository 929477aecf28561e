import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepResult } from '../../history/index.js';
import type { RunResult } from '../../result/model.js';
import { readResult } from '../../result/read.js';
import { writeResult } from '../../result/write.js';
import type { Io } from '../io.js';

function holds(path: string, { id, status }: RunResult): boolean {
  try {
    const kept = readResult(path);
    return kept.id === id && kept.status === status;
  } catch {
    return false;
  }
}

/**
 * Keeps a result in its run's folder; where that fails, in the temporary folder, so that a full disk loses nothing. What failed is told.
 *
 * @returns Where it is, null when it is nowhere; `inPlace`: in its folder.
 */
export function keepSomewhere(
  io: Pick<Io, 'err'>,
  runDir: string,
  result: RunResult,
): { readonly path: string | null; readonly inPlace: boolean } {
  const path = join(runDir, 'result.json');
  const spare = join(tmpdir(), `tscope-${result.id}-result.json`);
  try {
    keepResult(runDir, result);
    return { path, inPlace: true };
  } catch (error) {
    if (holds(path, result)) {
      io.err(`tscope: The list of runs cannot be written (${(error as Error).message}); the result is in ${path}.\n`);
      return { path, inPlace: false };
    }
    io.err(`tscope: ${path}: cannot be written (${(error as Error).message}).\n`);
  }
  try {
    writeResult(spare, result);
    io.err(`tscope: The result is in ${spare}.\n`);
    return { path: spare, inPlace: false };
  } catch (error) {
    const journalLost = result.findings.some(({ id }) => id === 'journal-lost');
    const left = journalLost
      ? 'The journal is not whole either: run again from a folder with room.'
      : `The data are in ${runDir}/journal.jsonl: make room, then tscope run --resume ${result.id}.`;
    io.err(`tscope: ${spare}: cannot be written either (${(error as Error).message}). ${left}\n`);
    return { path: null, inPlace: false };
  }
}
