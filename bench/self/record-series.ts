/**
 * Records how the time of an op goes over the iterations of real forks, as data for test/self/steady.test.ts: the median chunk of
 * each iteration, ns per op. Three forks a series. Format the files afterwards (`npm run format`).
 *
 * Run: `node scripts/build.mjs test && node out/bench/self/record-series.js [folder = test/self/series]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture, runFork } from '../../test/engine/support/run-fork.js';

const folder = process.argv[2] ?? 'test/self/series';
const FORKS = 3;
/** Iterations of a fork: 48 of 10 ms for bodies of known shape; for V8's own, the first from the very first call on, 3 ms each. */
const KNOWN = { warmupIterations: 0, iterations: 48, iterationTimeMs: 10 };
const GROWN = { warmupIterations: 0, iterations: 80, iterationTimeMs: 3 };

mkdirSync(folder, { recursive: true });
for (const [benchmark, plan] of Object.entries({
  flat: KNOWN,
  warmup: KNOWN,
  slowdown: KNOWN,
  late: KNOWN,
  drift: KNOWN,
  json: GROWN,
  sort: GROWN,
  hash: GROWN,
})) {
  const forks: number[][] = [];
  for (let fork = 0; fork < FORKS; fork++) {
    const report = await runFork({ file: fixture('self/fixtures/series.mjs'), suite: 'Series', benchmark, ...plan });
    if (report.code !== 0) throw new Error(JSON.stringify(report.of('failed')));
    forks.push(report.iterations.map(({ chunks }) => Number(chunks!.medianNs.toPrecision(7))));
  }
  const { iterationTimeMs } = plan;
  const series = { benchmark, unit: 'ns', node: process.version, iterationTimeMs, forks };
  writeFileSync(join(folder, `${benchmark}.json`), `${JSON.stringify(series)}\n`);
}
