/**
 * Cost of one record, ns: tscope's histogram beside hdr-histogram-js and Node's own, on the same values, interleaved.
 * Aims: at most 6 ns, and at least 15 times faster than hdr-histogram-js (its default, 32-bit counts; with the range given, which is its
 * faster way). Both have 3 digits; the 2 digits of the latency harness stand beside them.
 * Run: node out/bench/native/histogram-js.js
 */
import { createRequire } from 'node:module';
import { createHistogram } from 'node:perf_hooks';
import { Histogram } from '#lib/histogram/index.js';
import { printAims } from './parts/aims.js';

const hdr = createRequire(import.meta.url)('hdr-histogram-js') as typeof import('hdr-histogram-js');
const VALUES = 1 << 16;
const ROUNDS = 40;

// Log-uniform from 1 ns to 1 s, whole numbers.
const values = new Float64Array(VALUES);
let seed = 1;
for (let i = 0; i < VALUES; i++) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  values[i] = Math.floor(10 ** ((seed / 2 ** 32) * 9));
}

const ours = new Histogram();
const coarse = new Histogram({ digits: 2 });
const theirs = hdr.build({ bitBucketSize: 32, highestTrackableValue: 3.6e12, numberOfSignificantValueDigits: 3 });
const theirs64 = hdr.build({ bitBucketSize: 64, highestTrackableValue: 3.6e12, numberOfSignificantValueDigits: 3 });
const node = createHistogram({ figures: 3 });

const subjects: Record<string, () => void> = {
  'tscope Histogram.record': () => {
    for (let i = 0; i < VALUES; i++) ours.record(values[i]!);
  },
  'tscope, 2 digits': () => {
    for (let i = 0; i < VALUES; i++) coarse.record(values[i]!);
  },
  'hdr-histogram-js 32 bit': () => {
    for (let i = 0; i < VALUES; i++) theirs.recordValue(values[i]!);
  },
  'hdr-histogram-js 64 bit': () => {
    for (let i = 0; i < VALUES; i++) theirs64.recordValue(values[i]!);
  },
  'node createHistogram': () => {
    for (let i = 0; i < VALUES; i++) node.record(values[i]! || 1);
  },
};

const best: Record<string, number> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(subjects)) {
    const start = process.hrtime.bigint();
    run();
    const ns = Number(process.hrtime.bigint() - start) / VALUES;
    best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, ns);
  }
}
for (const [name, ns] of Object.entries(best)) console.log(`${name.padEnd(28)} ${ns.toFixed(2).padStart(8)} ns/record`);
const mine = best['tscope Histogram.record']!;
for (const name of Object.keys(best).slice(1)) console.log(`${name} / tscope = ${(best[name]! / mine).toFixed(1)}`);

const heap = process.memoryUsage().heapUsed;
for (let i = 0; i < 100; i++) subjects['tscope Histogram.record']!();
console.log(`heap after ${100 * VALUES} more records: ${process.memoryUsage().heapUsed - heap} bytes more`);

printAims([
  { what: 'tscope Histogram.record', value: mine, aim: 6, unit: 'ns' },
  { what: 'tscope Histogram.record, 2 digits', value: best['tscope, 2 digits']!, aim: 6, unit: 'ns' },
  { what: 'hdr-histogram-js 32 bit / tscope', value: best['hdr-histogram-js 32 bit']! / mine, aim: 15, atLeast: true },
]);
