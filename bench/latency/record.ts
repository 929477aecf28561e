/**
 * What one event costs the spin driver, all in (plan, two clock reads, call, five histograms), and whether memory stays flat.
 * Run: node out/bench/latency/record.js [samples, default 1e8]
 */

import type { Cursor } from '#lib/latency/cursor.js';
import { driverClock } from '#lib/latency/fork/clock.js';
import { LateGate } from '#lib/latency/late.js';
import { END, PLANNED, RESPONSE, RunRecorder, SERVICE, START } from '#lib/latency/recorder.js';
import { spin } from '#lib/latency/spin.js';

const SAMPLES = Number(process.argv[2] ?? 1e8);
const clock = driverClock();
const atOnce: Cursor = {
  next: () => 0,
  load(into, index) {
    into[index] = 0;
  },
};
const newRecorder = () => new RunRecorder({ probes: [], events: SAMPLES, plannedNs: 60e9, keepSamples: false });

function events(count: number, recorder: RunRecorder): number {
  const begin = clock.now();
  spin(
    { clock, state: null, inputs: null, run: () => undefined, stopped: () => false, sleep: null },
    {
      cursor: atOnce,
      events: count,
      gate: new LateGate('catch-up', 1000, 2),
      recorder,
      probe: {},
      t0: begin,
      coordinatedOmission: true,
      warmup: false,
      gaps: null,
    },
  ); // prettier-ignore
  return (clock.now() - begin) / count;
}

function records(count: number, recorder: RunRecorder): number {
  const { event } = recorder;
  const begin = clock.now();
  for (let i = 0; i < count; i++) {
    event[PLANNED] = i * 1000;
    event[START] = event[PLANNED]! + 20 + (i & 63);
    event[END] = event[START]! + 500 + (i & 255);
    event[RESPONSE] = event[END]! - event[PLANNED]!;
    event[SERVICE] = event[END]! - event[START]!;
    recorder.started();
    recorder.ended(i);
  }
  return (clock.now() - begin) / count;
}

const best = (run: () => number, times: number) => Math.min(...Array.from({ length: times }, run));
const block = Math.min(SAMPLES, 1e6);
// Short pieces, the best of many: a busy machine takes milliseconds at a time.
const [PIECE, PIECES] = [10_000, 400];
const pieces = newRecorder();
console.log(`clock read                      ${clock.info.readNs.toFixed(1)} ns`);
console.log(`one event, all in               ${best(() => events(PIECE, pieces), PIECES).toFixed(1)} ns`);
console.log(`of it recording                 ${best(() => records(PIECE, pieces), PIECES).toFixed(1)} ns`);

const recorder = newRecorder();
events(block, recorder);
const before = process.memoryUsage();
let done = 0;
let peak = 0;
while (done < SAMPLES) {
  records(block, recorder);
  done += block;
  peak = Math.max(peak, process.memoryUsage().rss);
}
const after = process.memoryUsage();
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
console.log(
  `${done.toExponential(0)} samples: heap ${mib(after.heapUsed - before.heapUsed)} more, rss ${mib(peak - before.rss)} more at most`,
);
