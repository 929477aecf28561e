/** Comparisons by hand: what is read from the files of others, which rows make a build fail, how many forks are asked for. */
import test from 'ava';
import { bucketMean, bucketQuantile, mergeBuckets } from '#lib/analysis/compare/buckets.js';
import { forksToDecide } from '#lib/analysis/compare/estimate.js';
import {
  armOf,
  type ComparedRun,
  type Comparison,
  comparedJmh,
  comparedNodeBench,
  compareRuns,
  compareWithin,
  gate,
  unlike,
} from '#lib/analysis/compare/index.js';
import { pairsOf } from '#lib/analysis/compare/pairing.js';
import type { JmhRecord } from '#lib/result/jmh.js';
import type { Trial } from '#lib/result/model.js';
import type { NodeBenchRecord } from '#lib/result/node-bench.js';
import { tQuantile } from '#lib/stats/index.js';
import { around, runOf, trialOf } from '../../support/compare.js';

const near = (a: number | null | undefined, b: number) => Math.abs(a! / b - 1) < 1e-12;

const record = (over: Partial<JmhRecord> = {}): JmhRecord => ({
  benchmark: 'org.Hash.mix',
  mode: 'avgt',
  params: {},
  threads: 1,
  forks: 3,
  facts: {},
  options: {},
  unit: 'ns/op',
  rawData: [[1], [2], [3]],
  rawDataHistogram: null,
  secondary: {},
  ...over,
});
const jmh = (over: Partial<JmhRecord> = {}, name = 'x.json') => comparedJmh([record(over)], name);

test('JMH: the direction of a secondary metric is that of its unit; sampled percentiles are not there twice', (t) => {
  const rawData = [[1, 3], [2, null], []];
  const secondary = {
    'p0.50': { unit: 'ns/op', rawData },
    put: { unit: 'ops/s', rawData },
    wait: { unit: 'us/op', rawData },
    alloc: { unit: 'MB/sec', rawData },
  };
  const [arm] = jmh({ secondary }).arms;
  t.deepEqual(
    arm!.secondary.map(({ name, better, counts }) => [name, better, counts]),
    [
      ['p0.50', 'lower', false],
      ['put', 'higher', false],
      ['wait', 'lower', false],
      ['alloc', null, true],
    ],
  );
  // A fork of which half is missing has no value.
  t.deepEqual(
    arm!.forks.map(({ secondary: { put } }) => put),
    [2, null, null],
  );
  const sampled = jmh({ mode: 'sample', secondary, rawData: null, rawDataHistogram: [[[[5, 2]]], [[]], [[[7, 1]]]] });
  t.deepEqual(
    sampled.arms[0]!.secondary.map(({ name }) => name),
    ['put', 'wait', 'alloc'],
  );
  t.deepEqual([sampled.arms[0]!.forks.map(({ value }) => value), sampled.arms[0]!.failed], [[5, 7], 1]);
});

test('JMH: direction, forks planned and forks that are no measurement', (t) => {
  t.is(jmh({ unit: 'ops/s' }).arms[0]!.better, 'higher');
  t.is(jmh({ mode: 'thrpt', unit: 'ops/fortnight' }).arms[0]!.better, 'higher');
  t.is(jmh({ mode: 'avgt', unit: 's/op' }).arms[0]!.better, 'lower');
  t.is(jmh({ forks: 5 }).arms[0]!.planned, 5);
  t.is(jmh({ forks: 0 }).arms[0]!.planned, 3);
  const [arm] = jmh({ rawData: [[1, 2], [], [3, null], [5]] }).arms;
  t.deepEqual(
    [arm!.forks.map(({ fork, value }) => [fork, value]), arm!.failed],
    [
      [
        [0, 1.5],
        [3, 5],
      ],
      2,
    ],
  ); // prettier-ignore
  t.is(arm!.suite, 'org.Hash');
  t.is(jmh({ benchmark: 'mix' }).arms[0]!.suite, '');
  t.is(jmh({ params: { b: '1', a: '2' } }).arms[0]!.key, jmh({ params: { a: '2', b: '1' } }).arms[0]!.key);
});

