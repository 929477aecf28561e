/** Runs the conformance suites in real forks and reads what their fixtures noted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Iteration, RunResult, Trial } from '#lib/result/model.js';
import { type Finished, fixture, scratch, theRun, tscope } from '../support/cli.js';

/** One line of the log: who noted what. Forks run in a folder of their own, where the fixtures write it. */
export interface Note {
  readonly pid: number;
  readonly thread: number;
  readonly text: string;
}

export interface Measured extends Finished {
  readonly cwd: string;
  readonly result: RunResult;
  readonly notes: readonly Note[];
  /** Notes of the only fork of a benchmark, found by what its shared or setup noted last. */
  readonly of: (trial: Trial, fork?: number) => readonly Note[];
}

/** Two warm-up and three measured iterations, as short as they can be. */
export const TINY = ['-f', '1', '-wi', '2', '-w', '5ms', '-i', '3', '-r', '5ms', '--no-canaries'];

/** The log that the fixtures wrote in a folder. */
export function notesIn(cwd: string): Note[] {
  let text: string;
  try {
    text = readFileSync(join(cwd, 'notes.log'), 'utf8');
  } catch {
    return [];
  }
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [pid, thread, ...words] = line.split(' ');
      return { pid: Number(pid), thread: Number(thread), text: words.join(' ') };
    });
}

/** Runs `tscope run` on a file of test/conformance/fixtures and reads result and notes. */
export async function measured(
  t: ExecutionContext,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Measured> {
  const cwd = scratch(t);
  const finished = await tscope(['run', fixture(`conformance/fixtures/${file}`), '--no-config', ...args], { cwd, env });
  if (finished.code === 2) throw new Error(`refused: ${finished.stderr}`);
  const notes = notesIn(cwd);
  return {
    ...finished,
    cwd,
    result: theRun(cwd).result(),
    notes,
    of: ({ forks }, fork = 0) => notes.filter(({ pid }) => pid === forks[fork]?.runtime?.pid),
  };
}

/** The trial of a benchmark by name. */
export function trialOf({ trials }: RunResult, benchmark: string, mode?: string): Trial {
  const found = trials.filter((trial) => trial.benchmark === benchmark && (mode === undefined || trial.mode === mode));
  if (found.length !== 1) throw new Error(`${found.length} trials of ${benchmark}`);
  return found[0]!;
}

export const texts = (notes: readonly Note[]): string[] => notes.map(({ text }) => text);

export const times = (notes: readonly Note[], text: string): number =>
  notes.filter((note) => note.text === text).length;

/** Measured iterations of all forks. */
export const iterationsOf = (trial: Trial): readonly Iteration[] => trial.forks.flatMap(({ iterations }) => iterations);
