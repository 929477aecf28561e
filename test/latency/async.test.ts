import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import type { LatencyMessage } from '#lib/latency/messages.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { FakeClock, measure } from './fake.js';

type Run = Extract<LatencyMessage, { type: 'run' }>['run'];
const runsOf = (messages: readonly LatencyMessage[]): Run[] =>
  messages.filter((m) => m.type === 'run').map((m) => (m as Extract<LatencyMessage, { type: 'run' }>).run);
const findings = (data: Awaited<ReturnType<typeof measure>>['data']) =>
  data.forks[0]!.runs.flatMap((run) => run.findings.map((f) => f.id));

test('hooks and their order, as JLBH has it', async (t) => {
  const calls: string[] = [];
  const log = (name: string) => {
    if (calls.at(-1) !== name) calls.push(name);
  };
  const { end } = await measure('order', {
    rate: 10_000,
    iterations: 10,
    runs: 2,
    warmup: 3,
    pauseAfterWarmup: 5,
    setup: async () => {
      log('setup');
      return { n: 1 };
    },
    inputs: (_: unknown, state: { n: number }) => {
      log('inputs');
      return ['a', 'b', `c${state.n}`];
    },
    run: async (state: { n: number }, event: LatencyEvent<string, never>) => {
      t.is(state.n, 1);
      t.is(event.input, ['a', 'b', 'c1'][event.seq % 3]!);
      log(event.warmup ? 'warm-up' : 'run');
    },
    warmedUp: async () => log('warmedUp'),
    runComplete: (_: unknown, info: { run: number; runs: number; done: number }) => {
      t.deepEqual(info, { run: info.run, runs: 2, done: 10 });
      log(`runComplete ${info.run}`);
    },
    teardown: async () => log('teardown'),
  }); // prettier-ignore
  t.is(end.failure, null);
  t.deepEqual(calls, [
    'setup',
    'inputs',
    'warm-up',
    'warmedUp',
    'run',
    'runComplete 1',
    'run',
    'runComplete 2',
    'teardown',
  ]);
});

test('hooks are given what belongs to them, and the pause after warm-up is made', async (t) => {
  const given: unknown[] = [];
  const pauses: number[] = [];
  const state = { is: 'state' };
  const { end } = await measure(
    'args',
    {
      rate: 10_000,
      iterations: 5,
      runs: 1,
      warmup: 1,
      pauseAfterWarmup: '7ms',
      setup: (...args: unknown[]) => {
        given.push(['setup', ...args]);
        return state;
      },
      inputs: (...args: unknown[]) => {
        given.push(['inputs', ...args]);
        return [1];
      },
      run: () => undefined,
      warmedUp: (...args: unknown[]) => void given.push(['warmedUp', ...args]),
      teardown: (...args: unknown[]) => void given.push(['teardown', ...args]),
    },
    undefined,
    { pause: async (ms) => void pauses.push(ms) },
  );
  t.is(end.failure, null);
  t.deepEqual(given, [
    ['setup', {}],
    ['inputs', {}, state],
    ['warmedUp', state],
    ['teardown', state, {}],
  ]);
  t.deepEqual(pauses, [7]);
});

for (const [what, inputs] of Object.entries({ 'no list': 5, 'an empty list': [], text: 'abc' })) {
  test(`inputs that are ${what} are refused before anything runs`, async (t) => {
    const run = () => t.fail('it ran');
    const { end } = await measure('inputs', { rate: 1000, iterations: 5, run, inputs: () => inputs as never });
    t.is(end.failure?.phase, 'inputs');
    t.regex((end.failure!.error as Error).message, /must return a list with at least one input/);
  });
}

for (const hook of ['setup', 'inputs', 'warmedUp', 'runComplete', 'teardown'] as const) {
  test(`a throw in ${hook} names the hook; teardown runs once setup has`, async (t) => {
    let torn = 0;
    const { end, messages } = await measure('throws', {
      rate: 10_000,
      iterations: 10,
      runs: 2,
      warmup: 0,
      run: () => undefined,
      teardown: () => {
        torn++;
        if (hook === 'teardown') throw new Error('from teardown');
      },
      ...(hook === 'teardown' ? {} : { [hook]: () => Promise.reject(new Error(`from ${hook}`)) }),
    }); // prettier-ignore
    t.is(end.failure!.phase, hook);
    t.is((end.failure!.error as Error).message, `from ${hook}`);
    t.is(torn, hook === 'setup' ? 0 : 1);
    t.is(runsOf(messages).length, { setup: 0, inputs: 0, warmedUp: 0, runComplete: 1, teardown: 2 }[hook]);
  });
}