test('JMH: other virtual machines, versions, arguments and options are no like runs', (t) => {
  const facts = { jmhVersion: '1.37', vmName: 'OpenJDK', vmVersion: '21', jvmArgs: '' };
  const options = { warmupIterations: 3 };
  const what = (over: Partial<JmhRecord>) =>
    unlike(jmh({ facts, options }), jmh({ facts, options, ...over })).map((d) => [d.what, d.baseline, d.candidate]);
  t.deepEqual(what({}), []);
  t.deepEqual(what({ facts: { ...facts, jmhVersion: '1.36' } }), [['JMH', '1.37', '1.36']]);
  t.deepEqual(what({ facts: { ...facts, vmName: 'Graal' } }), [['virtual machine', 'OpenJDK', 'Graal']]);
  t.deepEqual(what({ facts: { ...facts, vmVersion: '17' } }), [['version of the virtual machine', '21', '17']]);
  t.deepEqual(what({ facts: { ...facts, jvmArgs: '-Xint' } }), [['arguments of the virtual machine', 'none', '-Xint']]);
  t.deepEqual(
    what({ options: { warmupIterations: 5 } }).map(([name]) => name),
    ['option warmupIterations'],
  );
  const two = [record({ facts: { vmVersion: '9' } }), record({ benchmark: 'g', facts: { vmVersion: '21' } })];
  t.is(comparedJmh(two, 'x').facts.get('version of the virtual machine'), '21 and 9');
});

test('a file of others on either side is told', (t) => {
  const ours = runOf([trialOf(around(1))]);
  const theirs: ComparedRun = { ...jmh(), arms: [] };
  const bench: ComparedRun = { ...theirs, harness: 'node:bench' };
  const ids = (a: ComparedRun, b: ComparedRun) =>
    compareRuns(a, b)
      .notes.map(({ id }) => id)
      .filter((id) => id.endsWith('-forks')); // prettier-ignore
  t.deepEqual(
    [ids(ours, theirs), ids(theirs, ours), ids(theirs, theirs)],
    [['jmh-forks'], ['jmh-forks'], ['jmh-forks']],
  ); // prettier-ignore
  t.deepEqual([ids(ours, bench), ids(bench, ours)], [['node-bench-forks'], ['node-bench-forks']]);
  t.deepEqual(ids(ours, ours), []);
});

test('node:bench: all ops of a process over all its time; one without ops has failed', (t) => {
  const line = (fileRunId: string, ...samples: [operations: number, ns: number][]): NodeBenchRecord => ({
    ...{ fileRunId, file: 'a.js', namePath: ['S', 'inner', 'f'], params: {} },
    samples: samples.map(([operations, ns]) => ({ operations, ns })),
  });
  const { arms } = comparedNodeBench(
    [line('a', [1, 100], [3, 60]), line('b', [0, 5]), line('a', [4, 160]), line('c', [2, 9])],
    'n.jsonl',
  );
  t.is(arms.length, 1);
  const [arm] = arms;
  t.deepEqual(
    arm!.forks.map(({ value, iterations }) => [value, iterations]),
    [
      [40, 3],
      [4.5, 1],
    ],
  );
  t.deepEqual([arm!.suite, arm!.name, arm!.failed, arm!.unit], ['S.inner', 'S.inner.f', 1, 'ns/op']);
});

