/**
 * Cost of one record into the native histogram, by call and in batches, as a ratio to the JavaScript histogram on the same values, interleaved.
 * Run: node out/bench/native/histogram.js
 */
import { Histogram } from '#lib/histogram/index.js';
import { openRecorder } from '#lib/recorder/index.js';

const VALUES = 1 << 16;
const ROUNDS = 40;

const recorder = openRecorder();
if (!recorder.ok) {
  console.error(`${recorder.message}. ${recorder.hint}`);
  process.exit(3);
}
const { record } = recorder;
const histogram = new Histogram({ digits: 2 });

// Log-uniform from 1 ns to 1 s, whole numbers.
const values = new Float64Array(VALUES);
let seed = 1;
for (let i = 0; i < VALUES; i++) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  values[i] = Math.floor(10 ** ((seed / 2 ** 32) * 9));
}

const subjects: Record<string, () => void> = {
  'JavaScript record': () => {
    for (let i = 0; i < VALUES; i++) histogram.record(values[i]!);
  },
  'native record, one call each': () => {
    for (let i = 0; i < VALUES; i++) record(values[i]!);
  },
  'native record, one call in all': () => recorder.recordAll(values),
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
const base = best['JavaScript record']!;
for (const [name, ns] of Object.entries(best)) {
  console.log(
    `${name.padEnd(32)} ${ns.toFixed(2).padStart(7)} ns/record  ${(ns / base).toFixed(2).padStart(6)} x JavaScript`,
  );
}
