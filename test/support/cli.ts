import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { parseResult, type RunResult } from '#lib/result/index.js';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const MAIN = join(ROOT, 'dist/cli/main.js');

/** A file of test/, by its path below it. */
export const fixture = (path: string): string => join(ROOT, 'test', path);

/** The fewest forks and the shortest times that still run everything. */
export const SHORT = ['-f', '1', '-wi', '1', '-w', '20ms', '-i', '2', '-r', '20ms'];

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

/** Starts `tscope` with these arguments. What in the environment would change defaults or ask for more output is left out. */
export function start(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; node?: string } = {},
): Started {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TSCOPE_|GITHUB_STEP_SUMMARY$)/.test(name)),
  );
  const child = spawn(options.node ?? process.execPath, [MAIN, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...inherited, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, finished };
}

/** Runs `tscope` to its end. */
export const tscope = (args: readonly string[], options?: Parameters<typeof start>[1]): Promise<Finished> =>
  start(args, options).finished;

/** A folder that is removed after the test. */
export function scratch(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-cli-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The only run that was made in a folder. */
export function theRun(cwd: string): { dir: string; result(): RunResult } {
  const runs = join(cwd, '.tscope/runs');
  const [id, ...more] = readdirSync(runs);
  if (id === undefined || more.length > 0) throw new Error(`expected one run in ${runs}, found ${more.length + 1}`);
  const dir = join(runs, id);
  return { dir, result: () => parseResult(readFileSync(join(dir, 'result.json'), 'utf8'), dir) };
}
