import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import { planProgress } from '#lib/latency/host/progress.js';
import { measureFile, samplesOf } from './forks.js';
import { quantile, simulateQueue } from './queue.js';

/** Stops a process four times for about 500 ms; when it was stopped, ms after `zero`. */
async function stopFourTimes(pid: number, zero: number): Promise<[number, number][]> {
  const stalls: [number, number][] = [];
  for (const at of [500, 1900, 3300, 4700]) {
    await sleep(Math.max(0, zero + at - performance.now()));
    const from = performance.now();
    process.kill(pid, 'SIGSTOP');
    await sleep(500);
    process.kill(pid, 'SIGCONT');
    stalls.push([from - zero, performance.now() - zero]);
  }
  return stalls;
}

const posix = process.platform === 'win32' ? test.skip : test.serial;

for (const withProgress of [false, true]) {
  posix(
    `stopped 4 times for 500 ms at 1,000/s: response shows it, service does not, the plan is kept${withProgress ? ', with a progress line each second' : ''}`,
    async (t) => {
      let pid = 0;
      let stalling: Promise<[number, number][]> | null = null;
      let lines = 0;
      const progress = planProgress(() => lines++);
      const [data] = await measureFile('spin-20us', {
        onEvent(event) {
          if (withProgress) progress.event(event);
          if (event.type === 'fork') pid = event.pid!;
          if (event.type === 'running') stalling = stopFourTimes(pid, performance.now());
        },
      });
      const run = data!.forks[0]!.runs[0]!;
      const stalls = (await stalling!).map(([from, to]) => [from * 1e6, to * 1e6] as const);
      const planned = Array.from({ length: 6000 }, (_, i) => i * 1e6);
      const expected = simulateQueue(planned, () => 20_000, stalls);

      t.is(run.done, 6000);
      t.is(run.plannedNs, 5.999e9);
      t.deepEqual(
        samplesOf(run).map((e) => e.planned),
        planned,
      );
      const response = quantile(
        expected.map((e) => e.end - e.planned),
        99,
      );
      const p99 = Histogram.from(run.response).percentile(99);
      t.true(response > 400e6, `the simulation itself shows the stalls: ${response}`);
      t.true(Math.abs(p99 / response - 1) < 0.1, `response p99 ${p99 / 1e6} ms, simulated ${response / 1e6} ms`);
      const service = Histogram.from(run.service).percentile(99);
      t.true(service < p99 / 10, `service p99 ${service / 1e6} ms`);
      const end = Math.max(...expected.map((e) => e.end));
      t.true(Math.abs(run.elapsedNs / end - 1) < 0.1, `it took ${run.elapsedNs / 1e9} s, simulated ${end / 1e9} s`);
      if (withProgress) t.true(lines >= 4, `${lines} lines`);
      else t.is(lines, 0);
    },
  );
}