test('buckets: counts of equal values added in order; nearest rank; a mean where the sum is beyond numbers', (t) => {
  const merged = mergeBuckets([
    [
      [10, 2],
      [5, 1],
    ],
    [
      [7, 1],
      [5, 3],
    ],
  ]); // prettier-ignore
  t.deepEqual(merged, [
    [5, 4],
    [7, 1],
    [10, 2],
  ]); // prettier-ignore
  const at = (p: number) => bucketQuantile(merged, p);
  t.deepEqual([at(1e-9), at(4 / 7), at(4 / 7 + 1e-6), at(5 / 7), at(5 / 7 + 1e-6), at(1)], [5, 5, 7, 7, 10, 10]);
  t.is(
    bucketQuantile(
      [
        [1, 0],
        [2, 1],
      ],
      0.5,
    ),
    2,
  ); // prettier-ignore
  // 0.07 x 100 is 7.000000000000001: the seventh value all the same.
  t.is(
    bucketQuantile(
      [
        [1, 7],
        [2, 93],
      ],
      0.07,
    ),
    1,
  ); // prettier-ignore
  t.is(bucketQuantile([], 0.5), null);
  t.is(bucketMean(merged), 47 / 7);
  t.is(bucketMean([]), null);
  t.is(bucketMean([[1, 0]]), null);
  t.is(bucketMean([[1, Infinity]]), null);
  t.is(
    bucketMean([
      [1e308, 2],
      [1.5e308, 2],
    ]),
    1.25e308,
  ); // prettier-ignore
});

test('forks to decide: half the distance to the nearer edge of the zone, and always more than there are', (t) => {
  const ask = (ratio: number, sd: number, n = 3) => {
    const side = [1 - sd, 1 + sd, ...Array<number>(n - 2).fill(1)];
    return forksToDecide(side, side, false, { ratio, delta: 0.01, confidence: 0.95 });
  };
  // By hand: the smallest n with t(2n - 2) sqrt(2) s / sqrt(n) <= h.
  const count = (h: number, s: number) => {
    let n = 3;
    while (tQuantile(0.975, 2 * n - 2) * s * Math.sqrt(2 / n) > h) n++;
    return n;
  };
  for (const sd of [0.02, 0.05]) {
    for (const ratio of [0.9, 0.95, 0.985, 1, 1.015, 1.05, 1.1]) {
      const edges = [0.99, 1.01].map((edge) => Math.abs(Math.log(ratio / edge)));
      const expected = Math.max(4, count(Math.max(0.01, Math.min(...edges)) / 2, sd));
      t.is(ask(ratio, sd), expected, `${ratio} ${sd}`);
    }
  }
  t.is(ask(0.5, 1e-6, 7), 8, 'more than there are, however little they vary');
  t.is(ask(0, 0.1), null);
  const [one, ten] = [[1], around(1)];
  const asked = { ratio: 1, delta: 0.01, confidence: 0.95 };
  t.is(forksToDecide(one, ten, false, asked), null);
  t.is(forksToDecide(ten, one, false, asked), null);
  t.true(forksToDecide([1, 1.1], [1.05, 1], false, asked)! > 2);
  // Pairs: what varies is the ratio inside a round.
  t.is(forksToDecide([1, 2, 4], [2, 4, 8], true, asked), 4);
  const logs = [0.03, -0.03, 0];
  let n = 2;
  while ((tQuantile(0.975, n - 1) * 0.03) / Math.sqrt(n) > 0.005) n++;
  t.is(forksToDecide(logs.map(Math.exp), [1, 1, 1], true, asked), n);
});

type Row = Comparison['rows'][number];
const rows = (...list: Partial<Row>[]) => ({ rows: list as Row[], notes: [] });
const side = (failed: number) => ({ name: '', mean: 1, forks: 3, failed });

