/** Starts a latency process whose stdin stays open: closing it is how the host asks for an early end. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type LoaderMode, loaderArgs } from '../../loader/index.js';
import { MessageDecoder } from '../../protocol/framing.js';
import { forkEnv } from '../../runner/fork-env.js';
import type { ProcessEnd } from '../../runner/launch.js';
import { Tail } from '../../runner/tail.js';
import type { LatencyMessage } from '../messages.js';

export interface LatencyLaunch {
  readonly script: 'main' | 'describe';
  /** A plan or request without its token. */
  readonly request: (token: string) => object;
  readonly loader: { readonly cacheDir: string; readonly mode: LoaderMode };
  readonly nodeExecutable: string;
  readonly nodeArgs: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keepEnv: readonly string[];
  readonly cwd: string;
  readonly onMessage: (message: LatencyMessage) => void;
}

export interface LatencyProcess {
  readonly pid: number | null;
  readonly ended: Promise<
    ProcessEnd & { readonly problem: string | null; readonly stdout: string; readonly stderr: string }
  >;
  /** Asks for an early end: a run stops at its next event. */
  stop(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

const script = (name: string) => fileURLToPath(new URL(`../${name}.js`, import.meta.url));

export function launchLatency(launch: LatencyLaunch): LatencyProcess {
  const token = randomBytes(12).toString('hex');
  const [stdout, stderr] = [new Tail(), new Tail()];
  let problem: string | null = null;
  const decoder = new MessageDecoder(
    token,
    (decoded) => {
      if (decoded.ok) launch.onMessage(decoded.message as unknown as LatencyMessage);
      else problem ??= decoded.reason;
    },
    (text) => stdout.push(text),
  );
  const args = [...launch.nodeArgs, ...loaderArgs(launch.loader, launch.script === 'describe'), script(launch.script)];
  const child = spawn(launch.nodeExecutable, args, {
    cwd: launch.cwd,
    env: forkEnv(launch.env, launch.keepEnv, 0, `latency-${launch.script}`),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A ctrl-C of the terminal reaches the host alone, which then asks the fork to stop.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const kill = (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.pid === undefined) return;
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // ESRCH: gone already.
    }
  };
  // A process that dies at once breaks the pipe; its exit tells the story.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(launch.request(token))}\n`);
  child.stdout.on('data', (chunk) => decoder.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (text) => stderr.push(text));
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
    });
    child.on('exit', () => kill('SIGKILL'));
    child.on('close', (code, signal) => resolve({ code, signal, error: null }));
  });
  return {
    pid: child.pid ?? null,
    ended: ended.then((end) => {
      decoder.end();
      return { ...end, problem, stdout: stdout.toString(), stderr: stderr.toString() };
    }),
    stop: () => child.stdin.end(),
    kill,
  };
}
