/** Starts a latency process whose stdin stays open: closing it is how the host asks for an early end. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type LoaderMode, loaderArgs } from '../../loader/index.js';
import { MessageDecoder } from '../../protocol/framing.js';
import { forkEnv } from '../../runner/fork-env.js';
import { type ProcessEnd, startProcess } from '../../runner/launch.js';
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
  const utf8 = new TextDecoder();
  const child = startProcess(
    {
      argv: [
        launch.nodeExecutable,
        ...launch.nodeArgs,
        ...loaderArgs(launch.loader, launch.script === 'describe'),
        script(launch.script),
      ],
      cwd: launch.cwd,
      env: forkEnv(launch.env, launch.keepEnv, 0, `latency-${launch.script}`),
      stdin: `${JSON.stringify(launch.request(token))}\n`,
      onStdout: (chunk) => decoder.push(chunk),
      onStderr: (chunk) => stderr.push(utf8.decode(chunk, { stream: true })),
    },
    true,
  );
  return {
    pid: child.pid,
    ended: child.ended.then((end) => {
      decoder.end();
      return { ...end, problem, stdout: stdout.toString(), stderr: stderr.toString() };
    }),
    stop: child.endInput,
    kill: child.kill,
  };
}
