import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { allowedCpus } from '#lib/cpu/index.js';
import { start } from '#lib/jitter/index.js';
import { loadAddon } from '#lib/native/load.js';
import { gapDuring, type Stop, startVictim, stopFor, type Victim } from './stop.js';

const linux = loadAddon().addon && process.platform === 'linux';
const onLinux = linux ? test.serial : test.serial.skip;
const cpu = allowedCpus()?.at(-1) ?? 0;
const TIMES = [20, 50, 100, 200];
/** Bounds this close say what the length was within 5 %. */
const TIGHT = 1.03;
const ATTEMPTS = 25;

/** Stops of each length until each was measured tightly, or the attempts run out. */
async function stops(victim: Victim): Promise<Map<number, Stop[]>> {
  const all = new Map<number, Stop[]>();
  for (const ms of TIMES) {
    const list: Stop[] = [];
    all.set(ms, list);
    for (let tight = 0, i = 0; i < ATTEMPTS && tight < 3; i++) {
      await sleep(20);
      const stop = stopFor(victim, ms);
      list.push(stop);
      if (stop.clean && stop.most / stop.least <= TIGHT) tight++;
    }
  }
  return all;
}

async function victim(kind: 'spin' | 'sleep'): Promise<Victim> {
  let found = await startVictim(cpu, 'fifo', kind);
  if (!('pid' in found)) found = await startVictim(cpu, 'normal', kind);
  if ('pid' in found) return found;
  throw new Error(`${found.message}: ${found.hint}`);
}

onLinux('stops from outside: none missed, lengths within 5 %', async (t) => {
  const sampled = await victim('spin');
  await sleep(100);
  const all = await stops(sampled);
  const result = await sampled.finish();
  for (const [ms, list] of all) {
    let tight = 0;
    for (const stop of list) {
      const gap = gapDuring(result, stop);
      t.true(gap >= 0.95 * stop.least, `${ms} ms: found ${gap}, stood still for at least ${stop.least}`);
      if (!stop.clean || stop.most / stop.least > TIGHT) continue;
      tight++;
      t.true(gap <= 1.05 * stop.most, `${ms} ms: found ${gap}, stood still for at most ${stop.most}`);
    }
    t.log(`${ms} ms: ${list.length} stops, all found; ${tight} measured within ${TIGHT}, all within 5 %`);
    if (tight === 0) t.log('the machine was too busy to measure one of them closely: only the lower bound was held');
  }
  t.true(
    result.causes.scheduler!.lostNs >= 0.95e6 * [...all.values()].flat().reduce((sum, stop) => sum + stop.least, 0),
  );
});

onLinux('a sleeping sampler sees stops from outside as late wake-ups', async (t) => {
  const sampled = await victim('sleep');
  await sleep(400);
  const found: Stop[] = TIMES.map((ms) => stopFor(sampled, ms));
  const result = await sampled.finish();
  for (const stop of found) {
    // It may have had up to one interval (1 ms) and its own lateness left to sleep.
    const gap = gapDuring(result, stop);
    t.true(gap >= 0.95 * stop.least - 2, `found ${gap}, stood still for at least ${stop.least}`);
  }
});

onLinux('a competing real-time thread on the CPU is one gap of its length', async (t) => {
  const sampled = await startVictim(cpu, 'normal', 'spin');
  if (!('pid' in sampled)) throw new Error(sampled.message);
  await sleep(100);
  const bursts: { startWallMs: number; ms: number; outerMs: number }[] = [];
  for (let i = 0; i < 5; i++) {
    const before = performance.now();
    const spinner = start({ cpu, fifo: true, durationMs: 200 });
    if (!spinner.ok) {
      t.log(`skipped: ${spinner.message}. ${spinner.hint}`);
      await sampled.finish();
      return t.pass();
    }
    const { startWallMs, durationNs } = await spinner.result();
    bursts.push({ startWallMs, ms: durationNs / 1e6, outerMs: performance.now() - before });
    await sleep(50);
  }
  const result = await sampled.finish();
  let close = 0;
  for (const { startWallMs, ms, outerMs } of bursts) {
    const gap = gapDuring(result, { from: startWallMs + 1, to: startWallMs + ms - 1, least: 0, most: 0, clean: true });
    t.true(gap >= 0.95 * ms, `found ${gap}, the spinner held the CPU for ${ms}`);
    if (gap <= 1.05 * outerMs) close++;
  }
  // A busy machine may add a wait of its own right before or after a burst.
  t.log(`${bursts.length} bursts of 200 ms, all found; ${close} within 5 %`);
});
