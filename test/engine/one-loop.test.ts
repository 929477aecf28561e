/** One loop serves a fork: what is optimised in warm-up is what is measured. */
import test from 'ava';
import { type FakeMachine, fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';

for (const mode of ['avgt', 'thrpt', 'sample'] as const) {
  for (const [kind, make] of [
    ['a function', (pass: () => void) => pass],
    ['an asynchronous function', (pass: () => void) => async () => pass()],
  ] as const) {
    test(`${mode}, ${kind}: every iteration, warm-up or not, runs the same loop`, async (t) => {
      const loops = new Set<unknown>();
      let [asked, inside] = [0, false];
      const b = make(() => machine.pass(1000));
      const machine: FakeMachine = fakeMachine((fn) => {
        // Outside of iterations others are looked at, as the empty loop that the overhead is taken from.
        if (inside && fn !== b) loops.add(fn);
        if (inside) asked++;
        return { tier: 'turbofan', pending: false };
      });
      const plan = { mode, warmupIterations: 3, iterations: 4 };
      const fixtures = {
        setupIteration: () => void (inside = true),
        teardownIteration: () => void (inside = false),
      };
      const definition = { setup: () => ({}), ...fixtures, benchmarks: { b } };
      const { error } = await runInProcess(() => definition, plan, machine);
      t.is(error, null);
      t.is(machine.messages.filter(({ type }) => type === 'iteration' || type === 'warmup').length, 7);
      t.true(asked >= 7);
      t.is(loops.size, 1);
    });
  }
}
