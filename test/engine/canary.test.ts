import test from 'ava';
import { Canary, chainOf } from '#lib/engine/canary.js';
import { fakeMachine } from './support/fake.js';
import { fixture, runFork } from './support/run-fork.js';

test('the chain is one cycle through all elements', (t) => {
  const chain = chainOf(1 << 12);
  let at = 0;
  for (let i = 1; i < chain.length; i++) {
    at = chain[at]!;
    t.not(at, 0);
  }
  t.is(chain[at], 0);
});

test('a canary that takes longer than before is told, and not when it is like before', (t) => {
  const machine = fakeMachine(null, 1000);
  const canary = new Canary(machine.clock);
  t.false(canary.run().slow);
  t.false(canary.run().slow);
  // From here on every read, and so every canary, takes twice as long.
  const { read } = machine.clock;
  Object.assign(machine.clock, {
    read: () => {
      machine.pass(1000);
      read();
    },
  });
  t.true(canary.run().slow);
});

test('iterations carry their canary when asked for, and none otherwise', async (t) => {
  const plan = {
    file: fixture('engine/fixtures/basic.mjs'),
    suite: 'Basic',
    benchmark: 'chain',
    params: { n: 1 },
    iterations: 3,
  };
  const withCanary = await runFork({ ...plan, canaries: true });
  t.is(withCanary.code, 0, JSON.stringify(withCanary.of('failed')));
  for (const { canary } of withCanary.iterations) {
    t.true(canary!.arithmeticNs > 0 && canary!.memoryNs > 0);
  }
  const without = await runFork({ ...plan, canaries: false });
  t.true(without.iterations.every(({ canary }) => canary === null));
});
