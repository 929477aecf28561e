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

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const fixture = (name: string) => join(root, 'test/runner/fixtures', name);

export function tempDir(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const environment = { host: 'test' } as Environment;

export function trialPlan(benchmark: string, params: Params, changes: Partial<TrialPlan> = {}): TrialPlan {
  return {
    id: `x.mjs:S.${benchmark}:avgt:{}`,
    file: fixture('fork.mjs'),
    fileLabel: 'x.mjs',
    suite: 'S',
    benchmark,
    params,
    mode: 'avgt',
    baseline: false,
    options: {},
    fork: {
      unit: 'ns',
      warmupIterations: 1,
      warmupTimeMs: 1,
      warmupMinMs: 1,
      warmupMaxMs: 2,
      iterations: 3,
      iterationTimeMs: 1,
      batchSize: 1,
      warmupBatchSize: 1,
      opsPerInvocation: 1,
      threads: 1,
      group: null,
      inflight: 1,
      timeoutMs: 1000,
      opaque: false,
      gcBeforeIteration: false,
      syncIterations: true,
      pollute: [],
      polluteLast: [],
      keepChunks: false,
      canaries: false,
      linearityCheck: false,
    },
    forks: 2,
    warmupForks: 0,
    forkTimeoutMs: 60_000,
    nodeArgs: [],
    nodeExecutable: process.execPath,
    descriptionFindings: [],
    ...changes,
  };
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
