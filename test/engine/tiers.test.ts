import test from 'ava';
import { TierWatch } from '#lib/engine/tier-watch.js';
import { decodeStatus, layoutOf, tierProbe } from '#lib/engine/tiers.js';
import type { TierState } from '#lib/engine/types.js';
import { type FakeMachine, fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';

test('statuses seen on V8 11.3 to 13.6', (t) => {
  t.is(layoutOf(0b10000001), 0);
  t.deepEqual(decodeStatus(0b1010001, 0), { tier: 'turbofan', pending: false });
  t.deepEqual(decodeStatus(0b110001, 0), { tier: 'maglev', pending: false });
  t.deepEqual(decodeStatus(0b1000010000000001, 0), { tier: 'baseline', pending: true });
  t.deepEqual(decodeStatus(0b10000001, 0), { tier: 'interpreter', pending: false });
});

test('statuses seen on V8 14.6', (t) => {
  t.is(layoutOf(0b1000001), 1);
  t.deepEqual(decodeStatus(0b101001, 1), { tier: 'turbofan', pending: false });
  t.deepEqual(decodeStatus(0b1000011001, 1), { tier: 'maglev', pending: true });
  t.deepEqual(decodeStatus(0b100000100000001, 1), { tier: 'baseline', pending: true });
});

test('a status that fits no layout claims nothing', (t) => {
  t.is(layoutOf(0), null);
  t.is(layoutOf(1), null);
  t.is(layoutOf(0b1010001), null);
});

test('the probe of this Node sees a function become optimised, and leaves natives syntax off', (t) => {
  const probe = tierProbe();
  t.is(probe.why, null);
  const hot = new Function('x', 'return x * 2 + 1') as (x: number) => number;
  hot(1);
  const before = probe.of!(hot).tier;
  t.true(before === 'interpreter' || before === 'baseline', before);
  const loop = new Function('f', 'n', 'let s = 0; for (let i = 0; i < n; i++) s += f(i); return s') as (
    f: unknown,
    n: number,
  ) => number;
  for (let i = 0; i < 3000 && probe.of!(loop).tier !== 'turbofan'; i++) loop(hot, 20_000);
  t.is(probe.of!(loop).tier, 'turbofan');
  t.throws(() => new Function('return %GetOptimizationStatus(0)'), { instanceOf: SyntaxError });
});

test('rises and falls are counted between begin and end', (t) => {
  const answers: TierState['tier'][] = ['baseline', 'turbofan', 'baseline', 'turbofan'];
  let k = 0;
  const loop = {};
  const watch = new TierWatch(
    { of: (fn) => ({ tier: fn === loop ? 'turbofan' : answers[k]!, pending: false }), why: null },
    loop,
    {},
  );
  watch.begin();
  for (k = 1; k < 4; k++) watch.look();
  t.deepEqual([watch.rises, watch.falls], [2, 1]);
  t.deepEqual(watch.info(), { loop: 'turbofan', body: 'turbofan', changed: true, deopts: 1 });
});

test('an asynchronous benchmark is warm when the function that awaits it is optimised, however steady it was before', async (t) => {
  let asked = 0;
  const b = async () => {
    machine.pass(1000);
  };
  // The benchmark itself stays low, as it does when it is inlined into what awaits it.
  const machine: FakeMachine = fakeMachine((of) => ({
    tier: of !== b && ++asked > 12 ? 'turbofan' : 'maglev',
    pending: false,
  }));
  const definition = () => ({ setup: () => ({}), benchmarks: { b } });
  const { error } = await runInProcess(definition, { benchmark: 'b', warmupIterations: null, warmupMinMs: 1 }, machine);
  t.is(error, null);
  const tiers = machine.messages.flatMap((message) =>
    message.type === 'warmup' ? [message.iteration.tier!.loop] : [],
  );
  t.true(tiers.length > 3, 'three windows of equal speed came first');
  t.is(tiers.at(-1), 'turbofan');
  const warm = machine.messages.find((message) => message.type === 'warm');
  t.is(warm?.type === 'warm' ? warm.end : null, 'steady');
});