test('one row decides over the build: regressed before failed before inconclusive, winners and secondary rows never', (t) => {
  const good: Partial<Row> = {
    kind: 'across',
    standing: 'headline',
    status: 'ok',
    verdict: 'improved',
    candidate: side(0),
  };
  const worse: Partial<Row> = { ...good, verdict: 'regressed' };
  const open: Partial<Row> = { ...good, verdict: 'inconclusive' };
  const broken: Partial<Row> = { ...open, status: 'failed', candidate: side(1) };
  t.is(gate(rows(good, good)), 'ok');
  t.is(gate(rows(good, worse, open, broken)), 'regressed');
  t.is(gate(rows(good, open, broken, good)), 'failed');
  t.is(gate(rows(good, open, good)), 'inconclusive');
  t.is(gate(rows({ ...broken, candidate: side(0) })), 'inconclusive', 'the baseline failed');
  t.is(gate(rows({ ...open, candidate: side(1) })), 'inconclusive');
  for (const row of [worse, open, broken]) {
    t.is(gate(rows(good, { ...row, kind: 'winner' })), 'ok');
    t.is(gate(rows(good, { ...row, standing: 'secondary' })), 'ok');
    t.not(gate(rows(good, { ...row, standing: 'shift' })), 'ok');
  }
  t.is(gate({ rows: [], notes: [{ id: 'only-in-baseline', message: '' }] }), 'inconclusive');
  t.is(gate({ rows: [], notes: [{ id: 'only-in-candidate', message: '' }] }), 'ok');
});

test('what Holm takes from a regression leaves worse-or-same', (t) => {
  const names = Array.from({ length: 20 }, (_, i) => ({ benchmark: `g${i}` }));
  const run = (level: number, rest: number) =>
    runOf([trialOf(around(level)), ...names.map((n) => trialOf(around(rest), n))]);
  const [row] = compareRuns(run(100, 100), run(102.3, 100.1)).rows;
  t.is(compareRuns(runOf([trialOf(around(100))]), runOf([trialOf(around(102.3))])).rows[0]!.verdict, 'regressed');
  t.deepEqual([row!.verdict, row!.reading], ['inconclusive', 'worse-or-same']);
});

/** A fork of each list of times, each seen `count` times. */
function sampled(lists: readonly (readonly [ns: number, count: number][])[], over: Partial<Trial> = {}): Trial {
  const made = trialOf(
    lists.map(() => 100),
    { mode: 'sample', ...over },
  );
  const forks = made.forks.map((f, i) => ({
    ...f,
    iterations: f.iterations.map((iteration) => ({
      ...iteration,
      histogram: {
        ...{ unit: 'ns' as const, buckets: lists[i]!, min: lists[i]![0]![0], max: lists[i]!.at(-1)![0] },
        total: lists[i]!.reduce((sum, [, count]) => sum + count, 0),
      },
    })),
  }));
  return { ...made, forks };
}

test('quantiles of forks are averaged as their ratio is, in the unit of the trial; the fifth sample makes a tail', (t) => {
  const us = { options: { unit: { value: 'us', source: 'suite' as const } } };
  const of = (tail: number, over = {}) =>
    sampled(
      [1000, 2000, 4000].map((p50) => [
        [p50, 1000 - tail],
        [9000, tail],
      ]),
      over,
    ); // prettier-ignore
  const run = runOf([of(50, us)]);
  const found = compareRuns(run, run).rows;
  const p50 = found.find(({ metric }) => metric === 'p50')!;
  t.is(p50.method, 'log-means');
  t.true(near(p50.baseline.mean, 2), `${p50.baseline.mean}`);
  t.is(p50.ratio, 1);
  // Beyond p99.9 of 1000 samples lies one: not shown. Of 5000 there are five.
  const metrics = (count: number) => {
    const forks = runOf([sampled([1, 2, 3].map((ns) => [[ns, count]]))]);
    return compareRuns(forks, forks).rows.map(({ metric, notes }) => [
      metric,
      notes.some(({ id }) => id === 'thin-tail'),
    ]);
  };
  t.deepEqual(metrics(499), [
    ['score', false],
    ['p50', false],
    ['p90', false],
    ['p99', true],
  ]); // prettier-ignore
  t.deepEqual(metrics(500).at(-1), ['p99', false]);
  t.is(metrics(4999).length, 4);
  t.deepEqual(metrics(5000).at(-1), ['p99.9', false]);
});

