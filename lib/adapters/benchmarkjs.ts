/**
 * tscope/adapters/benchmarkjs: Benchmark.js (2.1.4) suites on this engine in forks, and this clock in Benchmark.js.
 *
 * What is kept of a benchmark: its function or source text, `defer`, `setup` and `teardown` (functions or source text, compiled together
 * with the test as Benchmark.js does, and run around each timed iteration). What is not: events, and options that steer Benchmark.js's own
 * sampling (minTime, maxTime, minSamples, initCount, async, delay).
 */
import { hotClock } from '../clock/index.js';
import { show } from '../suite/show.js';
import type { RunOptions, Suite } from '../suite/types.js';
import { type Body, bodyOf, type LegacyBenchmark } from './benchmarkjs/body.js';

/** A `Benchmark.Suite`, as far as it is read here. */
export interface LegacySuite extends ArrayLike<LegacyBenchmark> {
  readonly name?: string;
}

/** The `Benchmark` constructor, as far as it is used here. */
export interface LegacyBenchmarkConstructor {
  readonly prototype: object;
  readonly Suite: { readonly prototype: object };
  runInContext(context: object): unknown;
}

/** @throws TypeError naming who was called with something else than Benchmark.js. */
function checkBenchmark(Benchmark: LegacyBenchmarkConstructor, who: string): void {
  const given = Benchmark as Partial<LegacyBenchmarkConstructor> | null | undefined;
  if (typeof given?.runInContext === 'function' && typeof given.Suite === 'function') return;
  throw new TypeError(`${who}: expected Benchmark, the default export of "benchmark", not ${show(Benchmark)}`);
}

const isSuite = (value: unknown): value is LegacySuite =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as LegacySuite).length === 'number' &&
  'running' in value;

/** Names in results: unique, and never empty. */
function named(suite: LegacySuite): Map<string, LegacyBenchmark> {
  const found = new Map<string, LegacyBenchmark>();
  for (const benchmark of Array.from(suite)) {
    const name = benchmark.name?.trim() || `test ${found.size + 1}`;
    let unique = name;
    for (let i = 2; found.has(unique); i++) unique = `${name} (${i})`;
    found.set(unique, benchmark);
  }
  return found;
}

/**
 * A Benchmark.js suite as one of ours: `export default suiteOf(legacy)` in a `*.bench.mjs` file.
 *
 * @param options Options of the suite, for example `{ forks: 5 }`.
 * @throws TypeError when `legacy` is not a suite, or has no tests.
 */
export function suiteOf(legacy: unknown, options: RunOptions & { readonly name?: string } = {}): Suite {
  if (!isSuite(legacy)) throw new TypeError('suiteOf: expected a Benchmark.Suite');
  const tests = named(legacy);
  if (tests.size === 0) throw new TypeError(`suiteOf: the suite "${legacy.name ?? ''}" has no tests`);
  const { name = legacy.name?.trim() || 'Benchmark.js', ...rest } = options;
  // Fixtures belong to a suite here and to a test there. A fork asks for the one test it measures, so only that one is prepared.
  const chosen = new Map<string, Body>();
  const benchmarks: Record<string, (state: unknown) => unknown> = {};
  for (const [title, test] of tests) {
    Object.defineProperty(benchmarks, title, {
      enumerable: true,
      get() {
        const body = chosen.get(title) ?? bodyOf(test, title);
        chosen.set(title, body);
        return body.run;
      },
    });
  }
  const each = (action: (body: Body) => void) => () => {
    for (const body of chosen.values()) action(body);
  };
  return {
    kind: 'suite',
    name,
    definition: {
      ...rest,
      setup: () => {
        for (const body of chosen.values()) body.prepare();
        return {};
      },
      setupIteration: each((body) => body.setup()),
      teardownIteration: each((body) => body.teardown()),
      benchmarks,
    },
  };
}

/**
 * Suites of files that call `suite.run()` themselves: loads them while `run` only takes note.
 *
 * ```js
 * export default await suitesFrom(Benchmark, () => import('./legacy.js'));
 * ```
 *
 * @param Benchmark The constructor that the files use.
 * @throws TypeError when no suite was run meanwhile.
 */
export async function suitesFrom(
  Benchmark: LegacyBenchmarkConstructor,
  load: () => unknown,
  options: RunOptions = {},
): Promise<Suite[]> {
  checkBenchmark(Benchmark, 'suitesFrom');
  if (typeof load !== 'function')
    throw new TypeError(`suitesFrom: expected a function that imports the files, not ${show(load)}`);
  const found = new Set<LegacySuite>();
  const prototype = Benchmark.Suite.prototype as { run?: unknown };
  const { run } = prototype;
  prototype.run = function (this: LegacySuite) {
    found.add(this);
    return this;
  };
  try {
    await load();
  } finally {
    prototype.run = run;
  }
  if (found.size === 0) {
    throw new TypeError(
      'suitesFrom: nothing called run() of a suite; is it the Benchmark that the files use? Otherwise export the suite and use suiteOf()',
    );
  }
  const names = new Map<string, number>();
  return [...found].map((suite) => {
    const base = suite.name?.trim() || 'Benchmark.js';
    const count = (names.get(base) ?? 0) + 1;
    names.set(base, count);
    return suiteOf(suite, { ...options, name: count === 1 ? base : `${base} (${count})` });
  });
}

/**
 * Benchmark.js with our clock: a new constructor, as `Benchmark.runInContext` makes it.
 *
 * Benchmark.js asks for a stopwatch in microseconds in Chrome's form (`start`, `microseconds`); ours answers with fractions. It is chosen by
 * Benchmark.js's own rule, the finest resolution it measures; `process.hrtime` is kept out of its sight so that a noisy moment cannot
 * change the choice.
 * @throws TypeError when `Benchmark` is not the default export of "benchmark".
 */
export function withClock<B extends LegacyBenchmarkConstructor>(Benchmark: B): B {
  checkBenchmark(Benchmark, 'withClock');
  const { read, slot, nsPerTick } = hotClock();
  const usPerTick = nsPerTick / 1000;
  class Interval {
    #start = 0;
    start(): void {
      read();
      this.#start = slot[0]!;
    }
    stop(): void {}
    microseconds(): number {
      read();
      return (slot[0]! - this.#start) * usPerTick;
    }
  }
  const { version, versions, platform, arch } = process;
  const context = { chrome: { Interval }, process: { version, versions, platform, arch, argv: [], env: {} } };
  return Benchmark.runInContext(context) as B;
}
