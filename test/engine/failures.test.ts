import test from 'ava';
import { fixture, runFork } from './support/run-fork.js';

const file = fixture('engine/fixtures/failing.mjs');
const plan = (suite: string) => ({ file, suite, benchmark: 'b', timeoutMs: 300, warmupIterations: 3, iterations: 3 });

/** Suite, phase, message, how many measured iterations are kept. */
const FAILURES: readonly [suite: string, phase: string, message: RegExp, kept: number][] = [
  ['Setup', 'setup', /setup of suite "Setup" failed: Error: boom/, 0],
  ['Rejects', 'benchmark', /benchmark "b" of suite "Rejects" failed: Error: boom/, 0],
  ['Later', 'benchmark', /benchmark "b" of suite "Later" failed: Error: boom/, 1],
  ['Teardown', 'teardown', /teardown of suite "Teardown" failed: Error: boom/, 3],
  ['Unhandled', 'unhandledRejection', /Unhandled\.b.*nobody handled it: Error: nobody listens/, 0],
  ['Uncaught', 'uncaughtException', /Uncaught\.b.*Error: boom/, 0],
];
for (const [suite, phase, message, kept] of FAILURES) {
  test(`${suite}: failed with phase, sentence and the user's stack, exit code 1`, async (t) => {
    const report = await runFork(plan(suite));
    const [failed] = report.of('failed');
    t.is(failed?.failure.phase, phase);
    t.regex(failed!.failure.message, message);
    t.regex(failed!.failure.stack ?? '', /failing\.mjs/);
    t.is(report.of('failed').length, 1);
    t.is(report.iterations.length, kept);
    t.is(report.of('done').length, 0);
    t.is(report.code, 1);
  });
}

for (const [suite, message] of [
  ['Endless', /benchmark "b" of suite "Endless" did not return within 300 ms: an endless loop/],
  ['EndlessSetup', /setup of suite "EndlessSetup" did not return within 300 ms/],
  ['Never', /benchmark "b" of suite "Never" did not settle within 300 ms/],
] as const) {
  test(`${suite}: is ended by the fork itself`, async (t) => {
    const report = await runFork(plan(suite));
    t.is(report.of('failed')[0]?.failure.phase, 'timeout');
    t.regex(report.of('failed')[0]!.failure.message, message);
    t.is(report.code, 1);
  });
}

test('process.exit in user code: what was measured is out, and there is no done', async (t) => {
  const report = await runFork(plan('Exit'));
  t.is(report.code, 0);
  t.is(report.iterations.length, 1);
  t.is(report.of('done').length + report.of('failed').length, 0);
});

test('process.abort in user code: what was measured is out', async (t) => {
  const report = await runFork(plan('Abort'));
  t.is(report.signal, 'SIGABRT');
  t.is(report.iterations.length, 1);
});

test('messages and prints do not mix, however much is printed', async (t) => {
  const report = await runFork(plan('Prints'));
  t.is(report.of('done').length, 1);
  t.is(report.iterations.length, 3);
  t.is(report.output.trimEnd(), `half a line and more\n${'x'.repeat(300_000)}`);
});

test('a file that cannot be loaded, and a suite or benchmark that is not there', async (t) => {
  const missing = await runFork({ file: fixture('engine/fixtures/none.mjs'), suite: 'S', benchmark: 'b' });
  t.is(missing.of('failed')[0]?.failure.phase, 'load');
  t.regex(missing.of('failed')[0]!.failure.message, /none\.mjs could not be loaded/);
  const suite = await runFork({ ...plan('Nobody') });
  t.regex(suite.of('failed')[0]!.failure.message, /exports no suite "Nobody"/);
  const benchmark = await runFork({ ...plan('Later'), benchmark: 'nobody' });
  t.regex(benchmark.of('failed')[0]!.failure.message, /suite "Later" has no benchmark "nobody"/);
});