test('the speed of the machine is told when it changed by more than delta, either way, and not else', (t) => {
  const at = (ns: number | null): ComparedRun => {
    const { forks } = trialOf(around(100));
    const canary = (i: number) => (ns === null ? null : { arithmeticNs: ns * (1 + i / 1e4), memoryNs: 1 });
    const seen = forks.map((f, i) => ({
      ...f,
      iterations: f.iterations.map((one) => ({ ...one, canary: canary(i) })),
    }));
    return runOf([trialOf(around(100), { forks: seen })]);
  };
  const told = (a: number | null, b: number | null) =>
    compareRuns(at(a), at(b))
      .notes.filter(({ id }) => id === 'machine-changed')
      .map(({ message }) => message); // prettier-ignore
  t.deepEqual(
    [told(1000, 1000), told(1000, 1005), told(1000, null), told(null, 1000), told(null, null)],
    [[], [], [], [], []],
  );
  t.regex(told(1000, 1100)[0]!, /took 10 % longer in the candidate/);
  t.regex(told(1000, 800)[0]!, /took 20 % less in the candidate/);
});

test('five names are listed, and how many more there are', (t) => {
  const many = (n: number) => runOf(Array.from({ length: n }, (_, i) => trialOf(around(1), { benchmark: `b${i}` })));
  const told = (n: number) => compareRuns(many(n), many(0)).notes[0]!.message;
  t.regex(told(5), /: S\.b0, S\.b1, S\.b2, S\.b3, S\.b4\.$/);
  t.regex(told(7), /, S\.b4 and 2 more\.$/);
});

test('an arm: what the machine took, its canaries, and a trial that failed without a fork', (t) => {
  const made = trialOf([100, 100]);
  const iterations = [1, 2, 9].map((ns, i) => ({
    ...made.forks[0]!.iterations[0]!,
    elapsedNs: 1e8,
    canary: { arithmeticNs: [30, 4, 200][i]!, memoryNs: 1 },
    aware: i === 0 ? null : { score: 1, excludedNs: ns * 1e6, excludedChunks: 1 },
  }));
  const arm = armOf({ ...made, forks: [{ ...made.forks[0]!, iterations }] });
  t.true(near(arm.lostShare, 11 / 300));
  t.deepEqual(arm.canaries, [30], 'the median as a number, not as text');
  t.is(armOf(trialOf([])).lostShare, 0);
  t.is(armOf(trialOf([], { status: 'failed' })).failed, 1);
  t.is(armOf(trialOf([])).failed, 0);
  const nothing = made.forks.map((f, i) => (i === 0 ? { ...f, iterations: [] } : f));
  t.is(armOf({ ...made, forks: nothing }).forks.length, 1, 'a fork that measured nothing has no score');
});

test('pairs need rounds, instants and no overlap of more than the resolution of the clock', (t) => {
  const arm = (change: (f: Trial['forks'][number], i: number) => object = () => ({}), position = 0) => {
    const made = trialOf([1, 2, 3], {}, position);
    return armOf({ ...made, forks: made.forks.map((f, i) => ({ ...f, ...change(f, i) })) });
  };
  const b = arm();
  const c = arm(undefined, 1);
  t.not(typeof pairsOf(b, c), 'string');
  t.regex(
    String(
      pairsOf(
        arm((_, i) => (i === 1 ? { startedAt: 'x' } : {})),
        c,
      ),
    ),
    /when the forks ran/,
  );
  t.regex(
    String(
      pairsOf(
        b,
        arm((_, i) => (i === 1 ? { startedAt: 'x' } : {}), 1),
      ),
    ),
    /when the forks ran/,
  );
  // Two forks of the candidate in one round.
  t.regex(
    String(
      pairsOf(
        b,
        arm((_, i) => ({ round: Math.min(i, 1) }), 1),
      ),
    ),
    /one arm only/,
  );
  const fewer = { ...b, forks: b.forks.slice(1) };
  t.regex(String(pairsOf(fewer, c)), /one arm only/);
  // Each round lasts until the next one starts at the second: 1 ms over it is the clock, 2 ms are another schedule.
  const until = (ms: number) =>
    pairsOf(
      b,
      arm(() => ({ wallMs: ms - 200 }), 1),
    );
  t.not(typeof until(1001), 'string');
  t.regex(String(until(1002)), /one after the other/);
  // In the order in which they ran, whatever their order in the file.
  const found = pairsOf({ ...b, forks: [...b.forks].reverse() }, c);
  if (typeof found === 'string') return t.fail(found);
  t.deepEqual(
    [found.baseline.map((f) => f.round), found.candidate.map((f) => f.round)],
    [
      [0, 1, 2],
      [0, 1, 2],
    ],
  ); // prettier-ignore
});

