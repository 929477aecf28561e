/** Asks a process of its own what a benchmark file holds. User code never runs in the host. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loaderArgs } from '../loader/index.js';
import { MessageDecoder } from '../protocol/framing.js';
import {
  type DescribeRequest,
  type ForkMessage,
  type LoaderPlan,
  PROTOCOL_VERSION,
  type SuiteDescription,
} from '../protocol/messages.js';
import type { Failure } from '../result/model.js';
import { failureOf } from './ending.js';
import { KILL_GRACE_MS, LINGER_MS } from './fork.js';
import { forkEnv } from './fork-env.js';
import { type Launch, localLauncher } from './launch.js';
import { Tail } from './tail.js';
import { type Clock, systemClock } from './types.js';

export interface DescribeOptions {
  /** Absolute path. */
  readonly file: string;
  /** See {@link DescribeRequest}. Default none. */
  readonly paramOverrides?: Readonly<Record<string, readonly string[]>>;
  readonly loader: LoaderPlan;
  /** Default: the host's own node. */
  readonly nodeExecutable?: string;
  readonly nodeArgs?: readonly string[];
  /** Limit from spawn to exit, ms. Default 30 s. */
  readonly timeoutMs?: number;
  /** Default: the host's. */
  readonly cwd?: string;
  readonly keepEnv?: readonly string[];
}

export interface DescribeDeps {
  readonly launch?: Launch;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
  /** Script that describes. Default: the one of this package. */
  readonly script?: string;
}

/** What the file holds, or why it cannot be told; `output` is what the file printed while it loaded. */
export type Description =
  | {
      readonly ok: true;
      readonly suites: readonly SuiteDescription[];
      readonly loader: string;
      /** Versions of the node that described it, as in `process.versions`. */
      readonly node: string;
      readonly v8: string;
      readonly output: string;
    }
  | { readonly ok: false; readonly failure: Failure; readonly output: string };

const SCRIPT = fileURLToPath(new URL('../engine/describe/main.js', import.meta.url));

/**
 * Loads `file` in a fresh process and returns its suites. A syntax error (with `file:line:column`), a throw, an exit, a hang and a file
 * without suites come back as a failure with one sentence. Never rejects because of what the file does.
 */
export async function describeFile(options: DescribeOptions, deps: DescribeDeps = {}): Promise<Description> {
  const { launch = localLauncher(), clock = systemClock, signal, hostEnv = process.env, script = SCRIPT } = deps;
  const { nodeExecutable = process.execPath, nodeArgs = [], loader, timeoutMs = 30_000 } = options;
  const token = randomBytes(12).toString('hex');
  const [stdout, stderr] = [new Tail(), new Tail()];
  const utf8 = new TextDecoder();
  let described: Extract<ForkMessage, { type: 'described' }> | null = null;
  let failed: Extract<ForkMessage, { type: 'failed' }>['failure'] | null = null;
  let problem: string | null = null;
  let stopped: { why: 'timeout'; afterMs: number } | { why: 'lingering' } | null = null;
  const timers: (() => void)[] = [];

  const decoder = new MessageDecoder(
    token,
    (decoded) => {
      if (!decoded.ok) problem ??= decoded.reason;
      else if (decoded.message.type === 'failed') failed = decoded.message.failure;
      else if (decoded.message.type === 'described') {
        described = decoded.message;
        timers.push(clock.after(LINGER_MS, () => stop({ why: 'lingering' })));
      }
    },
    (text) => stdout.push(text),
  );
  const request: DescribeRequest = {
    kind: 'describe',
    protocol: PROTOCOL_VERSION,
    token,
    file: options.file,
    paramOverrides: options.paramOverrides ?? {},
    loader,
  };
  const launched = launch({
    argv: [nodeExecutable, ...nodeArgs, ...loaderArgs(loader, true), script],
    env: forkEnv(hostEnv, options.keepEnv ?? [], 0, 'describe'),
    cwd: options.cwd ?? process.cwd(),
    stdin: JSON.stringify(request),
    onStdout: (chunk) => decoder.push(chunk),
    onStderr: (chunk) => stderr.push(utf8.decode(chunk, { stream: true })),
  });
  const stop = (why: NonNullable<typeof stopped>) => {
    stopped ??= why;
    launched.kill('SIGTERM');
    timers.push(clock.after(KILL_GRACE_MS, () => launched.kill('SIGKILL')));
  };
  timers.push(clock.after(timeoutMs, () => stop({ why: 'timeout', afterMs: timeoutMs })));
  const onAbort = () => stop({ why: 'timeout', afterMs: 0 });
  signal?.addEventListener('abort', onAbort);
  const end = await launched.ended;
  signal?.removeEventListener('abort', onAbort);
  for (const cancel of timers) cancel();
  decoder.end();

  const output = `${stdout}${stderr}`;
  const found = described as Extract<ForkMessage, { type: 'described' }> | null;
  // It only had to tell what is there: how the process ends afterwards does not matter.
  if (found !== null && failed === null && problem === null) {
    const { suites, loader: how, node, v8 } = found;
    return { ok: true, suites, loader: how, node, v8, output };
  }
  const phase = 'while loading the file';
  const failure = failureOf({ end, done: false, failed, problem, stopped, phase, stderr: stderr.toString() }, null)!;
  return { ok: false, failure: explain(failure, options.file, nodeExecutable), output };
}

/** Adds what a person needs to act: the place of a syntax error, and the usual cause of a missing export. */
function explain(failure: Failure, file: string, nodeExecutable: string): Failure {
  const { message } = failure;
  const text = `${message}\n${failure.stack ?? ''}`;
  if (/does not provide an export named/.test(text) && /\.m?ts\b/.test(file)) {
    return { ...failure, message: `${message} (if that name is a type, import it with "import type")` };
  }
  if (/Unknown file extension "\.m?ts"/.test(message)) {
    return {
      ...failure,
      message: `${message} (this Node does not load TypeScript by itself: use loader "strip", or Node 22.18 or later)`,
    };
  }
  if (!/SyntaxError/.test(text) || /:\d+:\d+: /.test(message)) return failure;
  const place = placeOfSyntaxError(text, file, nodeExecutable);
  return place === null ? failure : { ...failure, message: `${place}: ${message}` };
}

/** `file:line:column` of a syntax error: from the arrow that Node prints, else from checking the file again. */
function placeOfSyntaxError(text: string, file: string, nodeExecutable: string): string | null {
  const inText = arrow(text);
  if (inText !== null) return inText;
  if (/\.[mc]?tsx?$/.test(file)) return null;
  const { stderr } = spawnSync(nodeExecutable, ['--check', file], { encoding: 'utf8', env: {}, timeout: 10_000 });
  return arrow(stderr ?? '');
}

function arrow(text: string): string | null {
  const match = /^((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*):(\d+)\n(.*)\n( *)\^/m.exec(text);
  if (!match) return null;
  const [, where, line, , indent] = match;
  const path = where!.startsWith('file:') ? fileURLToPath(where!) : where!;
  return `${path}:${line}:${indent!.length + 1}`;
}
