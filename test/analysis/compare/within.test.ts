/** Benchmarks of one run: baseline, winner, pairs by round, shift of sampled ones, interference. */
import test from 'ava';
import { armOf } from '#lib/analysis/compare/arms.js';
import { compareWithin } from '#lib/analysis/compare/index.js';
import { pairsOf } from '#lib/analysis/compare/pairing.js';
import type { Trial } from '#lib/result/model.js';
import { ratioPaired } from '#lib/stats/index.js';
import { around, runOf, trialOf } from '../../support/compare.js';

const base = (values: readonly number[]) => trialOf(values, { benchmark: 'base', baseline: true });

test('every benchmark is judged against the baseline of its suite, per params and mode', (t) => {
  const at = (n: number, benchmark: string, level: number, position: number) =>
    trialOf(around(level), { benchmark, params: { n }, baseline: benchmark === 'base' }, position);
  const run = runOf([at(1, 'base', 100, 0), at(1, 'fast', 90, 1), at(2, 'base', 200, 0), at(2, 'fast', 230, 1)]);
  const { rows, summaries } = compareWithin(run);
  t.deepEqual(
    rows.map((row) => [row.kind, row.params.n, row.baseline.name, row.candidate.name, row.verdict]),
    [
      ['baseline', 1, 'S.base', 'S.fast', 'improved'],
      ['baseline', 2, 'S.base', 'S.fast', 'regressed'],
    ],
  );
  t.deepEqual(
    summaries.map(({ candidate, rows }) => [candidate, rows]),
    [['S.fast', 2]],
  );
  t.deepEqual(compareWithin(runOf([trialOf(around(1)), trialOf(around(2), { benchmark: 'g' })])).rows, []);
});

test('of three or more the winner is judged against the runner-up, in the direction of the metric', (t) => {
  const arms = [
    base(around(100)),
    trialOf(around(81), { benchmark: 'a' }, 1),
    trialOf(around(80), { benchmark: 'b' }, 2),
  ];
  const winner = compareWithin(runOf(arms)).rows.at(-1)!;
  t.deepEqual([winner.kind, winner.candidate.name, winner.baseline.name], ['winner', 'S.b', 'S.a']);
  t.true(winner.ratio! < 1);
  const rates = arms.map((arm) => ({
    ...arm,
    mode: 'thrpt' as const,
    options: { unit: { value: 's', source: 'default' as const } },
  }));
  const fastest = compareWithin(runOf(rates)).rows.at(-1)!;
  t.deepEqual([fastest.candidate.name, fastest.baseline.name], ['S.b', 'S.a']);
  t.true(fastest.ratio! < 1);
});

test('rounds that drift are paired, and the interval is that of the pairs', (t) => {
  const drift = (level: number) => around(level, 0.002).map((x, i) => x * (1 + i / 20));
  const [b, c] = [
    base(drift(100)),
    trialOf(
      drift(97).map((x, i) => x * (1 + (i % 3) / 2000)),
      { benchmark: 'f' },
      1,
    ),
  ];
  const row = compareWithin(runOf([b, c])).rows[0]!;
  t.is(row.method, 'paired');
  t.is(row.df, 9);
  t.is(row.verdict, 'improved');
  const scores = (of: Trial) => of.forks.map((fork) => fork.iterations[0]!.score!);
  const expected = ratioPaired(scores(c), scores(b));
  t.true(Math.abs(row.interval![1] / expected.high! - 1) < 1e-9);
  const unpaired = compareWithin(runOf([b, c]), { method: 'log-delta' }).rows[0]!;
  t.is(unpaired.verdict, 'inconclusive', 'without pairs the drift hides it');
});

