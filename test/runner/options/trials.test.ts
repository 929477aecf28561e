import test from 'ava';
import type { BenchmarkDescription, DeclaredOptions, SuiteDescription } from '#lib/protocol/messages.js';
import type { OptionSource } from '#lib/result/model.js';
import { silenceLimitMs } from '#lib/runner/fork.js';
import { MAX_FORKS, OptionError, planTrials, type TrialSettings, trialId } from '#lib/runner/options/trials.js';

const settings: TrialSettings = {
  layers: [],
  include: [],
  exclude: [],
  cpus: 6,
  nodeExecutable: 'node',
  keepChunks: false,
  canaries: false,
  linearityCheck: false,
};

const suiteOf = (options: DeclaredOptions, group: Readonly<Record<string, number>> | null): SuiteDescription => ({
  name: 'S',
  options,
  params: {},
  combinations: [{}],
  benchmarks: [{ name: 'b', baseline: false, options: {}, group }],
  fixtures: [],
  counters: {},
});

/** Threads of the only trial and what was said of them. */
function threadsOf(source: OptionSource, threads: DeclaredOptions['threads'], group: Record<string, number> | null) {
  const options = threads === undefined ? {} : { threads };
  const suite = suiteOf(source === 'suite' ? options : {}, group);
  const layers = source === 'suite' ? [] : [{ source, options }];
  const [trial] = planTrials([{ file: '/a.js', label: 'a.js', suites: [suite] }], { ...settings, layers });
  return [trial!.fork.threads, ...trial!.descriptionFindings.map(({ data }) => data)];
}

for (const source of ['suite', 'config', 'environment', 'command line', 'call'] as const) {
  test(`threads from ${source}: a group rounds them up to whole copies and says so`, (t) => {
    const group = { put: 1, take: 3, idle: 0 };
    t.deepEqual(threadsOf(source, 4, group), [4]);
    t.deepEqual(threadsOf(source, 8, group), [8]);
    t.deepEqual(threadsOf(source, 5, group), [8, { asked: 5, threads: 8, copies: 2 }]);
    t.deepEqual(threadsOf(source, 1, group), [4, { asked: 1, threads: 4, copies: 1 }]);
    t.deepEqual(threadsOf(source, 'max', group), [8, { asked: 6, threads: 8, copies: 2 }]);
    t.deepEqual(threadsOf(source, 'half', { a: 1, b: 2 }), [3]);
    t.deepEqual(threadsOf(source, undefined, group), [4]);
    t.deepEqual(threadsOf(source, 5, null), [5]);
  });
}

test('a fork that warms other benchmarks may take longer, and be silent longer', (t) => {
  const suite = suiteOf({ warmupMode: 'bulk' }, null);
  const others = ['c', 'd'].map((name) => ({ name, baseline: false, options: {}, group: null }));
  const plan = (all: typeof suite.benchmarks) =>
    planTrials([{ file: '/a.js', label: 'a.js', suites: [{ ...suite, benchmarks: all }] }], settings)[0]!;
  const [alone, with2] = [plan(suite.benchmarks), plan([...suite.benchmarks, ...others])];
  t.deepEqual([with2.fork.pollute, with2.fork.polluteLast], [[], ['c', 'd']]);
  t.deepEqual(
    with2.descriptionFindings.map(({ id, data }) => [id, data]),
    [['bulk-order', { before: 0, after: 2 }]],
  );
  t.is(with2.forkTimeoutMs - alone.forkTimeoutMs, 2 * 2 * with2.fork.timeoutMs);
  const silence = ({ fork }: typeof alone) => silenceLimitMs(fork as Parameters<typeof silenceLimitMs>[0], false);
  t.true(silence(with2) - silence(alone) >= 2 * 3 * with2.fork.timeoutMs);
});

const plansOf = (suite: SuiteDescription, over: Partial<TrialSettings> = {}, plain?: boolean) =>
  planTrials([{ file: '/a.js', label: 'a.js', suites: [suite], ...(plain === undefined ? {} : { plain }) }], {
    ...settings,
    ...over,
  });
