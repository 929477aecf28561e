/**
 * tscope/adapters/vitest: our engine inside vitest (5), as its benchmark provider.
 *
 * `benchmark: { provider: 'tscope/adapters/vitest' }` in the config. Warm-up until steady, timed chunks, one loop per benchmark, a check that
 * the work is still there; registrations of a test are measured in turns. It stays one process: vitest transforms test files, and a
 * function of such a file cannot be sent to a fork. The margin is that of five rounds in this process; for a verdict over processes use
 * `tscope run` or `expectFaster`.
 */
import { type Measured, measureInTurns, type Registration } from './vitest/measure.js';
import { type Statistics, statistics } from './vitest/statistics.js';

/** What vitest hands over, as far as it is used here. */
export interface BenchmarkGroup {
  readonly config?: { readonly retainSamples?: boolean };
  readonly registrations: readonly Registration[];
  /** Options of `bench.compare()` and `run()`; `time` is the measured time of each benchmark, ms (default 500). */
  readonly options?: { readonly time?: number };
}

/** One result, in tinybench's shape. */
export interface BenchResult {
  readonly name: string;
  readonly state: 'completed';
  readonly latency: Statistics;
  readonly throughput: Statistics;
  /** Mean time of an op, ms. */
  readonly period: number;
  /** Measured time, ms. */
  readonly totalTime: number;
  readonly runtime: string;
  readonly runtimeVersion: string;
  readonly timestampProviderName: string;
}

const NS_PER_MS = 1e6;

/** A sample is a chunk: some 10 to 100 us of invocations between two clock reads, divided by their count. */
function resultOf(name: string, { rounds }: Measured, keep: boolean, clock: string): BenchResult {
  const chunks = rounds.flatMap((iterations) => iterations.flatMap(({ chunks }) => chunks?.values ?? []));
  const total = (iterations: Measured['rounds'][number]) => ({
    ns: iterations.reduce((sum, { elapsedNs }) => sum + elapsedNs, 0),
    ops: iterations.reduce((sum, { ops }) => sum + ops, 0),
  });
  const perRound = rounds.map(total).map(({ ns, ops }) => ns / ops / NS_PER_MS);
  const samples = chunks.length > 0 ? chunks.map((ns) => ns / NS_PER_MS) : perRound;
  const latency = statistics(samples, perRound, keep);
  const rate = (ms: number) => 1000 / ms;
  return {
    name,
    state: 'completed',
    latency,
    throughput: statistics(samples.map(rate), perRound.map(rate), keep),
    period: latency.mean,
    totalTime: total(rounds.flat()).ns / NS_PER_MS,
    runtime: 'node',
    runtimeVersion: process.versions.node,
    timestampProviderName: clock,
  };
}

/** The provider that vitest loads: measures each benchmark with our loops and clock, and answers in the shape of tinybench. */
const provider = {
  async run({ registrations, options = {}, config = {} }: BenchmarkGroup): Promise<BenchResult[]> {
    const { measured, clock } = await measureInTurns(registrations, options.time ?? 500);
    const clockName = `tscope ${clock.source}`;
    return registrations.map(({ name, fnOpts }, i) => {
      for (const { id, severity, message } of measured[i]!.findings) {
        if (severity === 'error') console.warn(`tscope [${id}] ${name}: ${message}`);
      }
      return resultOf(name, measured[i]!, fnOpts?.retainSamples ?? config.retainSamples ?? false, clockName);
    });
  },
};

export default provider;
