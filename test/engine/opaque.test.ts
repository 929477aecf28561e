/** The functions that an opaque call site sees before the benchmark leave no trace in what is measured. */
import test from 'ava';
import { runFork } from '#lib/engine/fork.js';
import { pickSuite } from '#lib/engine/load.js';
import type { ForkMessage } from '#lib/protocol/messages.js';
import { fakeMachine, planOf } from './support/fake.js';
import { runInProcess } from './support/in-process.js';

const iterationsOf = (messages: readonly ForkMessage[]) =>
  messages.flatMap((message) => (message.type === 'iteration' ? [message.iteration] : []));

for (const mode of ['avgt', 'sample', 'ss'] as const) {
  for (const kind of ['plain', 'awaited'] as const) {
    test(`${mode}, ${kind}: no fixture, no step through the inputs, no time`, async (t) => {
      const seen: string[] = [];
      const note = (text: string) => {
        if (seen.length < 14) seen.push(text);
      };
      let calls = 0;
      let fixtures = 0;
      const { machine, error } = await runInProcess(
        (m) => ({
          inputs: () => [0, 1, 2, 3, 4, 5, 6],
          setupInvocation: () => {
            fixtures++;
            note('before');
          },
          teardownInvocation: () => note('after'),
          benchmarks: {
            b: (_: unknown, _h: unknown, input: number) => {
              m.pass(1000);
              calls++;
              note(String(input));
              return kind === 'awaited' ? Promise.resolve(1) : 1;
            },
          },
        }),
        { mode, opaque: true, warmupIterations: 0, iterations: 3 },
      );
      t.is(error, null);
      t.is(fixtures, calls, 'the fixture belongs to the benchmark alone');
      const inputs = seen.filter((text) => /\d/.test(text)).map(Number);
      // The first call of a fork, which shows what is returned, is one of the row.
      const expected = mode === 'ss' ? [0, 1, 2] : [0, 1, 2, 3];
      t.deepEqual(inputs.slice(0, expected.length), expected);
      for (const { score, histogram } of iterationsOf(machine.messages)) {
        t.is(score, 1000);
        if (mode === 'sample') t.deepEqual([histogram!.min, histogram!.max], [1000, 1000]);
      }
    });
  }
}

test('a single shot is announced when the other functions have passed, right before the benchmark is called', async (t) => {
  const machine = fakeMachine();
  let reads = 0;
  const { readOrdered } = machine.clock;
  Object.assign(machine.clock, {
    readOrdered: () => {
      reads++;
      readOrdered();
    },
  });
  const seen: [string, number][] = [];
  const b = () => seen.push(['called', reads]);
  await runFork({
    machine,
    plan: planOf({ mode: 'ss', opaque: true, warmupIterations: 0, iterations: 1 }),
    load: async () => pickSuite({ kind: 'suite', name: 'S', definition: { benchmarks: { b } } }),
    sinceSpawnMs: () => {
      seen.push(['announced', reads]);
      return 0;
    },
    onPinned: () => {},
    onReady: () => {},
  });
  t.deepEqual(
    seen.map(([what]) => what),
    ['announced', 'called'],
  );
  t.true(seen[0]![1] > 0, 'the others were timed as well');
  t.is(seen[1]![1] - seen[0]![1], 1, 'one clock read, the start of the shot, lies between');
});
