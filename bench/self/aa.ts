/**
 * False alarms and known shifts with real forks, the long form of test/self/aa.test.ts.
 *
 * One interleaved session: rounds of one fork of each arm in random order. Two arms run the same function; three spin 2, 5 and 10 %
 * more ticks. Comparison k takes rounds 10 k to 10 k + 9 of both arms, so it is what a run of 10 forks a side would have been, and no two
 * comparisons of a pair of arms share a fork. Shifts are run with every fourth comparison: their rates need fewer.
 *
 * Run: `node scripts/build.mjs test && node out/bench/self/aa.js [comparisons = 200] [minutes = 25] [ms measured in a fork = 20]
 * [shifts with every n-th comparison = 4]`; it stops after the minutes, and prints the counts it has.
 */
import { performance } from 'node:perf_hooks';
import {
  type ArmSpec,
  comparisons,
  type ForkValue,
  QUICK_MS,
  ratesOf,
  session,
} from '../../test/self/support/session.js';

const FORKS = 10;
const wanted = Number(process.argv[2] ?? 200);
const minutes = Number(process.argv[3] ?? 25);
const iterationMs = Number(process.argv[4] ?? QUICK_MS);
/** The shifted arms run with every so many-th comparison. */
const every = Number(process.argv[5] ?? 4);
const SAME: readonly ArmSpec[] = [
  { name: 'a', shift: 0 },
  { name: 'b', shift: 0 },
];
const SHIFTS: readonly ArmSpec[] = [0.02, 0.05, 0.1].map((shift) => ({ name: `+${shift * 100} %`, shift }));

const values = new Map<string, ForkValue[]>();
const begin = performance.now();
const spent = () => (performance.now() - begin) / 60_000;
let forks = 0;
let done = 0;
for (; done < wanted; done++) {
  // Another comparison takes about as long as the mean so far.
  if (done > 0 && spent() * (1 + 1 / done) > minutes) break;
  const arms = done % every === 0 ? [...SAME, ...SHIFTS] : SAME;
  const measured = await session(arms, FORKS, 0x5e1f + done, iterationMs);
  for (const [i, { name }] of arms.entries()) {
    if (!values.has(name)) values.set(name, []);
    values.get(name)!.push(...measured[i]!);
    forks += measured[i]!.length;
  }
  if ((done + 1) % 10 === 0) process.stderr.write(`${done + 1} of ${wanted} comparisons, ${spent().toFixed(1)} min\n`);
}

/** The baseline of the rounds in which the shifts ran. */
const withShifts = (all: readonly ForkValue[]) => all.filter((_, i) => Math.floor(i / FORKS) % every === 0);
const share = (n: number, of: number) => `${n} of ${of} (${((100 * n) / of).toFixed(1)} %)`;
const a = values.get('a')!;
console.log(
  `${forks} forks in ${spent().toFixed(1)} min, ${iterationMs} ms measured in each, Node ${process.version}; log-delta interval at 95 %, delta 1 %`,
);
for (const score of ['aware', 'plain'] as const) {
  console.log(score === 'aware' ? '\ninterference-aware scores' : '\nplain scores');
  const same = ratesOf(comparisons(a, values.get('b')!, FORKS, score), 1);
  const wrong = (same.verdicts.improved ?? 0) + (same.verdicts.regressed ?? 0);
  console.log(
    `  A/A     improved or regressed ${share(wrong, same.of)}; excludes one ${share(same.excludesOne, same.of)}`,
  );
  console.log(`          ${JSON.stringify(same.verdicts)}`);
  for (const { name, shift } of SHIFTS) {
    const outcomes = comparisons(withShifts(a), values.get(name)!, FORKS, score);
    const rates = ratesOf(outcomes, 1 + shift);
    const middle = (of: number[]) => of.sort((x, y) => x - y)[of.length >> 1]!;
    const width = middle(outcomes.map(({ low, high }) => (high - low) / 2));
    // Apart from the width it tells a bias, which no interval holds.
    const off = middle(outcomes.map(({ ratio }) => ratio / (1 + shift) - 1));
    console.log(
      `  ${name.padEnd(7)} detected ${share(rates.detected, rates.of)}; regressed ${share(rates.verdicts.regressed ?? 0, rates.of)}; covers ${share(rates.covers, rates.of)}; median half-width ${(100 * width).toFixed(2)} %, median ratio off by ${(100 * off).toFixed(2)} %`,
    );
  }
}