const benchmark = (name: string, over: Partial<BenchmarkDescription> = {}): BenchmarkDescription => ({
  ...{ name, baseline: false, options: {}, group: null },
  ...over,
});
const suiteWith = (
  names: readonly (string | BenchmarkDescription)[],
  options: DeclaredOptions = {},
): SuiteDescription => ({
  ...suiteOf(options, null),
  benchmarks: names.map((name) => (typeof name === 'string' ? benchmark(name) : name)),
});

test('the benchmarks of a run: any of the included that none excludes, in order, over modes and params', (t) => {
  const suite = { ...suiteWith(['one', 'two', 'three']), combinations: [{ n: 1 }, { n: 2 }] };
  const names = (include: readonly RegExp[], exclude: readonly RegExp[] = []) => [
    ...new Set(plansOf(suite, { include, exclude }).map(({ benchmark }) => benchmark)),
  ];
  t.deepEqual(names([]), ['one', 'two', 'three']);
  t.deepEqual(names([/two/, /S\.one$/]), ['one', 'two']);
  t.deepEqual(names([], [/o$/, /one/]), ['three']);
  t.deepEqual(names([/t/], [/two/]), ['three']);
  t.deepEqual(names([/none/]), []);
  const modes = plansOf({ ...suite, options: { mode: ['thrpt', 'ss'] } }, { include: [/one/] });
  t.deepEqual(
    modes.map(({ mode, params, fork }) => [mode, params.n, fork.unit]),
    [
      ['thrpt', 1, 's'],
      ['thrpt', 2, 's'],
      ['ss', 1, 'ns'],
      ['ss', 2, 'ns'],
    ],
  );
  t.is(modes[0]!.id, 'a.js:S.one:thrpt:{"n":1}');
  t.is(trialId('f', 'S', 'b', 'ss', { b: 1, a: 2 }), trialId('f', 'S', 'b', 'ss', { a: 2, b: 1 }));
});

test('the time a fork may take: start and fixtures, warm-up as it is set, four times the iterations', (t) => {
  const limit = (options: DeclaredOptions) =>
    plansOf(suiteWith(['b'], { timeoutMs: 1000, ...options }))[0]!.forkTimeoutMs;
  t.is(limit({}), 30_000 + 2000 + 4 * (1500 + 5 * 100));
  t.is(limit({ warmupIterations: 3, warmupTimeMs: 70 }), 30_000 + 2000 + 4 * (210 + 500));
  t.is(limit({ iterations: 7, iterationTimeMs: 900 }), 30_000 + 2000 + 4 * (1500 + 6300));
});

test('half of the CPUs is at least one, rounded down; more than 1024 threads are refused', (t) => {
  const threads = (asked: DeclaredOptions['threads'], cpus: number) =>
    plansOf(suiteWith(['b'], { threads: asked! }), { cpus })[0]!.fork.threads;
  t.deepEqual([threads('half', 1), threads('half', 2), threads('half', 5), threads('max', 5)], [1, 1, 2, 5]);
  t.is(threads(1024, 1), 1024);
  t.throws(() => threads(1025, 1), { instanceOf: OptionError, message: /1025 threads are more than 1024/ });
});

test('forks of all trials together have a limit, discarded ones included', (t) => {
  const plan = (forks: number, warmupForks: number) => plansOf(suiteWith(['a', 'b'], { forks, warmupForks }));
  t.is(plan(MAX_FORKS / 2 - 1, 1).length, 2);
  t.throws(() => plan(MAX_FORKS / 2, 1), { instanceOf: OptionError, message: /2 trials make 1000002 forks/ });
});

