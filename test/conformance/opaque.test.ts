/** With `opaque`, every benchmark is called through a site that has seen other functions: V8 can inline none of them into its loop. */
import test from 'ava';
import type { ForkPlan } from '#lib/protocol/messages.js';
import { onEveryNode } from '../engine/support/nodes.js';
import { fixture, runFork } from '../engine/support/run-fork.js';

const INLINED =
  /Inlining \S+ \{\S+ <SharedFunctionInfo tinyBody>\} into \S+ \{\S+ <SharedFunctionInfo (?:loop|lane|shot)>\}/;

const CASES: readonly (readonly [string, Partial<ForkPlan>])[] = [
  ['avgt', { benchmark: 'tiny' }],
  ['thrpt', { benchmark: 'tiny', mode: 'thrpt' }],
  ['sample', { benchmark: 'tiny', mode: 'sample', batchSize: 3 }],
  ['ss', { benchmark: 'tiny', mode: 'ss', batchSize: 200_000, warmupIterations: 0 }],
  ['avgt, awaited', { benchmark: 'tinyAsync' }],
  ['sample, awaited', { benchmark: 'tinyAsync', mode: 'sample' }],
  ['ss, awaited', { benchmark: 'tinyAsync', mode: 'ss', batchSize: 50_000, warmupIterations: 0 }],
  ['avgt, invocation fixtures', { suite: 'Fixtures', benchmark: 'tiny' }],
  ['sample, invocation fixtures', { suite: 'Fixtures', benchmark: 'tiny', mode: 'sample' }],
  ['avgt, invocation fixtures, awaited', { suite: 'Fixtures', benchmark: 'tinyAsync' }],
  ['avgt, two threads', { benchmark: 'tiny', threads: 2 }],
];

onEveryNode(test, (name, node) => {
  for (const [what, plan] of CASES) {
    test.serial(`${name}, ${what}: the benchmark is inlined into its loop, opaque it never is`, async (t) => {
      const inlined = async (opaque: boolean) => {
        const report = await runFork(
          { file: fixture('conformance/fixtures/opaque.mjs'), suite: 'Plain', warmupTimeMs: 60, ...plan, opaque },
          { node, args: ['--trace-turbo-inlining'] },
        );
        t.is(report.code, 0, JSON.stringify(report.of('failed')) + report.stderr);
        t.is(report.iterations.length, 2);
        return INLINED.test(report.output);
      };
      t.true(await inlined(false), 'else this test would show nothing');
      t.false(await inlined(true));
    });
  }
});
