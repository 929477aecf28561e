/** Small, complete results for tests: every field has a plausible value, and builders change what a test is about. */
import type { ClockInfo, Environment, Fork, Iteration, RunResult, Trial } from '#lib/result/model.js';

export const clockInfo: ClockInfo = {
  backend: 'addon',
  source: 'tsc',
  hz: 2_000_000_000,
  hzPpm: 0.02,
  granularityNs: 10,
  readNs: 11,
  floorNs: 10,
  reason: null,
};

export const environment: Environment = {
  host: 'lab1',
  platform: 'linux',
  arch: 'x64',
  kernel: '6.1.0',
  cpuModel: 'Example CPU',
  cpuCount: 4,
  allowedCpus: [0, 1, 2, 3],
  memoryBytes: 8 * 2 ** 30,
  hypervisor: false,
  governor: 'performance',
  turbo: null,
  smt: 'off',
  isolatedCpus: null,
  nohzFullCpus: null,
  clocksource: 'tsc',
  loadAverage: [0.1, 0.2, 0.3],
  cpuPressure: 0,
  cpuQuota: null,
  node: '24.0.0',
  v8: '13.6.0',
  nodeExecutable: 'node',
  nodeFlags: [],
  backend: 'addon',
  backendReason: null,
  clock: clockInfo,
};

/** An iteration of 100 ms at `nsPerOp`. */
export function iteration(index: number, nsPerOp: number, over: Partial<Iteration> = {}): Iteration {
  const elapsedNs = 1e8;
  return {
    index,
    startNs: index * 1.1e8,
    ops: elapsedNs / nsPerOp,
    elapsedNs,
    wallNs: elapsedNs,
    score: nsPerOp,
    chunks: {
      count: 2000,
      invocations: 5e4 / nsPerOp,
      minNs: nsPerOp,
      medianNs: nsPerOp,
      p90Ns: nsPerOp,
      maxNs: nsPerOp,
      values: null,
    },
    histogram: null,
    gc: { count: 0, ns: 0 },
    involuntarySwitches: 0,
    gaps: { count: 0, lostNs: 0, worstNs: 0 },
    clock: { driftNs: 0, discontinuity: false },
    tier: { loop: 'turbofan', body: 'turbofan', changed: false, deopts: 0 },
    tags: [],
    threads: null,
    counters: null,
    canary: null,
    aware: null,
    ...over,
  };
}

/** A fork with one iteration per score, ns/op. */
export function fork(index: number, scores: readonly number[], over: Partial<Fork> = {}): Fork {
  return {
    index,
    round: index,
    position: 0,
    status: 'ok',
    failure: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    wallMs: 1000,
    startup: { spawnToEntryMs: 30, loadMs: 5, setupMs: 1, spawnToFirstInvocationMs: 40 },
    runtime: {
      pid: 100 + index,
      node: '24.0.0',
      v8: '13.6.0',
      execArgv: [],
      loader: 'stripped',
      clock: clockInfo,
      pinnedCpu: 1,
      allowedCpus: [0, 1, 2, 3],
    },
    warmup: [],
    warmupEnd: 'steady',
    iterations: scores.map((score, i) => iteration(i, score)),
    resultKind: 'number',
    async: false,
    linearity: { ratio: 4, oneNs: 10, fourNs: 40, emptyNs: 0.5, eliminated: false },
    overhead: { emptyOpNs: 0.5, clockReadNs: 11 },
    findings: [],
    output: { stdout: '', stderr: '' },
    ...over,
  };
}

/** A trial with forks of these iteration scores, ns/op. */
export function trial(scores: readonly (readonly number[])[], over: Partial<Trial> = {}): Trial {
  return {
    id: 'a.bench.ts:S.f:avgt:{}',
    file: 'a.bench.ts',
    suite: 'S',
    benchmark: 'f',
    params: {},
    mode: 'avgt',
    baseline: false,
    options: { unit: { value: 'ns', source: 'default' } },
    status: 'ok',
    failure: null,
    forks: scores.map((list, i) => fork(i, list)),
    score: null,
    secondary: {},
    findings: [],
    ...over,
  };
}

/** A complete run of one trial. */
export function exampleResult(over: Partial<RunResult> = {}): RunResult {
  return {
    format: 'tscope-result',
    version: '1.0',
    id: '20260101-000000-abcd',
    createdAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:01:00.000Z',
    tool: { name: 'tscope', version: '0.1.0' },
    status: 'complete',
    seed: 42,
    environment,
    command: ['run', 'a.bench.ts'],
    trials: [
      trial(
        [
          [10, 11],
          [12, 11],
          [10, 10],
        ],
        { params: { n: 1 } },
      ),
    ],
    findings: [],
    ...over,
  };
}