test('options that cannot go together are refused with suite, benchmark and option; each alone is fine', (t) => {
  const plan = (options: DeclaredOptions, over: Partial<SuiteDescription> = {}) =>
    plansOf({ ...suiteWith(['b'], options), ...over }).length;
  const refused = (message: RegExp, options: DeclaredOptions, over: Partial<SuiteDescription> = {}) =>
    t.throws(() => plan(options, over), { instanceOf: OptionError, message });
  const fixtures = { fixtures: ['setup', 'setupInvocation'] as const } as Partial<SuiteDescription>;
  refused(
    /suite "S", benchmark "b", option "batchSize": .* of 2 cannot have setupInvocation,/,
    { mode: ['ss'], batchSize: 2 },
    fixtures,
  );
  t.is(plan({ mode: ['ss'], batchSize: 1 }, fixtures), 1);
  t.is(plan({ mode: ['avgt'], batchSize: 2 }, fixtures), 1);
  t.is(plan({ mode: ['ss'], batchSize: 2 }, { fixtures: ['setup'] }), 1);
  const counters = { seen: 'events', hits: 'operations' } as const;
  for (const mode of ['sample', 'ss'] as const) refused(/counter "hits": .* mode/, { mode: [mode] }, { counters });
  for (const mode of ['avgt', 'thrpt'] as const) t.is(plan({ mode: [mode] }, { counters }), 1);
  t.is(plan({ mode: ['sample'] }, { counters: { seen: 'events' } }), 1);
  refused(/option "inflight"/, { mode: ['ss'], inflight: 2 });
  t.is(plan({ mode: ['ss'], inflight: 1 }), 1);
  t.is(plan({ mode: ['avgt'], inflight: 2 }), 1);
});

test('warmed with others: after the ones before it, or polluted by all; alone where there is no company', (t) => {
  const group = benchmark('g', { group: { a: 1, b: 1 } });
  const plan = (names: readonly (string | BenchmarkDescription)[], options: DeclaredOptions) =>
    plansOf(suiteWith(names, options)).map(({ benchmark: name, method, baseline, fork, descriptionFindings }) => [
      name,
      method,
      baseline,
      fork.pollute.join(),
      fork.polluteLast.join(),
      descriptionFindings.map(({ id }) => id).join(),
    ]);
  const base = benchmark('base', { baseline: true });
  t.deepEqual(plan([base, 'x', 'y', group], { warmupMode: 'bulk' }).slice(0, 3), [
    ['base (bulk)', 'base', true, '', 'x,y', 'bulk-order'],
    ['x (bulk)', 'x', false, 'base', 'y', 'bulk-order'],
    ['y (bulk)', 'y', false, 'base,x', '', ''],
  ]);
  t.deepEqual(plan([base, 'x', group], { warmupMode: 'bulk_indi' }), [
    ['base', undefined, true, '', '', ''],
    ['base (polluted)', 'base', false, 'x', '', ''],
    ['x', undefined, false, '', '', ''],
    ['x (polluted)', 'x', false, 'base', '', ''],
    ['g', undefined, false, '', '', 'not-polluted'],
  ]);
  for (const options of [{ mode: ['ss'] }, { threads: 2 }] as const) {
    t.deepEqual(
      plan(['x', 'y'], { warmupMode: 'bulk_indi', ...options }).map((row) => row[5]),
      ['not-polluted', 'not-polluted'],
    );
  }
  t.deepEqual(plan(['x', group], { warmupMode: 'bulk' })[0]![5], 'not-polluted', 'a group is no company');
  t.deepEqual(plan(['x', 'y'], {}), [
    ['x', undefined, false, '', '', ''],
    ['y', undefined, false, '', '', ''],
  ]);
});

test('what a plan holds only where it is so', (t) => {
  const of = (suite: SuiteDescription, plain?: boolean) => plansOf(suite, {}, plain)[0]!;
  t.false('counters' in of(suiteWith(['b'])));
  t.deepEqual(of({ ...suiteWith(['b']), counters: { n: 'events' } }).counters, { n: 'events' });
  t.deepEqual([of(suiteWith(['b']), true).plain, 'plain' in of(suiteWith(['b']), false)], [true, false]);
});
