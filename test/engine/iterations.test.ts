import test from 'ava';
import type { ForkMessage } from '#lib/protocol/messages.js';
import { runInProcess } from './support/in-process.js';

const iterationsOf = (messages: readonly ForkMessage[], type: 'iteration' | 'warmup' = 'iteration') =>
  messages.flatMap((message) => (message.type === type ? [message.iteration] : []));

test('score, ops and times are exact under a fake clock', async (t) => {
  const { machine } = await runInProcess((m) => ({ benchmarks: { b: () => (m.pass(100), 1) } }), {
    warmupIterations: 3,
    opsPerInvocation: 4,
    iterationTimeMs: 10,
  });
  for (const iteration of iterationsOf(machine.messages)) {
    t.is(iteration.score, 25);
    t.is(iteration.elapsedNs / iteration.ops, 25);
    t.is(iteration.wallNs, iteration.elapsedNs);
    t.true(iteration.wallNs >= 10e6 && iteration.wallNs < 10.1e6);
    t.is(iteration.chunks!.medianNs, 25);
    t.is(iteration.chunks!.minNs, iteration.chunks!.maxNs);
    t.is(iteration.chunks!.invocations, 500);
    t.is(iteration.ops, iteration.chunks!.count * 500 * 4);
    t.deepEqual(iteration.gaps, { count: 0, lostNs: 0, worstNs: 0 });
  }
});

test('thrpt is ops per unit, and batchSize only rescales ops', async (t) => {
  const { machine } = await runInProcess((m) => ({ benchmarks: { b: () => (m.pass(100), 1) } }), {
    mode: 'thrpt',
    unit: 's',
    batchSize: 10,
  });
  t.is(Math.round(iterationsOf(machine.messages)[0]!.score!), 1e6);
});

test('a cold first call of 1 ms decides neither chunks nor score', async (t) => {
  let calls = 0;
  const { machine } = await runInProcess((m) => ({
    benchmarks: { b: () => (m.pass(calls++ === 0 ? 1e6 : 10), 1) },
  }));
  const [first] = iterationsOf(machine.messages);
  t.is(first!.score, 10);
  t.is(first!.chunks!.invocations, 5000);
});

test('no short chunk at the end of an iteration enters the statistics', async (t) => {
  const { machine } = await runInProcess((m) => ({ benchmarks: { b: () => (m.pass(70), 1) } }), {
    warmupIterations: 3,
    keepChunks: true,
    iterationTimeMs: 3,
  });
  for (const iteration of iterationsOf(machine.messages)) {
    t.deepEqual([...new Set(iteration.chunks!.values)], [70]);
    t.is(iteration.ops % iteration.chunks!.invocations, 0);
  }
});

test('budgets count wall time: harness and fixtures included', async (t) => {
  const start = { ns: 0 };
  const { machine } = await runInProcess(
    (m) => {
      start.ns = m.nowNs();
      return {
        // Fixtures take 100 ms, alternating speeds never settle: only the wall can end this.
        setupIteration: () => m.pass(100e6),
        benchmarks: { b: () => (m.pass(1e6 * (1 + (Math.floor(m.nowNs() / 50e6) % 2))), 1) },
      };
    },
    { warmupIterations: null, warmupMinMs: 200, warmupMaxMs: 1500, iterations: 1 },
  );
  const warm = machine.messages.find(({ type }) => type === 'warm');
  t.is(warm?.type === 'warm' && warm.end, 'cap');
  const spentMs = (machine.nowNs() - start.ns) / 1e6;
  t.true(spentMs < 1500 + 300, `${spentMs} ms`);
});

test('gc is attributed by time, not by when it is heard of', async (t) => {
  let iteration = 0;
  const { machine } = await runInProcess((m) => ({
    setupIteration: () => {
      iteration++;
      m.pass(1e6);
      // Between iterations: belongs to none.
      m.pauses.push({ at: m.nowNs() / 1e6 - 0.5, ms: 0.1 });
    },
    teardownIteration: () => {
      m.pass(1e6);
    },
    benchmarks: {
      b: () => {
        m.pass(1000);
        if (iteration === 3 && m.pauses.length < 4) m.pauses.push({ at: m.nowNs() / 1e6, ms: 0.25 });
        return 1;
      },
    },
  }));
  const [first, second] = iterationsOf(machine.messages);
  t.deepEqual(first!.gc, { count: 1, ns: 250_000 });
  t.true(first!.tags.includes('gc'));
  t.deepEqual(second!.gc, { count: 0, ns: 0 });
});

test('results that stop being numbers change the sink and are told', async (t) => {
  let calls = 0;
  const { machine, error } = await runInProcess((m) => ({
    benchmarks: { b: () => (m.pass(1000), ++calls > 3000 ? 'text' : 1) },
  }));
  t.is(error, null);
  const finding = machine.messages.find(
    (message) => message.type === 'finding' && message.finding.id === 'mixed-results',
  );
  t.truthy(finding);
});

test('a benchmark that is synchronous first and asynchronous later is refused', async (t) => {
  for (const first of [1, 'text', undefined]) {
    let calls = 0;
    const { error } = await runInProcess((m) => ({
      benchmarks: { b: () => (m.pass(1000), ++calls > 2000 ? Promise.resolve(1) : first) },
    }));
    t.is(error?.phase, 'benchmark');
    t.regex(error!.message, /benchmark "b" of suite "S" returned a promise after .*awaited always or never/);
  }
});

test('a benchmark that is asynchronous first and synchronous later is refused', async (t) => {
  let calls = 0;
  const { error } = await runInProcess((m) => ({
    benchmarks: { b: () => (m.pass(1000), ++calls > 2000 ? 1 : Promise.resolve(1)) },
  }));
  t.is(error?.phase, 'benchmark');
  t.regex(error!.message, /benchmark "b" of suite "S" is asynchronous, but it returned number/);
});

test('inflight keeps as many promises running as asked, without draining between chunks', async (t) => {
  let running = 0;
  let most = 0;
  let drained = 0;
  const { error } = await runInProcess(
    (m) => ({
      benchmarks: {
        b: async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          m.pass(30_000);
          if (--running === 0) drained++;
        },
      },
    }),
    { inflight: 4, iterationTimeMs: 3 },
  );
  t.is(error, null);
  t.is(most, 4);
  // Once after the first invocation and once at the end of each of four iterations.
  t.true(drained <= 5, `${drained}`);
});

test('counters are zeroed at each iteration', async (t) => {
  const { machine } = await runInProcess((m) => ({
    counters: { hits: 'events' },
    benchmarks: {
      b: (_: unknown, { counters }: { counters: Record<string, number> }) => {
        m.pass(1000);
        counters.hits!++;
      },
    },
  }));
  for (const iteration of iterationsOf(machine.messages)) t.is(iteration.counters!.hits, iteration.ops);
});
