import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import type { LatencyMessage } from '#lib/latency/messages.js';
import { offsetsOf, seedOfRun } from '#lib/latency/plan.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { FakeClock, measure } from './fake.js';
import { quantile, simulateQueue } from './queue.js';

const TICK = 50;
type Run = Extract<LatencyMessage, { type: 'run' }>['run'];
const runsOf = (messages: readonly LatencyMessage[]) =>
  messages.filter((m) => m.type === 'run').map((m) => (m as Extract<LatencyMessage, { type: 'run' }>).run);
const at = (data: Run['response'], p: number) => Histogram.from(data).percentile(p);

/** Events of a run as the driver kept them. */
const kept = (run: Run) => {
  const list: { planned: number; start: number; end: number }[] = [];
  for (let i = 0; i < run.samples!.length; i += 3) {
    list.push({ planned: run.samples![i]!, start: run.samples![i + 1]!, end: run.samples![i + 2]! });
  }
  return list;
};

for (const [arrivals, rate] of [
  ['constant', 50_000],
  ['constant', 130_000],
  ['poisson', 80_000],
] as const) {
  test(`spin, ${arrivals} at ${rate}/s with 8 us of work: every event as an independent queue says`, async (t) => {
    const clock = new FakeClock(TICK);
    const service = (i: number) => 8000 + (i % 7) * 500;
    const { data, messages } = await measure(
      'queue',
      {
        rate,
        arrivals,
        iterations: 3000,
        runs: 1,
        warmup: 0,
        keepSamples: true,
        seed: 5,
        run: (_: unknown, event: LatencyEvent<unknown, never>) => {
          clock.t += service(event.seq);
        },
      },
      clock,
    ); // prettier-ignore
    const run = runsOf(messages)[0]!;
    const planned = [
      ...offsetsOf({ arrivals: { kind: arrivals }, ratePerSec: rate, events: 3000, seed: seedOfRun(5, 1) }),
    ];
    // The clock moves by one tick per read: once after each task, and once more before the next can begin.
    const expected = simulateQueue(planned, (i) => service(i) + 2 * TICK);
    const got = kept(run);
    t.is(got.length, 3000);
    for (const [i, event] of got.entries()) {
      const { start } = expected[i]!;
      if (event.planned !== planned[i]) t.fail(`event ${i} was planned at ${event.planned}, not ${planned[i]}`);
      // Waiting ends with a read that is up to one tick late.
      if (event.start < start || event.start > start + 2 * TICK)
        t.fail(`event ${i} began at ${event.start}, not ${start}`);
      if (event.end - event.start !== service(i) + TICK) t.fail(`event ${i} took ${event.end - event.start}`);
    }
    const response = expected.map((e) => e.end - TICK - e.planned);
    for (const p of [50, 90, 99]) {
      t.true(
        Math.abs(at(run.response, p) - quantile(response, p)) <= 2 * TICK + 0.001 * quantile(response, p),
        `p${p}`,
      );
    }
    t.is(
      data.forks[0]!.runs[0]!.findings.some((f) => f.id === 'unreachable'),
      rate > 120_000,
    );
  });
}

test('a stall is in response, not in service, and moves no planned start', async (t) => {
  const clock = new FakeClock(TICK);
  const { messages } = await measure(
    'stall',
    {
      rate: 10_000,
      iterations: 5000,
      runs: 1,
      warmup: 0,
      keepSamples: true,
      probes: ['stage'],
      run: (_: unknown, event: LatencyEvent<unknown, 'stage'>) => {
        clock.t += event.seq % 2000 === 1000 ? 20_000_000 : 5000;
        event.probe.stage(5000);
      },
    },
    clock,
  ); // prettier-ignore
  const run = runsOf(messages)[0]!;
  const planned = Array.from({ length: 5000 }, (_, i) => i * 100_000);
  const expected = simulateQueue(planned, (i) => (i % 2000 === 1000 ? 20_000_000 : 5000));
  t.true(
    Math.abs(
      at(run.response, 99) /
        quantile(
          expected.map((e) => e.end - e.planned),
          99,
        ) -
        1,
    ) < 0.05,
  );
  t.true(at(run.response, 99) > 10e6);
  t.true(at(run.service, 99) < 6000);
  t.is(kept(run).at(-1)!.planned, 4999 * 100_000);
  t.is(run.probes.stage!.total, 5000);
});

