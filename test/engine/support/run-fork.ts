/** Starts a real fork from a test and collects what it says. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ForkMessage, ForkPlan } from '#lib/protocol/messages.js';
import type { Finding, Iteration } from '#lib/result/model.js';
import { planOf } from './fake.js';
import { root } from './nodes.js';

export interface ForkReport {
  readonly messages: readonly ForkMessage[];
  readonly output: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly of: <T extends ForkMessage['type']>(type: T) => readonly Extract<ForkMessage, { type: T }>[];
  readonly findings: readonly Finding[];
  readonly iterations: readonly Iteration[];
}

export interface ForkOptions {
  readonly node?: string;
  readonly args?: readonly string[];
  /** Called with each message as it comes and the fork's pid. */
  readonly onMessage?: (message: ForkMessage, pid: number) => void;
}

export const fixture = (name: string): string => join(root, 'test', name);

export function runFork(plan: Partial<ForkPlan>, options: ForkOptions = {}): Promise<ForkReport> {
  const token = 't0ken';
  const child = spawn(options.node ?? process.execPath, [...(options.args ?? []), join(root, 'dist/fork/main.js')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  const messages: ForkMessage[] = [];
  let output = '';
  let stderr = '';
  let rest = '';
  const line = (text: string) => {
    const at = text.indexOf(`\x1e${token} `);
    if (at < 0) {
      output += `${text}\n`;
      return;
    }
    output += text.slice(0, at);
    const message = JSON.parse(text.slice(at + token.length + 2)) as ForkMessage;
    messages.push(message);
    options.onMessage?.(message, child.pid!);
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const each of lines) line(each);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const spawnedAtMs = performance.timeOrigin + performance.now();
  child.stdin.end(JSON.stringify(planOf({ iterationTimeMs: 20, warmupTimeMs: 20, ...plan, token, spawnedAtMs })));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      if (rest !== '') line(rest);
      const of = (type: string) => messages.filter((message) => message.type === type) as never;
      resolve({
        messages,
        output,
        stderr,
        code,
        signal,
        of,
        findings: (of('finding') as { finding: Finding }[]).map(({ finding }) => finding),
        iterations: (of('iteration') as { iteration: Iteration }[]).map(({ iteration }) => iteration),
      });
    });
  });
}
