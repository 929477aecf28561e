/**
 * Two threads of independent work against one, as `threads: 2` measures them: throughput over throughput, forks of both in rounds. Needs two
 * free CPUs; what other processes take of the second one is in the ratio, so the best round is printed beside the median.
 *
 * Run: `node scripts/build.mjs test && node out/bench/self/threads.js [rounds = 10]`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forkScore } from '#lib/analysis/score.js';
import { allowedCpus } from '#lib/cpu/index.js';
import { chooseCpus } from '#lib/runner/index.js';
import { runTrials } from '../../test/support/run-trials.js';
import { trialPlan } from '../../test/support/trial-plan.js';

const AIM = 1.9;
const rounds = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'tscope-threads-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'mix.bench.mjs');
writeFileSync(
  file,
  `import { suite } from '${pathToFileURL(join(import.meta.dirname, '../../../dist/index.js')).href}';
export default suite('Mix', {
  setup: () => ({ seed: 7, rounds: 1024 }),
  benchmarks: {
    mix({ seed, rounds }) {
      let value = seed;
      for (let i = 0; i < rounds; i++) value = (Math.imul(value, 31) + i) | 0;
      return value;
    },
  },
});
`,
);

const trials = [1, 2].map((threads) =>
  trialPlan({
    id: `threads-${threads}`,
    file,
    suite: 'Mix',
    benchmark: 'mix',
    mode: 'thrpt',
    forks: rounds,
    fork: { unit: 's', threads, warmupIterations: 3, warmupTimeMs: 50, iterations: 3, iterationTimeMs: 100 },
  }),
);
const { findings: _, ...pin } = chooseCpus(allowedCpus(), null, 2);
const [one, two] = (await runTrials(trials, { seed: 1, pin })).map(({ forks }) =>
  forks.map((fork) => forkScore(fork, 'thrpt', 's')!),
);
const ratios = one!.map((score, i) => two![i]! / score).sort((a, b) => a - b);
console.log(
  `2 threads of independent work over 1, ${rounds} rounds, Node ${process.version}: median ${ratios[ratios.length >> 1]!.toFixed(2)} x, best ${ratios.at(-1)!.toFixed(2)} x (aim: at least ${AIM} on 2 free CPUs)`,
);
