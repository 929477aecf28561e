import type { Fork, ForkRuntime, Iteration, ResolvedOptions, Trial } from '#lib/result/model.js';
import { mulberry32 } from '#lib/stats/prng.js';

/** One iteration of `ns` per op: 100 ms, 2,000 chunks of 50 us, nothing remarkable. */
export function iteration(index: number, ns: number, change: Partial<Iteration> = {}): Iteration {
  const elapsedNs = 1e8;
  return {
    index,
    startNs: index * 1.01e8,
    ops: elapsedNs / ns,
    elapsedNs,
    wallNs: 1.01e8,
    score: ns,
    chunks: {
      count: 2000,
      invocations: 50_000 / ns,
      minNs: ns * 0.98,
      medianNs: ns,
      p90Ns: ns * 1.02,
      maxNs: ns * 1.1,
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
    canary: { arithmeticNs: 20_000, memoryNs: 40_000 },
    aware: { score: ns, excludedNs: 0, excludedChunks: 0 },
    ...change,
  };
}

export const runtime: ForkRuntime = {
  pid: 100,
  node: 'v20.20.2',
  v8: '11.3',
  execArgv: [],
  loader: 'none',
  clock: {
    backend: 'addon',
    source: 'tsc',
    hz: 2e9,
    hzPpm: 1,
    granularityNs: 1,
    readNs: 15,
    floorNs: 12,
    reason: null,
  },
  pinnedCpu: 1,
  allowedCpus: [0, 1],
};

export interface Shape {
  /** ns per op of the warm-up and the measured iterations. */
  readonly warmup: readonly number[];
  readonly measured: readonly number[];
}

export function fork(index: number, { warmup, measured }: Shape, change: Partial<Fork> = {}): Fork {
  return {
    index,
    round: index,
    position: 0,
    status: 'ok',
    failure: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    wallMs: 1000,
    startup: { spawnToEntryMs: 40, loadMs: 1, setupMs: 1, spawnToFirstInvocationMs: 50 },
    runtime,
    warmup: warmup.map((ns, i) => iteration(i, ns)),
    warmupEnd: 'steady',
    iterations: measured.map((ns, i) => iteration(i, ns, { startNs: (warmup.length + i) * 1.01e8 })),
    resultKind: 'number',
    async: false,
    linearity: { ratio: 4, oneNs: 100, fourNs: 400, emptyNs: 1, eliminated: false },
    overhead: { emptyOpNs: 1, clockReadNs: 15 },
    findings: [],
    output: { stdout: '', stderr: '' },
    ...change,
  };
}

export const options = (change: Readonly<Record<string, string | number | boolean | null>> = {}): ResolvedOptions => ({
  unit: { value: 'ns', source: 'default' },
  warmupIterations: { value: null, source: 'default' },
  warmupMaxMs: { value: 1500, source: 'default' },
  gc: { value: false, source: 'default' },
  pin: { value: true, source: 'default' },
  ...Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, { value, source: 'command line' as const }]),
  ),
});

export function trial(forks: readonly Fork[], change: Partial<Trial> = {}): Trial {
  return {
    id: 'a.bench.js:S.b:avgt:{}',
    file: 'a.bench.js',
    suite: 'S',
    benchmark: 'b',
    params: {},
    mode: 'avgt',
    baseline: false,
    options: options(),
    status: 'ok',
    failure: null,
    forks,
    score: null,
    secondary: {},
    findings: [],
    ...change,
  };
}

/** Noise of `size` (relative) around 1, seeded; one generator per call. */
export function noise(seed: number, size = 0.002): () => number {
  const random = mulberry32(seed);
  return () => 1 + size * (random.float() + random.float() - 1);
}

/** A trial with nothing to say about it: ten forks of 8 warm-up and 5 measured iterations around 100 ns. */
export function healthy(seed = 1, shape: (fork: number, random: () => number) => Shape = settledShape): Trial {
  return trial(Array.from({ length: 10 }, (_, f) => fork(f, shape(f, noise(seed * 1000 + f)))));
}

export const settledShape = (_fork: number, random: () => number): Shape => ({
  warmup: Array.from({ length: 8 }, (_, i) => (i < 3 ? 180 - 30 * i : 100) * random()),
  measured: Array.from({ length: 5 }, () => 100 * random()),
});

/** The same trial with each fork changed. */
export const withForks = (of: Trial, change: (fork: Fork) => Partial<Fork>): Trial => ({
  ...of,
  forks: of.forks.map((f) => ({ ...f, ...change(f) })),
});

/** The same trial with each measured iteration changed. */
export const withIterations = (of: Trial, change: (i: Iteration, f: Fork) => Partial<Iteration>): Trial =>
  withForks(of, (f) => ({ iterations: f.iterations.map((i) => ({ ...i, ...change(i, f) })) }));
