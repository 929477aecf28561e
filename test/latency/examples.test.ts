import { join } from 'node:path';
import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import { reportText } from '#lib/latency/format/report.js';
import { measureLatency } from '#lib/latency/host/measure.js';
import type { LatencyData } from '#lib/latency/model.js';
import type { LatencyOptions } from '#lib/suite/latency.js';
import { hasAddon, ROOT } from './forks.js';

async function example(name: string, overrides: LatencyOptions): Promise<readonly LatencyData[]> {
  const measured = await measureLatency({
    file: join(ROOT, 'examples', `${name}.latency.ts`),

    cwd: ROOT,
    overrides,
  });
  if (!measured.ok) throw new Error(`${measured.failure.message}\n${measured.output}`);
  return measured.results;
}

test.serial('latency-sync: a sync function with two probes', async (t) => {
  const [data] = await example('latency-sync', { rate: 5000, duration: '500ms', runs: 2, warmup: 3000 });
  const fork = data!.forks[0]!;
  t.is(fork.status, 'ok', reportText(data!));
  t.is(fork.driver!.kind, 'spin');
  for (const run of fork.runs) {
    t.is(run.done, 2500);
    t.is(run.probes.parse!.total, 2500);
    t.is(run.probes.match!.total, 2500);
    // Stages are part of the whole.
    t.true(Histogram.from(run.probes.parse!).mean < Histogram.from(run.service).mean);
  }
});

test.serial('latency-queue: events end on later ticks, over two params', async (t) => {
  const results = await example('latency-queue', { rate: 500, duration: '600ms', runs: 1, warmup: 50 });
  t.deepEqual(
    results.map((data) => data.params),
    [{ items: 10 }, { items: 1000 }],
  );
  for (const data of results) {
    const fork = data.forks[0]!;
    t.is(fork.status, 'ok', reportText(data));
    t.is(fork.driver!.kind, hasAddon ? 'pacer' : 'timer');
    t.like(fork.runs[0], { done: 300, lost: 0 });
  }
});

test.serial('latency-http: a server in its own process, open loop', async (t) => {
  const [data] = await example('latency-http', { rate: 100, duration: '1s', runs: 1, warmup: 20 });
  const fork = data!.forks[0]!;
  t.is(fork.status, 'ok', reportText(data!));
  const run = fork.runs[0]!;
  t.like(run, { done: 100, lost: 0, failed: 0, complete: true });
  t.is(run.probes.firstByte!.total, 100);
  // Nothing to assert about its speed; a response cannot be shorter than the time to the first byte.
  t.true(run.response.max >= run.probes.firstByte!.max * 0.99);
});