test('a plain function that returns a promise is seen in warm-up and gets the async driver, with the reason for a fallback', async (t) => {
  const { data } = await measure('promise', {
    rate: 10_000,
    iterations: 50,
    runs: 1,
    warmup: 30,
    run: () => Promise.resolve(),
  });
  t.is(data.forks[0]!.driver!.kind, 'timer');
  t.regex(data.forks[0]!.driver!.fallback!, /because this is a test/);
  t.is(data.forks[0]!.warmup!.events, 30);
  t.is(data.forks[0]!.runs[0]!.done, 50);
});

test('events that end on later ticks, many in flight, out of order', async (t) => {
  const clock = new FakeClock();
  const waiting: LatencyEvent<unknown, never>[] = [];
  const { data, messages } = await measure(
    'later',
    {
      rate: 10_000,
      iterations: 400,
      runs: 2,
      warmup: 0,
      done: 'sample',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        waiting.push(event);
        if (waiting.length < 40) return;
        clock.t += 1000;
        for (const other of waiting.reverse()) other.sample();
        waiting.length = 0;
      },
    },
    clock,
  ); // prettier-ignore
  for (const run of runsOf(messages)) {
    t.like(run, { issued: 400, done: 400, lost: 0, maxInFlight: 40, complete: true });
    // The first of each forty waits for 39 gaps of 100 us.
    t.true(run.response.max >= 39 * 100_000 && run.response.max < 39 * 100_000 + 20_000, `${run.response.max}`);
  }
  t.deepEqual(findings(data), []);
});

test('lost events count as at least the timeout and never hang; late ones are counted apart', async (t) => {
  let late: LatencyEvent<unknown, never> | null = null;
  const { data, messages } = await measure('lost', {
    rate: 100,
    iterations: 200,
    runs: 1,
    warmup: 0,
    done: 'sample',
    timeout: '500ms',
    run: (_: unknown, event: LatencyEvent<unknown, never>) => {
      if (event.seq === 10) late = event;
      if (event.seq === 150) late!.sample();
      if (event.seq % 10 !== 0) event.sample();
    },
  }); // prettier-ignore
  const run = runsOf(messages)[0]!;
  t.like(run, { issued: 200, done: 180, lost: 20, afterTimeout: 1, complete: true });
  const h = Histogram.from(run.response);
  t.is(h.count, 200);
  t.is(h.count - h.countAtOrBelow(499e6), 20);
  t.true(h.max < 800e6, `${h.max}`);
  t.true(findings(data).includes('lost') && findings(data).includes('after-timeout'));
});

test('with return as the end, a later sample() is told apart from a second one', async (t) => {
  const events: LatencyEvent<unknown, never>[] = [];
  const { data } = await measure('late sample', {
    rate: 1000,
    iterations: 50,
    runs: 1,
    warmup: 0,
    driver: 'timer',
    run: (_: unknown, event: LatencyEvent<unknown, never>) => {
      events.push(event);
      if (events.length > 1) events.at(-2)!.sample();
    },
  }); // prettier-ignore
  t.like(data.forks[0]!.runs[0], { done: 50, sampledTwice: 49 });
  t.regex(data.forks[0]!.runs[0]!.findings[0]!.message, /declare done: 'sample'/);
});

test('a rejection at call n ends the run; what came before is kept', async (t) => {
  const { end, messages } = await measure('rejects', {
    rate: 10_000,
    iterations: 100,
    runs: 2,
    warmup: 0,
    run: async (_: unknown, event: LatencyEvent<unknown, never>) => {
      if (event.seq === 42) throw new Error('gone');
    },
  }); // prettier-ignore
  t.is(end.failure!.phase, 'run, event 42 of run 1');
  const runs = runsOf(messages);
  t.is(runs.length, 1);
  t.like(runs[0], { done: 42, failed: 1, complete: false });
});

