/** An iteration says when the code that it measured changed under it. */
import test from 'ava';
import type { Iteration, Tier } from '#lib/result/model.js';
import { fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';
import { onEveryNode } from './support/nodes.js';
import { fixture, runFork } from './support/run-fork.js';

/** Runs measured iterations in each of which the tiers of the body follow one of `lives`, a step every 1000 invocations of 1 us. */
async function measured(lives: readonly (readonly Tier[])[]): Promise<Iteration[]> {
  let iteration = -1;
  let calls = 0;
  const b = () => {
    calls++;
    machine.pass(1000);
  };
  const machine = fakeMachine((of) => {
    const life = lives[iteration] ?? [];
    const at = Math.min(Math.floor(calls / 1000), life.length - 1);
    return { tier: of === b ? (life[at] ?? 'turbofan') : 'turbofan', pending: false };
  });
  const setupIteration = () => {
    iteration++;
    calls = 0;
  };
  const { error } = await runInProcess(
    () => ({ setup: () => ({}), setupIteration, benchmarks: { b } }),
    { warmupIterations: 0, iterations: lives.length, iterationTimeMs: 5 },
    machine,
  );
  if (error) throw new Error(error.message);
  return machine.messages.flatMap((message) => (message.type === 'iteration' ? [message.iteration] : []));
}

test('compiled, deopt, both or neither: the tags, the count of deoptimisations and the tier at the end', async (t) => {
  const seen = await measured([
    ['turbofan'],
    ['maglev', 'turbofan'],
    ['turbofan', 'baseline'],
    ['turbofan', 'interpreter', 'maglev', 'turbofan'],
    ['turbofan'],
  ]);
  t.deepEqual(
    seen.map(({ tags }) => tags),
    [[], ['compiled'], ['deopt'], ['compiled', 'deopt'], []],
  );
  t.deepEqual(
    seen.map(({ tier }) => [tier!.changed, tier!.deopts]),
    [
      [false, 0],
      [true, 0],
      [true, 1],
      [true, 1],
      [false, 0],
    ],
  );
});

test('a VM that does not tell tiers gives no tag and no tier', async (t) => {
  const { machine } = await runInProcess((machine) => ({
    setup: () => ({}),
    benchmarks: { b: () => machine.pass(1000) },
  }));
  const iterations = machine.messages.flatMap((message) => (message.type === 'iteration' ? [message.iteration] : []));
  t.true(iterations.length > 0);
  for (const { tags, tier } of iterations) t.deepEqual([tags, tier], [[], null]);
});

onEveryNode(test, (name, node) => {
  test.serial(`${name}: an input that changes its type half-way is a deopt in that iteration`, async (t) => {
    const report = await runFork(
      {
        file: fixture('engine/fixtures/halfway.mjs'),
        suite: 'Halfway',
        benchmark: 'count',
        // Four to warm up, one before the change, the one with it, one after.
        params: { changesIn: 6 },
        warmupIterations: 4,
        warmupTimeMs: 150,
        iterations: 3,
        iterationTimeMs: 150,
      },
      { node },
    );
    t.is(report.code, 0, report.stderr);
    const [before, during] = report.iterations;
    t.false(before!.tags.includes('deopt'), before!.tags.join());
    t.true(during!.tags.includes('deopt'), during!.tags.join());
    t.true(during!.tier!.changed);
    t.true((during!.tier!.deopts ?? 0) >= 1);
  });
});
