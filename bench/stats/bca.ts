// How long 10,000 bootstrap replicates of a ratio take on 30 x 10 values a side. Run: node out/bench/stats/bca.js

import { mulberry32 } from '#lib/stats/prng.js';
import { ratioBootstrap } from '#lib/stats/ratio/bootstrap.js';

const GROUPS = 30;
const SIZE = 10;
const REPLICATES = 10_000;
const REPEATS = 9;
const BUDGET_MS = 1000;

const rng = mulberry32(1);
const sample = (level: number) =>
  Array.from({ length: GROUPS }, () => {
    const center = level * (1 + 0.02 * (rng.float() - 0.5));
    return Array.from({ length: SIZE }, () => center * (1 + 0.02 * (rng.float() - 0.5)));
  });
const [candidate, baseline] = [sample(95), sample(100)];

const cases = {
  'mean, top': { resample: 'top', statistic: 'mean' },
  'mean, all': { resample: 'all', statistic: 'mean' },
  'p50, top': { resample: 'top', statistic: { quantile: 0.5 } },
  'p99, all': { resample: 'all', statistic: { quantile: 0.99 } },
} as const;

console.log(
  `BCa, ${REPLICATES.toLocaleString('en')} replicates on ${GROUPS} x ${SIZE} a side, ${REPEATS} runs each, budget ${BUDGET_MS} ms (node ${process.version})`,
);
for (const [name, options] of Object.entries(cases)) {
  const times: number[] = [];
  for (let r = 0; r < REPEATS; r++) {
    const start = process.hrtime.bigint();
    ratioBootstrap(candidate, baseline, { seed: 1, replicates: REPLICATES, interval: 'bca', ...options });
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  times.sort((a, b) => a - b);
  const median = times[REPEATS >> 1]!;
  console.log(
    `${name.padEnd(10)} median ${median.toFixed(1)} ms, min ${times[0]!.toFixed(1)}, max ${times.at(-1)!.toFixed(1)}; ${median <= BUDGET_MS ? 'within' : 'OVER'} budget`,
  );
}
