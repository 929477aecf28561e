/** expectFaster(): real forks, functions by text and by module. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { faster } from '#lib/adapters/ava.js';
import { type ExpectFasterSettings, expectFaster, UsageError } from '#lib/index.js';
import { fixture, scratch } from '../support/cli.js';

const ARMS = fixture('api/fixtures/arms.ts');
const SHORT: ExpectFasterSettings = {
  forks: 6,
  warmupIterations: 1,
  warmupTime: 20,
  iterations: 2,
  iterationTime: 20,
  canaries: false,
  config: false,
  moveHost: false,
  delta: 0.1,
};
const setup = () => Array.from({ length: 2000 }, (_, i) => i);

test('functions by their text: a hundredth of the work is faster, and no run is left behind', async (t) => {
  const cwd = scratch(t);
  const answer = await expectFaster(
    (list: number[]) => list.slice(0, 20).reduce((a, b) => a + b, 0),
    (list: number[]) => list.reduce((a, b) => a + b, 0),
    { ...SHORT, setup, cwd },
  );
  t.is(answer.verdict, 'improved', answer.explanation);
  t.true(answer.ratio! < 0.5);
  t.is(answer.candidate!.n, 6);
  t.deepEqual(readdirSync(join(cwd, '.tscope/runs')), []);
});

test('functions by module and export use what is around them; the slower one is never faster', async (t) => {
  const answer = await expectFaster(
    { module: pathToFileURL(ARMS) },
    { module: ARMS, export: 'short' },
    { ...SHORT, setup, cwd: scratch(t) },
  );
  t.is(answer.verdict, 'regressed', answer.explanation);
  t.regex(answer.explanation, /^Slower: the candidate takes [\d.]+ times as long/);
});

test('the same function on both sides is never faster', async (t) => {
  const same = (list: number[]) => list.reduce((a, b) => a + b, 0);
  const { faster: yes, explanation } = await expectFaster(same, same, {
    ...SHORT,
    // One false alarm in 20,000 runs of this test.
    confidence: 0.9999,
    setup,
    cwd: scratch(t),
  });
  t.false(yes, explanation);
});

test('a captured variable, a missing module and wrong arguments: one sentence each', async (t) => {
  const outside = setup();
  const refused = async (candidate: unknown, settings: object, type: unknown, message: RegExp) => {
    const error = await t.throwsAsync(
      expectFaster(candidate as () => 1, () => 1, { ...SHORT, forks: 1, cwd: scratch(t), ...settings }),
    );
    t.true(error instanceof (type as typeof Error), String(error));
    t.regex(error.message, message);
  };
  await refused(
    () => outside.length,
    {},
    Error,
    /the candidate failed: .*outside is not defined \(the function is rebuilt/,
  );
  await refused(() => 1, { score: 'best' }, TypeError, /^expectFaster: score must be one of plain, aware, got best$/);
  await refused(() => 1, { keepEnv: ['NODE_OPTIONS'] }, TypeError, /NODE_OPTIONS is never passed on/);
  await refused({ module: 'nowhere.js' }, {}, UsageError, /^expectFaster, the candidate: nowhere\.js: no such file\.$/);
  await refused({ module: ARMS, export: 'long' }, {}, UsageError, /exports no function "long"/);
  await refused(3, {}, TypeError, /must be a function or \{ module, export \}, not 3/);
  await refused(Math.max, {}, UsageError, /the candidate is built in or bound/);
  await refused(() => 1, { delta: 1 }, RangeError, /delta must lie strictly between 0 and 1/);
  await refused(() => 1, { mode: 'thrpt' }, TypeError, /"mode" cannot be set/);
});

test(
  'the macro in ava itself',
  faster,
  (list: number[]) => list.slice(0, 20).reduce((a, b) => a + b, 0),
  (list: number[]) => list.reduce((a, b) => a + b, 0),
  { ...SHORT, setup },
);

test('the macro fails with the explanation, and names the test', async (t) => {
  const said: string[] = [];
  const context = {
    pass: () => said.push('pass'),
    fail: (message?: string) => said.push(`fail ${message}`),
    log() {},
    timeout() {},
  };
  await faster.exec(context, { module: ARMS }, { module: ARMS, export: 'short' }, { ...SHORT, setup, cwd: scratch(t) });
  t.is(said.length, 1);
  t.regex(said[0]!, /^fail Slower: /);
  t.is(
    faster.title(undefined, function quick() {}, { module: ARMS, export: 'short' }),
    'quick is faster than short',
  );
});
