import test, { type ExecutionContext } from 'ava';
import { takenNs } from '#lib/engine/interference.js';
import type { ForkMessage, ForkPlan } from '#lib/protocol/messages.js';
import { type FakeMachine, fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';

/** A kernel that counts what a test does to the thread. */
function kernelOf(machine: FakeMachine, known: { usage?: boolean; waited?: boolean } = {}) {
  const kernel = { involuntary: 0, voluntary: 0, offNs: 0, delayNs: 0, readings: 0 };
  const { pass } = machine;
  const off = (ns: number) => {
    pass(ns);
    kernel.offNs += ns;
  };
  Object.assign(machine, {
    usage:
      known.usage === false
        ? null
        : (into: Float64Array) => {
            kernel.readings++;
            into.set([kernel.involuntary, kernel.voluntary, 0, 0, machine.nowNs() - kernel.offNs]);
          },
    waited: known.waited === false ? null : () => kernel.delayNs,
  });
  return {
    kernel,
    /** Another thread ran meanwhile. */
    away(ns: number) {
      kernel.involuntary++;
      kernel.delayNs += ns;
      off(ns);
    },
    /** The virtual CPU stood still and the guest's kernel knows. */
    stolen: off,
    /** The thread slept by its own will. */
    sleep(ns: number) {
      kernel.voluntary++;
      off(ns);
    },
  };
}

type Kernel = ReturnType<typeof kernelOf>;

/** Measures a body of 1000 ns that does `rarely` on every 700th call. */
async function measured(
  rarely: (kernel: Kernel, machine: FakeMachine) => void,
  plan: Partial<ForkPlan> = {},
  known: { usage?: boolean; waited?: boolean } = {},
  machine = fakeMachine(),
) {
  const kernel = kernelOf(machine, known);
  let calls = 0;
  const { error } = await runInProcess(
    (m) => ({
      benchmarks: {
        b: () => {
          m.pass(1000);
          if (++calls % 700 === 0) rarely(kernel, machine);
          return 1;
        },
      },
    }),
    { warmupIterations: 3, iterations: 2, iterationTimeMs: 40, ...plan },
    machine,
  );
  if (error) throw error;
  const iterations = machine.messages.flatMap((m: ForkMessage) => (m.type === 'iteration' ? [m.iteration] : []));
  return { iterations, kernel: kernel.kernel };
}

const near = (t: ExecutionContext, actual: number | null, expected: number, within: number) =>
  t.true(Math.abs(actual! / expected - 1) <= within, `${actual} is not within ${within} of ${expected}`);

test('time that the kernel gave to others is left out exactly, and logged', async (t) => {
  const { iterations } = await measured(({ away }) => away(4e6));
  for (const { aware, score, ops, elapsedNs, tags } of iterations) {
    t.true(score! > 5000);
    near(t, aware!.score, 1000, 1e-9);
    near(t, aware!.excludedNs, elapsedNs - ops * 1000, 1e-9);
    t.is(aware!.excludedNs % 4e6, 0);
    t.is(aware!.excludedChunks, aware!.excludedNs / 4e6);
    t.deepEqual([...new Set(aware!.log!.map(({ ns, cause }) => `${cause} ${ns}`))], ['switch 4000000']);
    t.true(tags.includes('gap'));
  }
});

test('throughput has the same time left out', async (t) => {
  const { iterations } = await measured(({ away }) => away(4e6), { mode: 'thrpt', unit: 'us' });
  for (const { aware } of iterations) near(t, aware!.score, 1, 1e-9);
});

test('collections and slow code run on the thread: they stay in the score', async (t) => {
  const { iterations } = await measured((_, machine) => {
    machine.pauses.push({ at: machine.nowNs() / 1e6, ms: 5 });
    machine.pass(5e6);
  });
  for (const { aware, score, gc, gaps } of iterations) {
    t.true(gc.count > 0 && gaps.count > 0);
    t.is(aware!.score, score);
    t.deepEqual([aware!.excludedNs, aware!.excludedChunks, aware!.log], [0, 0, undefined]);
  }
});

test('a collection during which the thread was also taken off its CPU keeps its own part', async (t) => {
  const { iterations } = await measured(({ away }, machine) => {
    machine.pass(5e6);
    away(3e6);
  });
  for (const { aware, ops } of iterations) {
    t.is(aware!.excludedNs % 3e6, 0);
    near(t, aware!.score! * ops, ops * 1000 + (aware!.excludedNs / 3e6) * 5e6, 1e-9);
  }
});

test('sleep of its own will stays; of sleep and waiting for a CPU together, only the waiting is left out', async (t) => {
  const slept = await measured(({ sleep }) => sleep(4e6));
  for (const { aware, score } of slept.iterations) t.is(aware!.score, score);
  const both = await measured(({ sleep, away }) => {
    sleep(4e6);
    away(2e6);
  });
  for (const { aware } of both.iterations) t.deepEqual([...new Set(aware!.log!.map(({ ns }) => ns))], [2e6]);
  // Nothing tells the two apart here, so nothing is left out.
  const blind = await measured(
    ({ sleep, away }) => {
      sleep(4e6);
      away(2e6);
    },
    {},
    { waited: false },
  );
  for (const { aware, score } of blind.iterations) t.is(aware!.score, score);
});

test('a virtual CPU that stood still is told by the CPU time', async (t) => {
  const { iterations } = await measured(({ stolen }) => stolen(4e6));
  for (const { aware } of iterations) {
    near(t, aware!.score, 1000, 1e-9);
    t.true(aware!.log!.every(({ cause }) => cause === 'stolen'));
  }
});

test('what is taken between chunks costs no score and is not subtracted from it', async (t) => {
  const machine = fakeMachine();
  const kernel: { away?: Kernel['away'] } = {};
  let looks = 0;
  // The engine looks at the tiers between chunks.
  Object.assign(machine.tiers, {
    of: () => {
      if (++looks % 16 === 0) kernel.away?.(4e6);
      return { tier: 'turbofan', pending: false };
    },
  });
  const { iterations } = await measured(
    (own) => {
      kernel.away = own.away;
      own.away(1e6);
    },
    {},
    {},
    machine,
  );
  for (const { aware, elapsedNs, ops } of iterations) {
    near(t, aware!.excludedNs, elapsedNs - ops * 1000, 1e-9);
    near(t, aware!.score, 1000, 1e-9);
  }
});

test('the counters are read after long chunks only', async (t) => {
  // Twice for the whole iteration, at the start and at the end of its chunks; three warm-up and two measured iterations.
  const quiet = await measured(() => {});
  t.true(quiet.kernel.readings <= 5 * 4, `${quiet.kernel.readings} readings`);
  const long = await measured(({ away }) => away(4e6));
  t.true(long.kernel.readings > 5 * 4);
});

test('long invocations are always looked at, whatever is usual', async (t) => {
  const machine = fakeMachine();
  const kernel = kernelOf(machine);
  await runInProcess(
    (m) => ({
      benchmarks: {
        b: () => {
          m.pass(20e6);
          for (let i = 0; i < 5; i++) kernel.away(4e6);
        },
      },
    }),
    { warmupIterations: 1, iterationTimeMs: 100 },
    machine,
  );
  for (const message of machine.messages) {
    if (message.type !== 'iteration') continue;
    const { aware, score } = message.iteration;
    t.is(score, 40e6);
    near(t, aware!.score, 20e6, 1e-9);
    t.true(aware!.log!.length > 1);
  }
});

test('without the addon the waiting alone tells; with neither, nothing is claimed', async (t) => {
  const delayOnly = await measured(({ away }) => away(4e6), {}, { usage: false });
  for (const { aware } of delayOnly.iterations) near(t, aware!.score, 1000, 1e-9);
  const nothing = await measured(({ away }) => away(4e6), {}, { usage: false, waited: false });
  for (const { aware } of nothing.iterations) t.is(aware, null);
});

test('where chunks hold more than the score counts, nothing is claimed', async (t) => {
  for (const plan of [{ mode: 'sample' }, { mode: 'ss', warmupIterations: 0 }] as const) {
    const { iterations } = await measured(({ away }) => away(4e6), plan);
    for (const { aware } of iterations) t.is(aware, null);
  }
});

test('taken time by cause', (t) => {
  const cases: readonly [Parameters<typeof takenNs>, switchNs: number, stolenNs: number][] = [
    [[5e6, 1, 0, 5e6], 5e6, 0],
    [[5e6, 1, 0, 3e6], 3e6, 2e6],
    [[5e6, 1, 0, null], 5e6, 0],
    [[5e6, 0, 0, null], 0, 5e6],
    [[5e6, 1, 2, 3e6], 3e6, 0],
    [[5e6, 1, 2, null], 0, 0],
    // More waiting than time off the CPU cannot be: the readings lie a little apart.
    [[5e6, 1, 0, 6e6], 5e6, 0],
    [[9000, 0, 0, 0], 0, 0],
    [[-500, 1, 0, 0], 0, 0],
  ];
  for (const [given, switchNs, stolenNs] of cases) t.deepEqual(takenNs(...given), { switchNs, stolenNs }, `${given}`);
});
