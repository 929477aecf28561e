// How long a query of an index of 100,000 rows takes: 200 benchmarks, 500 runs each. Run: node out/bench/stats/history.js

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendIndex, type IndexEntry, indexFile, judgeSeries, readIndex, seriesOf } from '#lib/history/index.js';
import { mulberry32 } from '#lib/stats/prng.js';

const BENCHMARKS = 200;
const RUNS = 500;
const REPEATS = 5;
const BUDGET_MS = 1000;

const root = mkdtempSync(join(tmpdir(), 'tscope-bench-'));
const rng = mulberry32(1);
for (let run = 0; run < RUNS; run++) {
  const at = new Date(Date.UTC(2025, 0, 1) + run * 3600e3).toISOString();
  const entries = Array.from({ length: BENCHMARKS }, (_, b): IndexEntry => {
    const level = (run < 300 ? 100 : 104) * (1 + 0.01 * (rng.float() + rng.float() - 1));
    return {
      ...{
        v: 1,
        run: `run-${run}`,
        at,
        trial: `a.bench.ts:Suite.benchmark${b}x:avgt:{"n":64}`,
        name: `Suite.benchmark${b}x`,
      },
      ...{
        params: { n: 64 },
        mode: 'avgt',
        unit: 'ns/op',
        better: 'lower',
        status: 'ok',
        value: level,
        se: 0.3,
        forks: 10,
      },
      ...{ host: 'lab1', cpu: 'Example CPU @ 2.00GHz', node: '24.0.0', policy: '0123456789ab' },
    };
  });
  appendIndex(root, entries);
}
console.log(
  `history, ${BENCHMARKS * RUNS} index rows, ${(statSync(indexFile(root)).size / 2 ** 20).toFixed(0)} MiB, ${REPEATS} runs each, budget ${BUDGET_MS} ms (node ${process.version})`,
);
const queries: Record<string, () => number> = {
  'one benchmark, judged': () =>
    seriesOf(readIndex(root, 'Suite.benchmark17x').entries).map((series) => judgeSeries(series)).length,
  'all rows into series': () => seriesOf(readIndex(root).entries).length,
  'all series, judged': () => seriesOf(readIndex(root).entries).map((series) => judgeSeries(series)).length,
};
for (const [name, query] of Object.entries(queries)) {
  const times: number[] = [];
  const cpus: number[] = [];
  let series = 0;
  for (let r = 0; r < REPEATS; r++) {
    const start = performance.now();
    const cpu = process.cpuUsage();
    series = query();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(cpu);
    cpus.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  cpus.sort((a, b) => a - b);
  const median = times[REPEATS >> 1]!;
  console.log(
    `${name.padEnd(22)} ${series} series: median ${median.toFixed(0)} ms, min ${times[0]!.toFixed(0)}, max ${times.at(-1)!.toFixed(0)}, CPU ${cpus[REPEATS >> 1]!.toFixed(0)}; ${median <= BUDGET_MS ? 'within' : 'OVER'} budget`,
  );
}
rmSync(root, { recursive: true });
