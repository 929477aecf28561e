import test from 'ava';
import { fixture, runFork } from '../engine/support/run-fork.js';

const file = fixture('engine/fixtures/basic.mjs');
const plan = { file, suite: 'Basic', params: { n: 1 }, warmupIterations: null, iterations: 3 };
const least = (values: readonly number[]) => Math.min(...values);

test.serial('opaque: an empty op costs a call, and the work of a real one stays', async (t) => {
  const cost = async (benchmark: string, opaque: boolean) => {
    const report = await runFork({ ...plan, benchmark, opaque });
    t.is(report.code, 0, JSON.stringify(report.of('failed')));
    return least(report.iterations.map(({ chunks }) => chunks!.medianNs));
  };
  const plain = await cost('identity', false);
  const opaque = await cost('identity', true);
  t.true(opaque > 1.5 * plain, `${opaque} against ${plain} ns`);
  const chain = await cost('chain', true);
  t.true(chain > opaque + 1, `${chain} against ${opaque} ns`);
});

test.serial(
  'the black hole is timed after everything else where the plan asks for it, and consumeCPU is linear in tokens',
  async (t) => {
    const scores: number[] = [];
    for (const tokens of [1000, 4000]) {
      const report = await runFork({ ...plan, benchmark: 'burn', params: { n: tokens }, blackholeCost: true });
      const { cost } = report.of('blackhole')[0]!;
      t.true(cost.tokenNs > 0 && cost.consumeNumberNs >= 0 && cost.consumeObjectNs >= 0);
      t.deepEqual(
        report.messages.slice(-2).map(({ type }) => type),
        ['blackhole', 'done'],
      );
      scores.push(least(report.iterations.map(({ chunks }) => chunks!.medianNs)));
    }
    const ratio = scores[1]! / scores[0]!;
    t.true(ratio > 3.4 && ratio < 4.6, `${scores} ns`);
    const without = await runFork({ ...plan, benchmark: 'chain', iterations: 1 });
    t.deepEqual(without.of('blackhole'), []);
  },
);
