/** Results as code reads them, and the consumer that is given them. */
import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import { type LatencyData, type LatencyResult, measureLatency, resultOf } from '#lib/latency/index.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { FakeClock, measure } from './fake.js';
import { fixture, ROOT } from './forks.js';

/** Two runs; service is 5 us in the first and 8 us in the second; `stage` is the number of the run in us, `never` is not fed. */
async function twoRuns(): Promise<LatencyData> {
  const clock = new FakeClock(50);
  let run = 1;
  const { data } = await measure(
    'two',
    {
      rate: 10_000,
      iterations: 1000,
      runs: 2,
      warmup: 0,
      probes: ['stage', 'never'],
      runComplete: () => {
        run = 2;
      },
      run: (_: unknown, event: LatencyEvent<unknown, 'stage'>) => {
        clock.t += run === 1 ? 5000 : 8000;
        event.probe.stage(run * 1000);
      },
    },
    clock,
  ); // prettier-ignore
  return data;
}

test('tables by name: each run, the last run, probes', async (t) => {
  const data = await twoRuns();
  const result = resultOf(data);
  t.is(result.data, data);
  t.deepEqual(result.probeNames(), ['stage', 'never']);
  const close = (ns: number | null, to: number) => t.true(ns! >= to && ns! <= 1.02 * to + 100, `${ns}, not ${to}`);
  for (const table of [result.service(), result.endToEnd()]) {
    const runs = table.eachRunSummary();
    t.deepEqual(
      runs.map(({ count }) => count),
      [1000, 1000],
    );
    close(runs[0]!.p50, 5000);
    close(runs[1]!.p50, 8000);
    t.is(table.summaryOfLastRun().worst, runs[1]!.worst);
    t.not(runs[0]!.worst, runs[1]!.worst);
  }
  // Nothing keeps an event waiting longer than two looks at the clock.
  t.true(result.lateness().summaryOfLastRun().worst! <= 100);
  t.deepEqual(
    result
      .probe('stage')!
      .eachRunSummary()
      .map(({ count, p50 }) => [count, p50]),
    [
      [1000, 1000],
      [1000, 2000],
    ],
  );
  t.deepEqual(
    result
      .probe('never')!
      .eachRunSummary()
      .map(({ count, p50 }) => [count, p50]),
    [
      [0, null],
      [0, null],
    ],
  );
  for (const name of ['nothing', 'endToEnd', '__proto__']) t.is(result.probe(name), undefined);
});

test('jitter of all samplers merged; undefined where none ran, which is not 0 gaps', async (t) => {
  const data = await twoRuns();
  t.is(resultOf(data).osJitter(), undefined);
  const gaps = (...values: number[]) => {
    const h = new Histogram({ digits: 2 });
    for (const value of values) h.record(value);
    return h.toJSON();
  };
  const sampled = (...values: number[]) => ({
    cpu: 1,
    when: 'run' as const,
    thresholdNs: 1000,
    elapsedNs: 1e9,
    lostNs: 0,
    gaps: gaps(...values),
    worst: [],
  }); // prettier-ignore
  const fork = data.forks[0]!;
  const runs = fork.runs.map((run, i) => ({ ...run, jitter: [i === 0 ? sampled(2000, 3000) : sampled(50_000)] }));
  const merged = resultOf({ ...data, forks: [{ ...fork, runs }] }).osJitter()!;
  t.is(merged.count, 3);
  t.is(merged.worst, 50_000);
  const none = resultOf({ ...data, forks: [{ ...fork, runs: runs.map((run) => ({ ...run, jitter: [sampled()] })) }] });
  t.is(none.osJitter()!.count, 0);
});

test('no run at all: lists are empty, and the last of them is an error that says so', async (t) => {
  const data = await twoRuns();
  const result = resultOf({ ...data, forks: [] });
  t.deepEqual(result.endToEnd().eachRunSummary(), []);
  t.throws(() => result.endToEnd().summaryOfLastRun(), { message: 'latency: no run was measured' });
});

test('with several forks the last run is that of the last fork', async (t) => {
  const data = await twoRuns();
  const fork = data.forks[0]!;
  const other = { ...fork, index: 1, runs: fork.runs.slice(0, 1) };
  const result = resultOf({ ...data, forks: [fork, other] });
  t.is(result.service().eachRunSummary().length, 3);
  t.is(result.service().summaryOfLastRun().worst, resultOf(data).service().eachRunSummary()[0]!.worst);
  t.not(result.service().summaryOfLastRun().worst, resultOf(data).service().summaryOfLastRun().worst);
});

const options = { file: fixture('computed'), cwd: ROOT, overrides: { runs: 1, iterations: 200, warmup: 0 } };

test.serial('onResult is given each result once, in order, before the next is measured', async (t) => {
  const told: string[] = [];
  const given: LatencyResult[] = [];
  const measured = await measureLatency({
    ...options,
    only: /spin|timer/,
    onEvent: (event) => void (event.type === 'fork' && told.push(`fork of ${event.name}`)),
    onResult: (result) => {
      told.push(`result of ${result.data.name}`);
      given.push(result);
    },
  });
  t.deepEqual(told, ['fork of spin', 'result of spin', 'fork of timer', 'result of timer']);
  t.true(measured.ok);
  if (measured.ok) given.forEach((result, i) => void t.is(result.data, measured.results[i]!));
  t.is(given[0]!.endToEnd().summaryOfLastRun().count, 200);
});

test.serial('what onResult throws ends the measurement', async (t) => {
  let calls = 0;
  const onResult = () => {
    calls++;
    throw new Error('enough');
  };
  await t.throwsAsync(measureLatency({ ...options, onResult }), { message: 'enough' });
  t.is(calls, 1);
});
