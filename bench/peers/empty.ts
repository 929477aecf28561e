/**
 * What an empty benchmark costs in other harnesses, with their own clock and with ours: the floor (smallest sample), the median and the
 * spread (distance of the 10th and the 90th percentile over the median). tinybench and mitata take one call per sample here, so their floor is
 * the clock's; Benchmark.js divides 50 ms by a count, so its floor is its loop's and no clock changes it. Rounds alternate.
 *
 * Run: `node scripts/build.mjs test && node out/bench/peers/empty.js [rounds]` (default 5)
 */
import { createRequire } from 'node:module';
import { measure } from 'mitata';
import { Bench } from 'tinybench';
import { type LegacyBenchmarkConstructor, withClock } from '#lib/adapters/benchmarkjs.js';
import { now } from '#lib/adapters/mitata.js';
import { timestampProvider } from '#lib/adapters/tinybench.js';
import { hotClock } from '#lib/clock/index.js';
import { quantile } from '#lib/stats/index.js';

interface Test {
  readonly stats: { readonly sample: readonly number[] };
  run(): void;
}
type Legacy = LegacyBenchmarkConstructor & {
  new (name: string, fn: () => void): Test;
  options: Record<string, number>;
};

const empty = () => {};

async function tinybench(options: object): Promise<number[]> {
  const bench = new Bench({ time: 100, warmupTime: 20, retainSamples: true, ...options });
  bench.add('empty', empty);
  const [task] = await bench.run();
  if (task?.result.state !== 'completed') throw new Error(`tinybench: ${task?.result.state}`);
  return task.result.latency.samples!.map((ms) => ms * 1e6);
}

async function mitata(options: object): Promise<number[]> {
  // A batch would hide the clock: one call per sample, as mitata does for anything longer than 65 us.
  const { samples } = await measure(empty, {
    min_cpu_time: 1e8,
    max_samples: 200_000,
    batch_threshold: 0,
    gc: false,
    ...options,
  });
  return samples;
}

function benchmarkjs(Benchmark: Legacy): number[] {
  Object.assign(Benchmark.options, { maxTime: 0.4, minSamples: 5 });
  const bench = new Benchmark('empty', () => {
    empty();
  });
  bench.run();
  return bench.stats.sample.map((s) => s * 1e9);
}

const theirs = createRequire(import.meta.url)('benchmark') as Legacy;
const ours = withClock(theirs);
const RUNS: readonly (readonly [harness: string, clock: string, run: () => number[] | Promise<number[]>])[] = [
  ['tinybench', 'performance.now', () => tinybench({ timestampProvider: 'performanceNow' })],
  ['tinybench', 'hrtime.bigint', () => tinybench({ timestampProvider: 'hrtimeNow' })],
  ['tinybench', 'tscope', () => tinybench({ timestampProvider: timestampProvider() })],
  ['mitata', 'performance.now', () => mitata({})],
  ['mitata', 'tscope', () => mitata({ now: now() })],
  ['Benchmark.js', 'hrtime', () => benchmarkjs(theirs)],
  ['Benchmark.js', 'tscope', () => benchmarkjs(ours)],
];

const rounds = Number(process.argv[2] ?? 5);
const samples = RUNS.map(() => [] as number[]);
for (let round = 0; round < rounds; round++) {
  for (let i = 0; i < RUNS.length; i++) {
    const which = (i + round) % RUNS.length;
    for (const ns of await RUNS[which]![2]()) samples[which]!.push(ns);
  }
}

const { info } = hotClock();
console.log(
  `Node ${process.versions.node}; tscope's clock: ${info.source}, step ${info.granularityNs.toFixed(1)} ns, read ${info.readNs.toFixed(1)} ns`,
);
console.log(
  ['harness', 'clock', 'samples', 'zero', 'floor ns', 'p50 ns', 'p99 ns', 'spread']
    .map((title, i) => (i < 2 ? title.padEnd(16) : title.padStart(9)))
    .join(' '),
);
for (const [i, [harness, clock]] of RUNS.entries()) {
  const list = Float64Array.from(samples[i]!).sort();
  const p = (q: number) => quantile(list, q);
  const zero = list.filter((ns) => ns <= 0).length / list.length;
  const cells = [
    String(list.length),
    `${(100 * zero).toFixed(1)} %`,
    list[0]!.toFixed(2),
    p(0.5).toFixed(2),
    p(0.99).toFixed(2),
    p(0.5) > 0 ? `${((100 * (p(0.9) - p(0.1))) / p(0.5)).toFixed(0)} %` : '-',
  ];
  console.log([harness.padEnd(16), clock.padEnd(16), ...cells.map((cell) => cell.padStart(9))].join(' '));
}
