import test from 'ava';
import { Canaries, chain } from '#lib/engine/canary.js';
import { fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';
import { fixture, runFork } from './support/run-fork.js';

test('the memory canary walks through every line once before it comes back', (t) => {
  const next = chain(1 << 12, 16);
  const seen = new Set<number>();
  for (let at = 0; !seen.has(at); at = next[at]!) seen.add(at);
  t.is(seen.size, (1 << 12) / 16);
  t.true([...seen].every((at) => at % 16 === 0));
  // Neighbours in order would be found by a prefetcher.
  const near = [...seen].filter((at, i, all) => Math.abs(at - (all[i + 1] ?? 0)) === 16).length;
  t.true(near < seen.size / 20, `${near}`);
});

test('slower than the quickest so far: the iteration is tagged, the score is not touched', async (t) => {
  const machine = fakeMachine();
  let slow = 1;
  const loops = {
    arithmetic: () => (machine.pass(20_000 * slow), 1),
    memory: () => (machine.pass(50_000), 1),
  };
  const canaries = new Canaries(machine.clock, () => loops);
  const quiet = canaries.run();
  t.deepEqual(quiet, { arithmeticNs: 20_000, memoryNs: 50_000 });
  t.false(canaries.strays(quiet));
  slow = 1.09;
  t.false(canaries.strays(canaries.run()));
  slow = 1.2;
  t.true(canaries.strays(canaries.run()));
  t.true(canaries.strays({ arithmeticNs: 20_000, memoryNs: 63_000 }));
  t.false(canaries.strays({ arithmeticNs: 20_000, memoryNs: 62_000 }));
});

test('one run hit by a gap decides nothing: the median of five counts', (t) => {
  const machine = fakeMachine();
  let runs = 0;
  const loops = {
    arithmetic: () => (machine.pass(++runs % 5 === 0 ? 4e6 : 20_000), 1),
    memory: () => (machine.pass(50_000), 1),
  };
  t.is(new Canaries(machine.clock, () => loops).run().arithmeticNs, 20_000);
});

test('every iteration has both canaries when asked for, and none when not', async (t) => {
  for (const canaries of [true, false]) {
    const { machine, error } = await runInProcess((m) => ({ benchmarks: { b: () => (m.pass(1000), 1) } }), {
      canaries,
    });
    t.is(error, null);
    const all = machine.messages.flatMap((m) => (m.type === 'iteration' || m.type === 'warmup' ? [m.iteration] : []));
    t.is(all.length, 4);
    for (const { canary } of all) t.is(canary !== null, canaries);
  }
});

test('in a real fork both take time', async (t) => {
  const report = await runFork({
    file: fixture('engine/fixtures/basic.mjs'),
    suite: 'Basic',
    benchmark: 'chain',
    params: { n: 1 },
    iterations: 3,
    canaries: true,
  });
  t.is(report.code, 0, JSON.stringify(report.of('failed')));
  for (const { canary } of report.iterations) t.true(canary!.arithmeticNs > 0 && canary!.memoryNs > 0);
});
