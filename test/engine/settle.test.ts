import test from 'ava';
import { engineClock } from '#lib/engine/machine.js';
import type { EngineClock } from '#lib/engine/types.js';
import { fakeMachine } from './support/fake.js';
import { runInProcess } from './support/in-process.js';
import { onEveryNode } from './support/nodes.js';
import { fixture, runFork } from './support/run-fork.js';

/** A machine whose clock notes when it is settled, and refuses to tell ns before. */
function unsettled(events: string[]) {
  const machine = fakeMachine();
  const { clock } = machine;
  let settled = false;
  const settle = () => {
    if (!settled) events.push('settled');
    settled = true;
  };
  const told = <T>(what: string, value: T): T => {
    if (!settled) events.push(`${what} before it was settled`);
    return value;
  };
  const watched: EngineClock = {
    ...clock,
    settle,
    get nsPerTick() {
      return told('nsPerTick', clock.nsPerTick);
    },
    get info() {
      return told('info', clock.info);
    },
    anchor: () => told('anchor', clock.anchor()),
    early: () => clock.info,
  };
  return { ...machine, clock: watched };
}

for (const [mode, order] of [
  ['avgt', ['setup', 'invoked', 'settled']],
  ['thrpt', ['setup', 'invoked', 'settled']],
  ['sample', ['setup', 'invoked', 'settled']],
  ['ss', ['setup', 'settled', 'invoked']],
] as const) {
  test(`${mode}: ${order.join(', ')}`, async (t) => {
    const events: string[] = [];
    const machine = unsettled(events);
    const { error } = await runInProcess(
      () => ({
        setup: () => {
          events.push('setup');
        },
        benchmarks: {
          b: () => {
            if (!events.includes('invoked')) events.push('invoked');
            machine.pass(1e6);
          },
        },
      }),
      { mode, warmupIterations: 0, iterations: 1, canaries: true },
      machine,
    );
    t.is(error, null);
    t.deepEqual(events, [...order]);
  });
}

test('an engine clock that is asked for ns too early settles by itself', (t) => {
  const clock = engineClock();
  const { nsPerTick } = clock;
  t.true(nsPerTick > 0);
  clock.settle();
  t.is(clock.nsPerTick, nsPerTick);
  t.is(clock.early(), clock.info);
});

onEveryNode(test, (name, node) => {
  test(`${name}: a fork tells its clock early with a wide bound, and fitted when it is ready`, async (t) => {
    const report = await runFork(
      {
        file: fixture('engine/fixtures/basic.mjs'),
        suite: 'Basic',
        benchmark: 'chain',
        params: { n: 1 },
        warmupIterations: 1,
        iterations: 1,
      },
      { node },
    );
    t.is(report.code, 0, report.stderr);
    const order = report.messages.map(({ type }) => type);
    const told = report.of('runtime').map(({ runtime }) => runtime.clock);
    t.true(order.indexOf('runtime') < order.indexOf('loaded'));
    t.true(order.lastIndexOf('runtime') > order.indexOf('ready'));
    const last = told.at(-1)!;
    t.deepEqual(report.of('done')[0]!.clock, last);
    if (last.hzPpm === null) return;
    t.not(told[0]!.hz, last.hz);
    t.true(Math.abs(told[0]!.hz / last.hz - 1) * 1e6 <= told[0]!.hzPpm! + 3 * last.hzPpm + 1);
  });
});
