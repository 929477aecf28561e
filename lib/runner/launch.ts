/** Starting processes: argv in, a running process out. Other launchers only put words in front of the argv. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface LaunchRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Written to the process's stdin, which is then closed. */
  readonly stdin: string;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
}

/** How a process ended; `error` when it could not be started at all. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error: string | null;
}

export interface Launched {
  /** null when it could not be started, or runs elsewhere. */
  readonly pid: number | null;
  /** Resolves when the process is gone and its output has been handed on; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Signals the process and all it started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export type Launch = (request: LaunchRequest) => Launched;

/** Time for output to arrive after the exit, ms, when something else still holds the pipe. */
const DRAIN_MS = 1000;

/** A process on this machine. */
export interface Started extends Launched {
  /** Closes its stdin, if {@link startProcess} was asked to keep it open. */
  endInput(): void;
}

/**
 * Starts a process on this machine, in a process group of its own: a ctrl-C of the terminal reaches the host alone, which decides, and
 * what the process started dies with it.
 * @param keepInput `true` leaves stdin open after what the request says was written.
 */
export function startProcess(request: LaunchRequest, keepInput = false): Started {
  const [command, ...args] = request.argv;
  let child: ChildProcess;
  try {
    child = spawn(command!, args, {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    const end = { code: null, signal: null, error: (error as Error).message };
    return { pid: null, ended: Promise.resolve(end), kill() {}, endInput() {} };
  }
  // A process that dies at once breaks the pipe; its exit tells the story.
  child.stdin!.on('error', () => {});
  child.stdin!.write(request.stdin);
  if (!keepInput) child.stdin!.end();
  child.stdout!.on('data', request.onStdout);
  child.stderr!.on('data', request.onStderr);
  const kill = (signal: 'SIGTERM' | 'SIGKILL') => signalGroup(child, signal);
  const ended = new Promise<ProcessEnd>((resolve) => {
    let drain: NodeJS.Timeout | undefined;
    child.on('error', (error) => {
      // 'error' also reports a failed kill; only a process that never started has no pid.
      if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
    });
    child.on('exit', (code, signal) => {
      kill('SIGKILL');
      drain = setTimeout(() => {
        child.stdout!.destroy();
        child.stderr!.destroy();
        resolve({ code, signal, error: null });
      }, DRAIN_MS);
    });
    child.on('close', (code, signal) => {
      clearTimeout(drain);
      resolve({ code, signal, error: null });
    });
  });
  return { pid: child.pid ?? null, ended, kill, endInput: () => child.stdin!.end() };
}

/**
 * Runs argv on this machine; see {@link startProcess}.
 * @param wrap Puts words in front, for example `taskset -c 1`.
 */
export function localLauncher(wrap: (argv: readonly string[]) => readonly string[] = (argv) => argv): Launch {
  return (request) => startProcess({ ...request, argv: wrap(request.argv) });
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: gone already.
  }
}