test('a server slower than the rate is unreachable; one that only takes long is not', async (t) => {
  const clock = new FakeClock();
  /** One at a time, 150 us each, against a gap of 100 us. */
  let free = 0;
  const queue: { at: number; event: LatencyEvent<unknown, never> }[] = [];
  const overloaded = await measure(
    'overload',
    {
      rate: 10_000,
      iterations: 4000,
      runs: 1,
      warmup: 0,
      done: 'sample',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        free = Math.max(free, event.now()) + 150_000;
        queue.push({ at: free, event });
        while (queue.length > 0 && queue[0]!.at <= clock.t) queue.shift()!.event.sample();
        if (event.seq === 3999) {
          for (const { at, event: left } of queue) {
            clock.t = Math.max(clock.t, at);
            left.sample();
          }
        }
      },
    },
    clock,
  ); // prettier-ignore
  t.true(findings(overloaded.data).includes('unreachable'));
  t.true(Math.abs(overloaded.data.forks[0]!.runs[0]!.achievedPerSec / (1e9 / 150_000) - 1) < 0.02);

  const slow = new FakeClock();
  const delayed: { at: number; event: LatencyEvent<unknown, never> }[] = [];
  const latent = await measure(
    'latent',
    {
      rate: 10_000,
      iterations: 4000,
      runs: 1,
      warmup: 0,
      done: 'sample',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        delayed.push({ at: event.now() + 60e6, event });
        while (delayed[0]!.at <= slow.t) delayed.shift()!.event.sample();
        if (event.seq === 3999) for (const { event: left } of delayed) left.sample();
      },
    },
    slow,
  ); // prettier-ignore
  t.false(findings(latent.data).includes('unreachable'));
});

for (const late of ['catch-up', 'capped', 'skip'] as const) {
  test(`${late} after a stall of the async driver`, async (t) => {
    const clock = new FakeClock();
    const { data, messages } = await measure(
      late,
      {
        rate: 10_000,
        iterations: 1000,
        runs: 1,
        warmup: 0,
        driver: 'timer',
        late,
        ...(late === 'capped' ? { cap: 4 } : {}),
        keepSamples: true,
        run: async (_: unknown, event: LatencyEvent<unknown, never>) => {
          clock.t += event.seq === 100 ? 10_000_000 : 1000;
        },
      },
      clock,
    ); // prettier-ignore
    const run = runsOf(messages)[0]!;
    const events = Array.from({ length: run.samples!.length / 3 }, (_, i) => run.samples!.slice(3 * i, 3 * i + 3));
    const planned = new Set(events.map(([at]) => at));
    // Nothing moves the plan: its first and its last event are there whatever is done about late ones.
    t.true(planned.has(0) && planned.has(999 * 100_000));
    t.is(run.done + run.skipped, 1000);
    t.is(events.length, run.done);
    const ids = findings(data);
    t.is(ids.includes('partial-plan'), late === 'skip');
    const backlog = events.filter(([at, start]) => at! > 100 * 100_000 && start! - at! > 200_000);
    const gaps = backlog.slice(1).map(([, start], i) => start! - backlog[i]![1]!);
    if (late === 'skip') {
      // 10 ms hold 100 events; the last of them has no successor that is due.
      t.true(Math.abs(run.skipped - 99) <= 1, `${run.skipped}`);
      return;
    }
    t.is(run.skipped, 0);
    t.true(gaps.length > 50);
    if (late === 'capped') t.true(Math.min(...gaps) >= 25_000, `${Math.min(...gaps)}`);
    else t.true(Math.max(...gaps) < 25_000, `${Math.max(...gaps)}`);
  });
}

test('a stop ends an async run with events in flight', async (t) => {
  let calls = 0;
  const { end, messages } = await measure(
    'stop',
    {
      rate: 1000,
      iterations: 100,
      runs: 3,
      warmup: 0,
      done: 'sample',
      run: (_: unknown, event: LatencyEvent<unknown, never>) => {
        if (calls++ < 30) event.sample();
      },
    },
    new FakeClock(),
    { stopped: () => calls >= 50 },
  ); // prettier-ignore
  t.true(end.stopped);
  t.is(runsOf(messages).length, 1);
  t.like(runsOf(messages)[0], { complete: false, issued: 50, done: 30, lost: 0 });
});
