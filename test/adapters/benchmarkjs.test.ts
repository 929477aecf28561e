/** Benchmark.js itself (2.1.4): its suites on our engine, our clock in its loop. */
import { createRequire } from 'node:module';
import test from 'ava';
import { type LegacyBenchmarkConstructor, suiteOf, suitesFrom, withClock } from '#lib/adapters/benchmarkjs.js';
import { type RunSettings, run } from '#lib/index.js';
import { fixture, scratch } from '../support/cli.js';

interface Test {
  readonly name: string;
  readonly hz: number;
  readonly error?: Error;
  readonly stats: { readonly mean: number };
}
interface LegacySuite extends ArrayLike<Test> {
  add(name: string, fn: unknown, options?: object): this;
  on(event: string, listener: () => void): this;
  run(options?: object): this;
}
type Legacy = LegacyBenchmarkConstructor & {
  new (name: string, fn: unknown, options?: object): Test & { run(): void };
  Suite: { new (name: string): LegacySuite; prototype: object };
  options: Record<string, number>;
};

const require = createRequire(import.meta.url);
const Benchmark = require('benchmark') as Legacy;
const FIXTURE = fixture('adapters/fixtures/legacy.cjs');

const SHORT: RunSettings = {
  forks: 1,
  warmupIterations: 2,
  warmupTime: 30,
  iterations: 2,
  iterationTime: 30,
  canaries: false,
  linearity: false,
  config: false,
  moveHost: false,
};

/** What Benchmark.js says: names from fastest to slowest. */
function theirRanking(suite: LegacySuite): Promise<string[]> {
  Object.assign(Benchmark.options, { maxTime: 0.3, minSamples: 5, initCount: 1 });
  return new Promise((resolve, reject) => {
    suite
      .on('complete', () => {
        const tests = Array.from(suite);
        const broken = tests.find(({ error }) => error);
        if (broken) reject(broken.error);
        resolve(tests.sort((a, b) => a.stats.mean - b.stats.mean).map(({ name }) => name));
      })
      .run({ async: true });
  });
}

test('three kinds of suites rank as in Benchmark.js itself; files that run themselves are only noted', async (t) => {
  const { trials } = await run(fixture('adapters/fixtures/legacy.bench.mjs'), { ...SHORT, cwd: scratch(t) }).result;
  t.deepEqual(
    trials.filter(({ status }) => status !== 'ok').map(({ failure }) => failure),
    [],
  );
  const ours = (name: string) =>
    trials
      .filter(({ suite }) => suite === name)
      .sort((a, b) => a.score!.value - b.score!.value)
      .map(({ benchmark }) => benchmark);

  let loaded: { suites: Record<string, LegacySuite> } | undefined;
  await suitesFrom(Benchmark, () => {
    loaded = require(FIXTURE);
  });
  for (const [name, suite] of Object.entries(loaded!.suites)) {
    const theirs = await theirRanking(suite);
    t.deepEqual(ours(name), theirs, name);
    t.true(theirs.length >= 2);
  }
});

test('names are unique, options are handed on, only the test that is measured is prepared', async (t) => {
  const prepared: string[] = [];
  const legacy = new Benchmark.Suite('Twice')
    .add('same', () => prepared.push('first'))
    .add('same', 'throw new Error("never")');
  const { name, definition } = suiteOf(legacy, { forks: 4 });
  t.is(name, 'Twice');
  t.is(definition.forks, 4);
  t.deepEqual(Object.keys(definition.benchmarks), ['same', 'same (2)']);
  const first = definition.benchmarks.same as () => unknown;
  await definition.setup!({}, undefined);
  await definition.setupIteration!({}, {});
  first();
  t.deepEqual(prepared, ['first']);
});

/** Setup, one invocation and teardown of a single test. */
async function once(fn: unknown, options: object = {}): Promise<unknown> {
  const suite = suiteOf(new Benchmark.Suite('One').add('one', fn, options));
  const run = suite.definition.benchmarks.one as () => unknown;
  await suite.definition.setup!({}, undefined);
  await suite.definition.setupIteration!({}, {});
  const result = await run();
  await suite.definition.teardownIteration!({}, {});
  return result;
}

test('setup and test share variables, functions as well as text; `this` is the test; text may return early', async (t) => {
  t.is(await once('return x + 1', { setup: 'var x = 1' }), 2);
  t.is(await once('return this.name'), 'one');
  const shared: { last?: number } = ((globalThis as Record<string, unknown>).sharedByTest = {});
  t.teardown(() => delete (globalThis as Record<string, unknown>).sharedByTest);
  await once('count++', { setup: 'var count = 40', teardown: 'count++; sharedByTest.last = count' });
  t.is(shared.last, 42);
});

test('a test with a setup that lives in a closure falls back to calling both, as in Benchmark.js', async (t) => {
  const around = { value: 0 };
  const setup = () => {
    around.value = 41;
  };
  t.is(await once(() => ++around.value, { setup, teardown: () => around }), 42);
});

test('text that does not run says which test and why', async (t) => {
  await t.throwsAsync(once('nowhere.length'), {
    message: 'the test "one" does not run: ReferenceError: nowhere is not defined',
  });
  await t.throwsAsync(once('syntax ('), { message: /^the test "one" does not run: SyntaxError/ });
});

test('a deferred test is a promise, as function and as text', async (t) => {
  let calls = 0;
  const deferred = (d: { resolve(): void }) => {
    calls++;
    setTimeout(() => d.resolve(), 1);
  };
  await once(deferred, { defer: true });
  await once('setTimeout(function () { deferred.resolve() }, 1)', { defer: true });
  t.is(calls, 1);
});

test('what is no suite is refused', async (t) => {
  t.throws(() => suiteOf([]), { instanceOf: TypeError });
  t.throws(() => suiteOf(new Benchmark.Suite('Empty')), { message: /has no tests/ });
  await t.throwsAsync(
    suitesFrom(Benchmark, () => {}),
    { message: /nothing called run\(\)/ },
  );
  for (const wrong of [undefined, {}, { Benchmark }] as never[]) {
    await t.throwsAsync(
      suitesFrom(wrong, () => {}),
      { message: /^suitesFrom: expected Benchmark, the default export of "benchmark"/ },
    );
    t.throws(() => withClock(wrong), { message: /^withClock: expected Benchmark/ });
  }
  await t.throwsAsync(suitesFrom(Benchmark, './legacy.cjs' as never), {
    message: /^suitesFrom: expected a function that imports the files, not "\.\/legacy\.cjs"/,
  });
  t.is((Benchmark.Suite.prototype as { run: { name: string } }).run.name, 'runSuite', 'run is put back');
});

test('Benchmark.js measures with our clock, and gets the same order', (t) => {
  const spin = (n: number) => () => {
    let x = n;
    for (let i = 0; i < n; i++) x = (x * 31 + i) | 0;
    return x;
  };
  const Ours = withClock(Benchmark);
  t.not(Ours, Benchmark);
  Object.assign(Ours.options, { maxTime: 0.2, minSamples: 5, initCount: 1 });
  const time = (n: number) => {
    const bench = new Ours('spin', spin(n));
    bench.run();
    t.falsy(bench.error);
    return bench.stats.mean;
  };
  const [short, long] = [time(100), time(10_000)];
  t.true(long > 10 * short, `100 times the work: ${short} s and ${long} s`);
  // Its own rule: half the resolution over 1 %, at least 50 ms. Ours is fine enough for the least.
  t.is(Ours.options.minTime, 0.05);
});
