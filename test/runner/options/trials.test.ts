import test from 'ava';
import type { DeclaredOptions, SuiteDescription } from '#lib/protocol/messages.js';
import type { OptionSource } from '#lib/result/model.js';
import { silenceLimitMs } from '#lib/runner/fork.js';
import { planTrials, type TrialSettings } from '#lib/runner/options/trials.js';

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
