// How long `tscope compare` takes for two files of 1,000 benchmarks: reading, checking, comparing, formatting. Run: node out/bench/stats/compare.js
// [forks] [iterations]; default 10 forks of 5 iterations and 5 warm-up iterations each, as a run with the default options leaves them.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComparedRun, comparedRun, compareRuns, unlike } from '#lib/analysis/compare/index.js';
import { compareLines } from '#lib/report/compare.js';
import type { Fork, Iteration, RunResult, Trial } from '#lib/result/model.js';
import { readAnyResult } from '#lib/result/read.js';
import { writeResult } from '#lib/result/write.js';
import { mulberry32 } from '#lib/stats/prng.js';
import * as sample from '../../test/support/result.js';

const BENCHMARKS = 1000;
const FORKS = Number(process.argv[2] ?? 10);
const ITERATIONS = Number(process.argv[3] ?? 5);
const WARMUP = 5;
const REPEATS = 3;
const BUDGET_MS = 3000;

/** An iteration as a measured one is written: with canaries and an aware score. */
const iteration = (index: number, score: number): Iteration =>
  sample.iteration(index, score, {
    canary: { arithmeticNs: 20_000, memoryNs: 40_000 },
    aware: { score, excludedNs: 0, excludedChunks: 0 },
  });

function fork(index: number, level: number, random: () => number): Fork {
  const scores = (n: number) => Array.from({ length: n }, (_, i) => iteration(i, level * (1 + 0.01 * random())));
  return sample.fork(index, [], { warmup: scores(WARMUP), iterations: scores(ITERATIONS) });
}

function result(seed: number): RunResult {
  const rng = mulberry32(seed);
  const random = () => rng.float() + rng.float() - 1;
  const trials = Array.from({ length: BENCHMARKS }, (_, b): Trial => {
    const level = 10 + b;
    return sample.trial([], {
      id: `a.bench.ts:Suite.benchmark${b}:avgt:{}`,
      suite: 'Suite',
      benchmark: `benchmark${b}`,
      options: { unit: { value: 'ns', source: 'default' }, forks: { value: FORKS, source: 'default' } },
      forks: Array.from({ length: FORKS }, (_, f) => fork(f, level * (1 + 0.01 * random()), random)),
    });
  });
  return sample.exampleResult({ id: `run-${seed}`, seed, trials });
}

const folder = mkdtempSync(join(tmpdir(), 'tscope-bench-'));
const paths = [1, 2].map((seed) => {
  const path = join(folder, `${seed}.json`);
  writeResult(path, result(seed));
  return path;
}) as [string, string];
const size = paths.reduce((sum, path) => sum + statSync(path).size, 0);
console.log(
  `compare, two files of ${BENCHMARKS} benchmarks, ${FORKS} forks x (${WARMUP} + ${ITERATIONS}) iterations, ${(size / 2 ** 20).toFixed(0)} MiB together, ${REPEATS} runs, budget ${BUDGET_MS} ms (node ${process.version})`,
);
const parts: Record<string, number[]> = { read: [], compare: [], format: [], all: [], CPU: [] };
for (let r = 0; r < REPEATS; r++) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const [before, after] = paths.map((path) => {
    const any = readAnyResult(path);
    if (any.kind !== 'tscope') throw new Error('not a result of ours');
    return comparedRun(any.result, path);
  }) as [ComparedRun, ComparedRun];
  const read = performance.now();
  const comparison = compareRuns(before, after, {}, unlike(before, after));
  const compared = performance.now();
  compareLines(comparison);
  const end = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  parts.read!.push(read - start);
  parts.compare!.push(compared - read);
  parts.format!.push(end - compared);
  parts.all!.push(end - start);
  parts.CPU!.push((user + system) / 1000);
  console.log(
    `  run ${r + 1}: ${(end - start).toFixed(0)} ms, CPU ${((user + system) / 1000).toFixed(0)} ms, ${comparison.rows.length} rows`,
  );
}
rmSync(folder, { recursive: true });
for (const [name, times] of Object.entries(parts)) {
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(8)} median ${times[REPEATS >> 1]!.toFixed(0)} ms, min ${times[0]!.toFixed(0)}, max ${times.at(-1)!.toFixed(0)}`,
  );
}
const judged = (name: string) => (parts[name]![REPEATS >> 1]! <= BUDGET_MS ? 'within' : 'OVER');
console.log(`${judged('all')} budget by the wall, ${judged('CPU')} by CPU time, which a busy machine does not stretch`);
