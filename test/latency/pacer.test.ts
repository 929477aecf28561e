import { performance } from 'node:perf_hooks';
import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import { driverClock } from '#lib/latency/fork/clock.js';
import { PacerSource, ringCapacity } from '#lib/latency/fork/pacer-source.js';
import { loadAddon } from '#lib/native/load.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { FakeClock, measure } from './fake.js';
import { measureFile } from './forks.js';

const native = loadAddon().addon?.pacer ? test.serial : test.serial.skip;

/** A session in this process on the real clock, with the pacer's ring as small as wanted. */
function real(capacity?: number) {
  const clock = driverClock();
  const every = (ms: number, callback: () => void) => {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  };
  const sources: PacerSource[] = [];
  const pacer = (plan: ConstructorParameters<typeof PacerSource>[0]) => {
    sources.push(new PacerSource(plan, null, capacity));
    return sources.at(-1)!;
  };
  return { clock, every, pacer, sources };
}

const block = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

native('a ring that overflows: what was not issued is counted and told, the rest is kept', async (t) => {
  const { sources, ...deps } = real(64);
  let blocked = false;
  const { data, end } = await measure(
    'overflow',
    {
      rate: 10_000,
      iterations: 4000,
      runs: 1,
      warmup: 0,
      driver: 'pacer',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        if (event.seq < 100 || blocked) return;
        blocked = true;
        // Not for a time but until it has happened: the pacer may be kept waiting itself.
        const limit = performance.now() + 30_000;
        while (sources.at(-1)!.overflow < 500 && performance.now() < limit);
      },
    },
    new FakeClock(),
    deps,
  ); // prettier-ignore
  t.is(end.failure, null);
  const run = data.forks[0]!.runs[0]!;
  t.true(run.overflow >= 500, `${run.overflow}`);
  t.is(run.issued + run.overflow, 4000);
  t.is(run.done, run.issued);
  t.is(run.findings.find((f) => f.id === 'overflow')!.severity, 'error');
});

native('a long tick of the task delays starts, not releases', async (t) => {
  const { data } = await measure(
    'tick',
    {
      rate: 1000,
      iterations: 600,
      runs: 1,
      warmup: 0,
      driver: 'pacer',
      keepSamples: true,
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        if (event.seq === 200) block(200);
      },
    },
    new FakeClock(),
    { ...real() },
  ); // prettier-ignore
  const run = data.forks[0]!.runs[0]!;
  t.is(run.done, 600);
  const [lateness, driver] = [Histogram.from(run.lateness), Histogram.from(run.driverDelay)];
  // 200 of 600 events waited, on average 100 ms each; the pacer released them on its own time.
  t.true(lateness.percentile(95) > 100e6, `${lateness.percentile(95)}`);
  // The median, since a busy machine keeps the pacer's own thread waiting now and then.
  t.true(driver.percentile(50) < lateness.percentile(95) / 2, `${driver.percentile(50)}`);
  for (let i = 0; i < 600; i++) t.is(run.samples![3 * i], i * 1e6);
});

test('the ring holds two seconds, within the limits of rings', (t) => {
  t.is(ringCapacity(10_000, 1e6), 32_768);
  t.is(ringCapacity(100, 1e6), 4096);
  t.is(ringCapacity(100, 10), 16);
  t.is(ringCapacity(5e6, 1e9), 2 ** 22);
});

test.serial('without the addon the event loop polls, and the report says why', async (t) => {
  const [data] = await measureFile('computed', {
    only: /^pacer$/,
    overrides: { iterations: 500, runs: 1 },
    env: { ...process.env, TSCOPE_NO_ADDON: '1' },
    keepEnv: ['TSCOPE_NO_ADDON'],
  });
  const fork = data!.forks[0]!;
  t.is(fork.driver!.kind, 'timer');
  t.regex(fork.driver!.fallback!, /TSCOPE_NO_ADDON/);
  t.is(fork.clock!.backend, 'hrtime');
  t.is(fork.runs[0]!.done, 500);
});

test.serial('several forks: each does all runs, percentiles get an interval over forks', async (t) => {
  const [data] = await measureFile('computed', { only: /^spin$/, overrides: { iterations: 1000, runs: 2, forks: 3 } });
  t.is(data!.forks.length, 3);
  t.true(data!.forks.every((fork) => fork.runs.length === 2 && fork.status === 'ok'));
  t.is(new Set(data!.forks.map((fork) => fork.runtime!.pid)).size, 3);
  const { summaryTable } = await import('#lib/latency/summary.js');
  const table = summaryTable(data!, 'endToEnd');
  t.deepEqual(table.runs, ['1.1', '1.2', '2.1', '2.2', '3.1', '3.2']);
  const p50 = table.rows.find((row) => row.level === 50)!;
  // The task computes the same values in every fork, so the interval has no width.
  t.like(p50.forks, { status: 'constant', n: 3, halfWidth: 0 });
});
