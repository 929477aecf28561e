/** What a run counts and what it is allowed to say about its rate, for few events, lost ones and late ones that are held back. */
import test from 'ava';
import { LateGate } from '#lib/latency/late.js';
import type { LatencyMessage } from '#lib/latency/messages.js';
import { peakRate } from '#lib/latency/plan.js';
import { findingsOf } from '#lib/latency/verdict.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { resolveLatency } from '#lib/suite/latency-options.js';
import { FakeClock, measure } from './fake.js';

type Run = Extract<LatencyMessage, { type: 'run' }>['run'];
const runsOf = (messages: readonly LatencyMessage[]): Run[] =>
  messages.filter((m) => m.type === 'run').map((m) => (m as Extract<LatencyMessage, { type: 'run' }>).run);
const run = () => undefined;

test('a single event is one event per gap, not one per duration of the task', async (t) => {
  for (const driver of ['spin', 'timer'] as const) {
    const { messages } = await measure('one', { rate: 10, iterations: 1, runs: 1, warmup: 0, driver, run });
    t.is(runsOf(messages)[0]!.achievedPerSec, 10, driver);
  }
});

/** Coarse, so that waiting for a planned start takes few looks. */
const coarse = () => new FakeClock(20_000);

test('the wait for lost events is not time in which the others were achieved', async (t) => {
  const { messages } = await measure(
    'lost at the end',
    {
      rate: 1000,
      iterations: 1000,
      runs: 1,
      warmup: 0,
      done: 'sample',
      timeout: '10s',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        if (event.seq !== 990) event.sample();
      },
    },
    coarse(),
  );
  const [measured] = runsOf(messages);
  t.like(measured, { done: 999, lost: 1 });
  t.true(Math.abs(measured!.achievedPerSec - 999) < 1, `${measured!.achievedPerSec}`);
  t.true(measured!.bestPerSec <= 1001, `${measured!.bestPerSec}`);
});

test('intervals, and so the log, hold lost events as well', async (t) => {
  const { messages } = await measure(
    'lost now and then',
    {
      rate: 1000,
      iterations: 2000,
      runs: 1,
      warmup: 0,
      done: 'sample',
      timeout: '300ms',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        if (event.seq % 10 !== 0) event.sample();
      },
    },
    coarse(),
  );
  const [measured] = runsOf(messages);
  t.like(measured, { done: 1800, lost: 200 });
  t.is(
    measured!.intervals.reduce((sum, { response }) => sum + response.total, 0),
    measured!.response.total,
  );
  t.true(measured!.bestPerSec < 950, `lost events are not achieved: ${measured!.bestPerSec}`);
});

test('without coordinated omission an event is lost from its actual start on', async (t) => {
  const clock = coarse();
  const { messages } = await measure(
    'one stall',
    {
      rate: 1000,
      iterations: 20,
      runs: 1,
      warmup: 0,
      done: 'sample',
      timeout: '300ms',
      coordinatedOmission: false,
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        // Longer than the timeout: the event after it starts late and ends at once.
        if (event.seq === 5) clock.t += 2e9;
        if (event.seq !== 6) event.sample();
      },
    },
    clock,
  );
  const [measured] = runsOf(messages);
  t.is(measured!.lost, 1);
  t.is(measured!.service.max, measured!.response.max);
  t.true(Math.max(...measured!.worst.filter(({ seq }) => seq === 6).map(({ responseNs }) => responseNs)) < 1e9);
});

test('a cap is a multiple of the highest planned rate: late events of a burst are not throttled below the plan', (t) => {
  const peak = (options: object) => peakRate(resolveLatency({ rate: 1000, run, ...options } as never));
  t.is(peak({}), 1000);
  t.is(peak({ arrivals: 'poisson' }), 1000);
  t.is(peak({ arrivals: { kind: 'burst', on: '20ms', off: '80ms' } }), 5000);
  t.is(peak({ rate: undefined, arrivals: { kind: 'ramp', from: 1000, to: 9000 } }), 9000);
  t.is(peak({ rate: undefined, arrivals: { kind: 'ramp', from: 9000, to: 1000 } }), 9000);
  t.is(peak({ rate: undefined, arrivals: { kind: 'trace', gaps: [1e6, 3e6] } }), 500);

  const gate = new LateGate('capped', 5000, 2);
  gate.started(1e6);
  t.is(gate.at(1.3e6, 1.2e6, 1.4e6), 1.2e6);
});

test('one stall in a burst is caught up in that burst when the cap allows it', async (t) => {
  const clock = new FakeClock();
  const { messages } = await measure(
    'burst',
    {
      rate: 1000,
      arrivals: { kind: 'burst', on: '100ms', off: '400ms' },
      iterations: 500,
      runs: 1,
      warmup: 0,
      late: 'capped',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        if (event.seq === 3) clock.t += 5e6;
      },
    },
    clock,
  );
  const [measured] = runsOf(messages);
  // 5 ms are 25 events at 5,000/s, caught up with at 10,000/s after 25 more.
  t.true(measured!.lateness.buckets.filter(([ns]) => ns > 100_000).reduce((n, [, count]) => n + count, 0) < 60);
});

for (const driver of ['spin', 'timer'] as const) {
  for (const [what, result] of [
    [
      'is asked for its then',
      {
        // biome-ignore lint/suspicious/noThenProperty: the point of the test.
        get then(): unknown {
          throw new Error('asked');
        },
      },
    ],
    [
      'is awaited',
      {
        // biome-ignore lint/suspicious/noThenProperty: the point of the test.
        then() {
          throw new Error('asked');
        },
      },
    ],
  ] as const) {
    test(`a result that throws when it ${what} ends the run like a throw of the task (${driver})`, async (t) => {
      const { end, messages } = await measure('thenable', {
        rate: 10_000,
        iterations: 100,
        runs: 2,
        warmup: 0,
        driver,
        run: (_: unknown, event: LatencyEvent<unknown, never>) => (event.seq === 42 ? result : undefined),
      });
      t.is(end.failure!.phase, 'run, event 42 of run 1');
      t.is((end.failure!.error as Error).message, 'asked');
      t.like(runsOf(messages)[0], { done: 42, failed: 1, complete: false });
    });
  }
}

test('a promise that never settles is lost in warm-up as well, also where only calling the task shows that it is async', async (t) => {
  const { end, messages } = await measure(
    'never',
    {
      rate: 1000,
      iterations: 20,
      runs: 1,
      warmup: 3,
      timeout: '50ms',
      run: () => new Promise(() => undefined),
    },
    coarse(),
  );
  t.is(end.failure, null);
  t.like(runsOf(messages)[0], { issued: 20, done: 0, lost: 20 });
});

test('a driver that was late says so from how few events it knows', async (t) => {
  const clock = new FakeClock();
  const definition = {
    rate: 1000,
    iterations: 50,
    runs: 1,
    warmup: 0,
    run: () => {
      clock.t += 3e6;
    },
  };
  const { messages } = await measure('few', definition, clock, {}); // prettier-ignore
  const measured = { ...runsOf(messages)[0]!, driverDelay: runsOf(messages)[0]!.lateness };
  const found = findingsOf(measured, resolveLatency(definition)).find(({ id }) => id === 'driver-limited');
  t.regex(found!.message, /of only 50 events/);
});
