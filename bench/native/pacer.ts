/**
 * How late the pacer releases, and what it costs to get an entry into JavaScript. Each plan is run with the pacer always spinning and with
 * sleeping in between, without and with a real-time priority where that is allowed. Aim: half of the releases at most 50 ns late when
 * spinning, which is also told as a ratio to a clock read from JavaScript in the same process.
 * Run: node out/bench/native/pacer.js [cpu]
 */
import { hotClock } from '#lib/clock/index.js';
import { allowedCpus } from '#lib/cpu/index.js';
import { Histogram } from '#lib/histogram/index.js';
import { ENTRY, type PacerOptions, start } from '#lib/pacer/index.js';
import { type Aim, printAims } from './parts/aims.js';

const cpu = Number(process.argv[2] ?? allowedCpus()?.at(-1) ?? 0);
const LEVELS = [50, 90, 99, 99.9, 100];
const evenly = (n: number, gapNs: number) => Float64Array.from({ length: n }, (_, i) => i * gapNs);
const row = (name: string, histogram: Histogram) => {
  const cells = histogram.percentiles(LEVELS).map((ns) => String(ns).padStart(11));
  console.log(`${name.padEnd(46)} ${cells.join('')}`);
};

const clock = hotClock();
const now = () => {
  clock.read();
  return clock.slot[0]! * clock.nsPerTick;
};

/** One read from JavaScript, ns: the median of batches, after as many for the optimiser. */
function readCost(): number {
  const READS = 2000;
  const costs: number[] = [];
  for (let batch = 0; batch < 400; batch++) {
    const begin = now();
    for (let i = 0; i < READS; i++) clock.read();
    costs.push((now() - begin) / READS);
  }
  return costs.slice(200).sort((a, b) => a - b)[100]!;
}
const readNs = readCost();
const aims: Aim[] = [];

console.log(`a clock read from JavaScript: ${readNs.toFixed(1)} ns, ${clock.info.source}`);
console.log(`lateness, ns, on CPU ${cpu}`.padEnd(47) + LEVELS.map((p) => `p${p}`.padStart(11)).join(''));
const plans: [string, Float64Array][] = [
  ['10 us apart', evenly(50_000, 10_000)],
  ['1 ms apart', evenly(1000, 1_000_000)],
];
for (const [name, plan] of plans) {
  for (const fifo of [false, true]) {
    for (const [how, spinNs] of [
      ['spinning', 1e9],
      ['sleep, then spin 200 us', 200_000],
      ['sleeping only', 0],
    ] as const) {
      const options: PacerOptions = { plan, cpu, fifo, spinNs, ringCapacity: 65_536 };
      const pacer = start(options);
      if (!pacer.ok) {
        console.log(`${name}, ${how}${fifo ? ', FIFO' : ''}: ${pacer.message}. ${pacer.hint}`);
        continue;
      }
      const { lateness } = await pacer.result();
      const what = `${name}, ${how}${fifo ? ', FIFO' : ''}`;
      row(what, lateness);
      if (how !== 'spinning') continue;
      const p50 = lateness.percentile(50);
      aims.push({
        what: `p50 ${what}`,
        value: p50,
        aim: 50,
        unit: 'ns',
        note: `${(p50 / readNs).toFixed(1)} clock reads`,
      });
    }
  }
}

// From the release to the moment JavaScript holds the entry.
for (const how of ['polling', 'awaiting ring.wait()'] as const) {
  const pacer = start({ plan: evenly(1000, 500_000), cpu, ringCapacity: 1024 });
  if (!pacer.ok) continue;
  const handover = new Histogram({ digits: 2 });
  const into = new Float64Array(ENTRY * 64);
  while (!pacer.ring.ended) {
    if (how !== 'polling' && !(await pacer.ring.wait())) break;
    const count = pacer.ring.read(into);
    const at = now();
    for (let i = 0; i < count; i++) handover.record(Math.max(0, at - into[i * ENTRY + 2]!));
  }
  row(`handover to JavaScript, ${how}`, handover);
}

let reads = 0;
const pacer = start({ plan: evenly(60_000, 0), t0Ns: 0, ringCapacity: 65_536 });
if (pacer.ok) {
  await pacer.result();
  const into = new Float64Array(ENTRY * 64);
  const begin = now();
  for (let n = pacer.ring.read(into); n > 0; n = pacer.ring.read(into)) reads += n;
  console.log(`reading from JavaScript, batches of 64: ${((now() - begin) / reads).toFixed(1)} ns/entry`);
}
printAims(aims);