test('overload: lateness grows with the slope of queueing arithmetic; the rate is called unreachable', async (t) => {
  const clock = new FakeClock(TICK);
  const { data, messages } = await measure(
    'overload',
    {
      rate: 100_000,
      iterations: 20_000,
      runs: 1,
      warmup: 0,
      keepSamples: true,
      run: () => {
        clock.t += 12_500;
      },
    },
    clock,
  ); // prettier-ignore
  const events = kept(runsOf(messages)[0]!);
  const slope = (events.at(-1)!.start - events.at(-1)!.planned) / 19_999;
  t.true(Math.abs(slope / (12_500 - 10_000) - 1) < 0.06, `${slope} ns per event`);
  // The backlog is the task's doing: the driver itself is never late by more than a look at the clock.
  const { findings, driverDelay, lateness } = data.forks[0]!.runs[0]!;
  t.true(driverDelay.max <= 2 * TICK && lateness.max > 1e6, `${driverDelay.max}`);
  t.false(findings.some((f) => f.id === 'driver-limited'));
  const finding = findings.find((f) => f.id === 'unreachable')!;
  t.truthy(finding);
  // 1 / 12.6 us.
  t.true(Math.abs((finding.data!.achievedPerSec as number) / 79_500 - 1) < 0.02);
  t.regex(finding.message, /highest achieved 79,\d\d\d\/s/);
});

const S = 100_000;
for (const load of [0.1, 0.5, 0.9, 1.25, 2]) {
  test(`a task of ${S} ns at ${load} of its capacity: all events as queueing arithmetic says`, async (t) => {
    const clock = new FakeClock(TICK);
    const rate = (load * 1e9) / S;
    const { data } = await measure(
      'known',
      {
        rate,
        iterations: 5000,
        runs: 1,
        warmup: 0,
        keepSamples: true,
        run: () => {
          clock.t += S;
        },
      },
      clock,
    ); // prettier-ignore
    const run = data.forks[0]!.runs[0]!;
    t.is(run.response.total, 5000);
    t.is(
      run.findings.some(({ id }) => id === 'unreachable'),
      load > 1,
    );
    const close = (ns: number) => ns >= S && ns - S <= Math.max(0.02 * S, 1000);
    t.true(close(at(run.service, 50)), `service p50 ${at(run.service, 50)}`);
    if (load < 1) {
      t.true(close(at(run.response, 50)), `response p50 ${at(run.response, 50)}`);
      return;
    }
    const lateness = kept(run).map((event) => event.start - event.planned);
    const expected = S - 1e9 / rate;
    // Linear: each quarter of the run has the slope of the whole.
    for (const [from, to] of [
      [0, 4999],
      [0, 1250],
      [1250, 2500],
      [2500, 3750],
      [3750, 4999],
    ] as const) {
      const slope = (lateness[to]! - lateness[from]!) / (to - from);
      t.true(Math.abs(slope / expected - 1) < 0.05, `${slope} ns per event from ${from} to ${to}, not ${expected}`);
    }
  });
}

test('late policies: capped keeps its distance, skip drops and counts', async (t) => {
  const definition = (clock: FakeClock) => ({
    rate: 10_000,
    iterations: 1000,
    runs: 1,
    warmup: 0,
    keepSamples: true,
    run: (_: unknown, event: LatencyEvent<unknown, never>) => {
      clock.t += event.seq === 100 ? 10_000_000 : 1000;
    },
  }); // prettier-ignore
  const starts = (run: Run) => kept(run).map((e) => e.start);
  const gapsAfterStall = (run: Run) =>
    starts(run)
      .slice(102, 120)
      .map((start, i) => start - starts(run)[101 + i]!);

  const burst = new FakeClock(TICK);
  const caught = runsOf((await measure('catch-up', definition(burst), burst)).messages)[0]!;
  t.true(Math.max(...gapsAfterStall(caught)) < 2000);

  const slow = new FakeClock(TICK);
  const capped = runsOf(
    (await measure('capped', { ...definition(slow), late: 'capped' as const, cap: 4 }, slow)).messages,
  )[0]!;
  for (const gap of gapsAfterStall(capped)) t.true(gap >= 25_000 && gap < 25_000 + 4 * TICK, `${gap}`);

  const skipping = new FakeClock(TICK);
  const { data, messages } = await measure('skip', { ...definition(skipping), late: 'skip' as const }, skipping);
  const skipped = runsOf(messages)[0]!;
  t.is(skipped.skipped, 99);
  t.is(skipped.done, 901);
  t.is(kept(skipped).at(-1)!.planned, 999 * 100_000);
  t.true(data.forks[0]!.runs[0]!.findings.some((f) => f.id === 'partial-plan'));
});

