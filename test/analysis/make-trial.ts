import type { Fork, ForkRuntime, Iteration, ResolvedOptions, Trial } from '#lib/result/model.js';
import { mulberry32 } from '#lib/stats/prng.js';
import * as base from '../support/result.js';

/** One iteration of `ns` per op: 100 ms, 2,000 chunks of 50 us a little apart, canaries and an aware score; nothing remarkable. */
export function iteration(index: number, ns: number, change: Partial<Iteration> = {}): Iteration {
  const plain = base.iteration(index, ns);
  return {
    ...plain,
    startNs: index * 1.01e8,
    wallNs: 1.01e8,
    chunks: { ...plain.chunks!, minNs: ns * 0.98, p90Ns: ns * 1.02, maxNs: ns * 1.1 },
    canary: { arithmeticNs: 20_000, memoryNs: 40_000 },
    aware: { score: ns, excludedNs: 0, excludedChunks: 0 },
    ...change,
  };
}

export interface Shape {
  /** ns per op of the warm-up and the measured iterations. */
  readonly warmup: readonly number[];
  readonly measured: readonly number[];
}

const usual = base.fork(0, []).runtime!;

/** What forks ran on: a clock that is finer than anything measured here. */
export const runtime: ForkRuntime = { ...usual, clock: { ...usual.clock, granularityNs: 1 } };

export function fork(index: number, { warmup, measured }: Shape, change: Partial<Fork> = {}): Fork {
  return {
    ...base.fork(index, []),
    runtime,
    warmup: warmup.map((ns, i) => iteration(i, ns)),
    iterations: measured.map((ns, i) => iteration(i, ns, { startNs: (warmup.length + i) * 1.01e8 })),
    linearity: { ratio: 4, oneNs: 100, fourNs: 400, emptyNs: 1, eliminated: false },
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

export const trial = (forks: readonly Fork[], change: Partial<Trial> = {}): Trial =>
  base.trial([], {
    id: 'a.bench.js:S.b:avgt:{}',
    file: 'a.bench.js',
    benchmark: 'b',
    options: options(),
    forks,
    ...change,
  });

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
