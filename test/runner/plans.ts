/** Plans and processes for the runner's tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import type { Environment, Params } from '#lib/result/model.js';
import {
  type HostDeps,
  localLauncher,
  type RunEvent,
  type RunPlan,
  systemClock,
  type TrialPlan,
} from '#lib/runner/index.js';
import { trialPlan as shortTrial } from '../support/trial-plan.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const fixture = (name: string) => join(root, 'test/runner/fixtures', name);

export function tempDir(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const environment = { host: 'test' } as Environment;

export function trialPlan(benchmark: string, params: Params, changes: Partial<TrialPlan> = {}): TrialPlan {
  return shortTrial({
    id: `x.mjs:S.${benchmark}:avgt:{}`,
    file: fixture('fork.mjs'),
    fileLabel: 'x.mjs',
    suite: 'S',
    benchmark,
    params,
    forks: 2,
    ...changes,
    fork: { iterations: 3, timeoutMs: 1000, ...changes.fork },
  });
}

export function runPlanOf(t: ExecutionContext, trials: readonly TrialPlan[], changes: Partial<RunPlan> = {}): RunPlan {
  const folder = tempDir(t);
  return {
    id: 'run-1',
    seed: 42,
    trials,
    order: 'random',
    environment,
    command: ['run'],
    runDir: join(folder, 'runs/run-1'),
    toolVersion: '0.0.0',
    pin: { measured: null, helpers: null },
    failFast: false,
    loader: { cacheDir: join(folder, 'cache'), mode: 'none' },
    ...changes,
  };
}

export function realDeps(changes: Partial<HostDeps> = {}): HostDeps & { readonly events: RunEvent[] } {
  const events: RunEvent[] = [];
  return {
    launch: localLauncher(),
    clock: systemClock,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    engine: fixture('fork.mjs'),
    ...changes,
    events,
  };
}

/** An empty file to which forks append a line each. */
export function logFile(t: ExecutionContext): string {
  const file = join(tempDir(t), 'log');
  writeFileSync(file, '');
  return file;
}