test('without coordinated omission the plan slides, and that is said', async (t) => {
  const clock = new FakeClock(TICK);
  const { data, messages } = await measure(
    'off',
    {
      rate: 10_000,
      iterations: 1000,
      runs: 1,
      warmup: 0,
      coordinatedOmission: false,
      keepSamples: true,
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        clock.t += event.seq === 100 ? 50_000_000 : 1000;
      },
    },
    clock,
  ); // prettier-ignore
  const run = runsOf(messages)[0]!;
  t.true(at(run.response, 99.8) < 2000);
  t.true(kept(run).at(-1)!.start > 149e6);
  t.true(data.forks[0]!.runs[0]!.findings.some((f) => f.id === 'coordinated-omission'));
});

test('a throw at call n ends the run; what came before is kept; teardown runs', async (t) => {
  let torn = 0;
  const { end, messages } = await measure('throws', {
    rate: 10_000,
    iterations: 1000,
    runs: 3,
    warmup: 5,
    run: (_: unknown, event: LatencyEvent<unknown, never>) => {
      if (!event.warmup && event.seq === 700) throw new Error('no more');
    },
    teardown: () => {
      torn++;
    },
  }); // prettier-ignore
  t.is(end.failure!.phase, 'run, event 700 of run 1');
  t.is((end.failure!.error as Error).message, 'no more');
  const runs = runsOf(messages);
  t.is(runs.length, 1);
  t.like(runs[0], { complete: false, issued: 701, done: 700, failed: 1 });
  t.is(torn, 1);
});

test('sample() twice is counted and told; a bad value and an unknown probe throw', async (t) => {
  const twice = await measure('twice', {
    rate: 10_000,
    iterations: 100,
    runs: 1,
    warmup: 0,
    run: (_: unknown, event: LatencyEvent<unknown, never>) => {
      event.sample(10);
      event.sample(20);
    },
  }); // prettier-ignore
  t.is(twice.data.forks[0]!.runs[0]!.sampledTwice, 100);
  t.is(at(runsOf(twice.messages)[0]!.response, 100), 10);
  t.true(twice.data.forks[0]!.runs[0]!.findings.some((f) => f.id === 'sampled-twice'));
  for (const value of [-1, Number.NaN, '5']) {
    const { end } = await measure('bad', {
      rate: 1000,
      iterations: 5,
      warmup: 0,
      run: (_: unknown, e: LatencyEvent<unknown, never>) => e.sample(value as number),
    });
    t.regex((end.failure!.error as Error).message, /sample\(ns\): must be ns/);
  }
  const typo = await measure('typo', {
    rate: 1000,
    iterations: 5,
    warmup: 0,
    probes: ['parse', 'match'],
    run: (_: unknown, e: LatencyEvent<unknown, string>) => e.probe.pares!(1),
  }); // prettier-ignore
  t.is((typo.end.failure!.error as Error).message, 'probe "pares" is not declared; declared are: parse, match');
});

test('a promise where the spin driver was asked for is refused with what to do', async (t) => {
  const { end } = await measure('promise', {
    rate: 1000,
    iterations: 5,
    warmup: 0,
    driver: 'spin',
    run: () => Promise.resolve(),
  });
  t.regex((end.failure!.error as Error).message, /declare driver: 'pacer'/);
});

test('a stop keeps what is there', async (t) => {
  let calls = 0;
  const { end, messages } = await measure(
    'stop',
    {
      rate: 1000,
      iterations: 100,
      runs: 3,
      warmup: 0,
      run: () => {
        calls++;
      },
    },
    new FakeClock(TICK),
    { stopped: () => calls >= 150 },
  ); // prettier-ignore
  t.true(end.stopped);
  t.is(end.failure, null);
  t.deepEqual(
    runsOf(messages).map((r) => [r.complete, r.done]),
    [
      [true, 100],
      [false, 50],
    ],
  );
});

test('a run of bursts achieves its mean rate, also when the last pause is not waited for', async (t) => {
  const { data } = await measure('bursts', {
    rate: 1000,
    arrivals: { kind: 'burst', on: 10, off: 30 },
    iterations: 200,
    runs: 1,
    warmup: 0,
    run: () => undefined,
  }); // prettier-ignore
  const run = data.forks[0]!.runs[0]!;
  t.true(run.plannedNs < 171e6);
  t.true(Math.abs(run.achievedPerSec - 1000) < 1e-6, `${run.achievedPerSec}`);
});