test('pairs are refused when the arms ran in blocks, when rounds are incomplete, and below six rounds', (t) => {
  const b = base(around(100));
  const shifted = trialOf(around(97), { benchmark: 'f' }, 1);
  const later = (ms: number) => (of: Trial['forks'][number]) => ({
    ...of,
    startedAt: new Date(Date.parse(of.startedAt) + ms).toISOString(),
  });
  const blocked = { ...shifted, forks: shifted.forks.map(later(60_000)) };
  const row = compareWithin(runOf([b, blocked])).rows[0]!;
  t.is(row.method, 'log-delta');
  t.true(row.notes.some(({ id }) => id === 'confounded'));
  const asked = compareWithin(runOf([b, blocked]), { method: 'paired' }).rows[0]!;
  t.deepEqual([asked.status, asked.verdict], ['unpaired', 'inconclusive']);

  const incomplete = { ...shifted, forks: shifted.forks.slice(1) };
  t.is(typeof pairsOf(armOf(b), armOf(incomplete)), 'string');
  t.is(compareWithin(runOf([b, incomplete])).rows[0]!.method, 'log-delta');

  const few = (of: Trial) => ({ ...of, forks: of.forks.slice(0, 5) });
  t.is(compareWithin(runOf([few(b), few(shifted)])).rows[0]!.method, 'log-delta');
  t.is(compareWithin(runOf([few(b), few(shifted)]), { method: 'paired' }).rows[0]!.method, 'paired');
});

test('order of the forks in the file does not matter to pairs', (t) => {
  const [b, c] = [base(around(100)), trialOf(around(97, 0.02), { benchmark: 'f' }, 1)];
  const forward = compareWithin(runOf([b, c])).rows[0]!;
  const backward = compareWithin(runOf([b, { ...c, forks: [...c.forks].reverse() }])).rows[0]!;
  t.deepEqual(backward.interval, forward.interval);
});

/** Forks of a sampled benchmark: 900 fast times, 90 at `mid`, 10 at `tail`. */
function sampled(benchmark: string, mid: number, tail: number, position: number): Trial {
  const of = trialOf(around(100), { benchmark, baseline: benchmark === 'base', mode: 'sample' }, position);
  const forks = of.forks.map((fork, f) => ({
    ...fork,
    iterations: fork.iterations.map((iteration) => ({
      ...iteration,
      histogram: {
        unit: 'ns' as const,
        buckets: [
          [100 + f / 10, 890],
          [mid + f / 10, 90],
          [tail + f / 10, 20],
        ] as const,
        min: 100,
        max: tail,
        total: 1000,
      },
    })),
  }));
  return { ...of, forks };
}

test('a sampled benchmark has a shift: a tail that grew is seen though the median stands still', (t) => {
  const { rows, summaries } = compareWithin(runOf([sampled('base', 150, 400, 0), sampled('f', 150, 800, 1)]));
  t.deepEqual(rows.map((row) => [row.metric, row.verdict]).slice(1), [
    ['p50', 'equivalent'],
    ['p90', 'equivalent'],
    ['p99', 'regressed'],
  ]);
  const p99 = rows.at(-1)!;
  t.true(p99.baseline.mean! > 400 && p99.baseline.mean! < 401);
  t.true(p99.notes.every(({ id }) => id !== 'thin-tail'));
  t.is(summaries.length, 0, 'quantiles are no rows of the summary');
});

test('an interference-aware score that leads to another verdict is told', (t) => {
  const disturbed = trialOf(around(130), { benchmark: 'f' }, 1);
  const forks = disturbed.forks.map((fork, f) => ({
    ...fork,
    iterations: fork.iterations.map((iteration) => ({
      ...iteration,
      aware: { score: around(90)[f]!, excludedNs: iteration.elapsedNs * 0.3, excludedChunks: 3 },
    })),
  }));
  const quiet = base(around(100));
  const calm = quiet.forks.map((fork) => ({
    ...fork,
    iterations: fork.iterations.map((i) => ({ ...i, aware: { score: i.score, excludedNs: 0, excludedChunks: 0 } })),
  }));
  const row = compareWithin(
    runOf([
      { ...quiet, forks: calm },
      { ...disturbed, forks },
    ]),
  ).rows[0]!;
  t.is(row.verdict, 'regressed');
  t.is(row.aware!.verdict, 'improved');
  t.true(Math.abs(row.aware!.lostCandidate - 0.3) < 1e-12);
  const note = row.notes.find(({ id }) => id === 'interference-verdict');
  t.regex(
    note!.message,
    /0 % of the baseline's, 30 % of the candidate's\) the verdict would be improved, not regressed/,
  );
  t.is(compareWithin(runOf([quiet, disturbed])).rows[0]!.aware, null, 'nothing excluded, nothing to say');
});
