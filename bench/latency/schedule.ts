/**
 * How late each driver is with an empty task, ns: start - planned of the spin driver, release - planned of the pacer thread, and start - planned of
 * its events in the event loop. At 1k, 10k, 100k and 1M per second. Run: node out/bench/latency/schedule.js [seconds per row, default 2]
 */
import type { Histogram } from '#lib/histogram/index.js';
import { runAsync } from '#lib/latency/async.js';
import { cursorOf } from '#lib/latency/cursor.js';
import { driverClock } from '#lib/latency/fork/clock.js';
import { PacerSource } from '#lib/latency/fork/pacer-source.js';
import { LateGate } from '#lib/latency/late.js';
import { RunRecorder } from '#lib/latency/recorder.js';
import { TimerSource } from '#lib/latency/source.js';
import { spin } from '#lib/latency/spin.js';

const SECONDS = Number(process.argv[2] ?? 2);
const clock = driverClock();
const context = { clock, state: null, inputs: null, run: () => undefined, stopped: () => false };

function row(name: string, rate: number, h: Histogram, note = ''): void {
  const [p50, p99, p999] = h.percentiles([50, 99, 99.9]).map((v) => v.toLocaleString('en-US').padStart(12));
  console.log(
    `${name.padEnd(16)}${`${rate / 1000}k/s`.padStart(9)}${p50}${p99}${p999}  ${h.count.toLocaleString('en-US')} events${note}`,
  );
}

function planOf(rate: number) {
  const events = Math.round(rate * SECONDS);
  const input = { arrivals: { kind: 'constant' as const }, ratePerSec: rate, events, seed: 1 };
  const recorder = new RunRecorder({ probes: [], events, plannedNs: SECONDS * 1e9, keepSamples: false });
  const gate = new LateGate('catch-up', rate, 2);
  return { input, events, recorder, gate, probe: {}, coordinatedOmission: true, warmup: false };
}

function spinRow(rate: number, print: boolean): void {
  const plan = planOf(rate);
  spin({ ...context, sleep: null }, { ...plan, cursor: cursorOf(plan.input), t0: clock.now() + 1e6, gaps: null });
  if (print) {
    row('spin start', rate, plan.recorder.lateness);
    row('  driver delay', rate, plan.recorder.driverDelay);
  }
}

async function asyncRow(kind: 'pacer' | 'timer', rate: number, print: boolean): Promise<void> {
  const plan = planOf(rate);
  const source = kind === 'pacer' ? new PacerSource(plan.input, null) : new TimerSource(cursorOf(plan.input));
  const every = (ms: number, callback: () => void) => {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  };
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  await runAsync(
    { ...context, every, turn },
    { ...plan, source, t0: clock.now() + 5e6, timeoutNs: 10e9, done: 'return', tick: null, loopDelay: { maxNs: 0 } },
  );
  const { overflow } = source.end();
  if (!print) return;
  if (kind === 'pacer') row('pacer release', rate, plan.recorder.driverDelay, overflow ? `, overflow ${overflow}` : '');
  row(`${kind} start`, rate, plan.recorder.lateness, overflow ? `, overflow ${overflow}` : '');
}

spinRow(50_000, false);
await asyncRow('pacer', 5000, false);
console.log(
  `${'ns late'.padEnd(16)}${'rate'.padStart(9)}${'p50'.padStart(12)}${'p99'.padStart(12)}${'p99.9'.padStart(12)}`,
);
for (const rate of [1000, 10_000, 100_000, 1_000_000]) {
  spinRow(rate, true);
  await asyncRow('pacer', rate, true);
  await asyncRow('timer', rate, true);
}