test('six rounds are enough for pairs, and an arm with a failed fork wins nothing', (t) => {
  const arms = (n: number, broken = false) => {
    const made = ['base', 'f', 'g'].map((benchmark, i) =>
      trialOf(around(100 - 5 * i).slice(0, n), { benchmark, baseline: i === 0 }, i),
    );
    if (!broken) return runOf(made);
    const forks = made[2]!.forks.map((f, i) => (i === 0 ? { ...f, status: 'failed' as const } : f));
    return runOf([...made.slice(0, 2), { ...made[2]!, forks }]);
  };
  t.is(compareWithin(arms(6)).rows[0]!.method, 'paired');
  t.is(compareWithin(arms(5)).rows[0]!.method, 'log-delta');
  t.is(compareWithin(arms(6)).rows.at(-1)!.kind, 'winner');
  t.false(
    compareWithin(arms(6, true)).rows.some(({ kind }) => kind === 'winner'),
    'two are left',
  );
});

test('fieller and bootstrap: alone a row goes by its own interval, beside others log-delta has to agree', (t) => {
  // Found by search: the percentile interval of five forks is narrower than the one of log-delta.
  const shifts = Array.from({ length: 60 }, (_, i) => 97.6 + i / 40);
  const sides = (level: number, n: string) => [
    trialOf(around(100).slice(0, 5), { benchmark: n }),
    trialOf(around(level).slice(0, 5), { benchmark: n }),
  ];
  const compared = (levels: readonly number[], method: 'bootstrap' | 'log-delta') => {
    const pairs = levels.map((level, i) => sides(level, `b${i}`));
    return compareRuns(runOf(pairs.map(([b]) => b!)), runOf(pairs.map(([, c]) => c!)), { method }).rows;
  };
  const differing = shifts.find(
    (level) =>
      compared([level], 'bootstrap')[0]!.interval![1] < 0.99 &&
      compared([level], 'log-delta')[0]!.verdict !== 'improved',
  );
  if (differing === undefined) return t.fail('no shift at which the two differ');
  t.is(compared([differing], 'bootstrap')[0]!.verdict, 'improved');
  t.is(compared([differing, 50], 'bootstrap')[0]!.verdict, 'inconclusive');
  t.is(compared([differing, 50], 'bootstrap')[1]!.verdict, 'improved');
});

test('a method that was asked for stays where arms are no pairs; counts are always compared by log-delta', (t) => {
  const counters = { hits: 'events' } as const;
  const counting = (benchmark: string, level: number, later: number, hits: (f: number) => number) => {
    const made = trialOf(around(level), { benchmark, baseline: benchmark === 'base', counters });
    const forks = made.forks.map((f, i) => ({
      ...f,
      startedAt: new Date(Date.parse(f.startedAt) + later).toISOString(),
      iterations: f.iterations.map((one) => ({ ...one, counters: { hits: hits(i) } })),
    }));
    return { ...made, forks };
  };
  const run = runOf([counting('base', 100, 0, (f) => 5 + f), counting('f', 90, 60_000, (f) => 2 * f)]);
  const found = compareWithin(run, { method: 'geometric' }).rows;
  t.deepEqual(
    found.map(({ metric, method, status }) => [metric, method, status]),
    [
      ['score', 'log-means', 'ok'],
      ['hits', 'log-delta', 'ok'],
    ],
    'one fork counted none',
  );
  t.deepEqual(
    found.map(({ notes }) => notes.some(({ id }) => id === 'confounded')),
    [true, false],
    'once, at the score',
  );
  t.is(found[1]!.verdict, null);
});
