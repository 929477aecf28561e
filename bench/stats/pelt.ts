// How long the exact change point search takes on 3,000 points. Run: node out/bench/stats/pelt.js
import { findChangepoints } from '#lib/stats/changepoints.js';
import { mulberry32 } from '#lib/stats/prng.js';

const N = 3000;
const REPEATS = 15;
const BUDGET_MS = 150;

const random = mulberry32(1);
const normal = () => Array.from({ length: 12 }, () => random.float()).reduce((a, b) => a + b) - 6;
const make = (level: (i: number) => number, noise: number) =>
  Float64Array.from({ length: N }, (_, i) => level(i) * (1 + noise * normal()));

const cases: Record<string, Float64Array> = {
  // No change: nothing is pruned early, the worst case.
  flat: make(() => 100, 0.01),
  warmup: make((i) => (i < 200 ? 180 : i < 700 ? 120 : 100), 0.01),
  'many changes': make((i) => 100 + 10 * ((i / 150) & 1), 0.01),
  quantised: make(() => 100, 0.01).map((x) => Math.round(x)),
  'random walk': make(() => 100, 0.01).map((_, i, x) => (i === 0 ? x[0]! : (x[i] = x[i - 1]! + 0.1 * normal()))),
};

console.log(
  `exact search on ${N.toLocaleString('en')} points, ${REPEATS} runs each, budget ${BUDGET_MS} ms (node ${process.version})`,
);
for (const [name, values] of Object.entries(cases)) {
  const times: number[] = [];
  const cpu: number[] = [];
  let changes = 0;
  for (let r = 0; r < REPEATS; r++) {
    const used = process.cpuUsage();
    const start = process.hrtime.bigint();
    changes = findChangepoints(values).changepoints.length;
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  cpu.sort((a, b) => a - b);
  const median = times[REPEATS >> 1]!;
  const verdict = median <= BUDGET_MS ? 'within' : 'OVER';
  console.log(
    `${name.padEnd(14)} median ${median.toFixed(1)} ms, min ${times[0]!.toFixed(1)}, max ${times[REPEATS - 1]!.toFixed(1)}, CPU time median ${cpu[REPEATS >> 1]!.toFixed(1)}; ${changes} changes; ${verdict} budget`,
  );
}
