/** `score: 'aware'`: the interference-aware scores are judged, and everything that follows is of them. */
import test from 'ava';
import { type CompareOptions, compareRuns, compareWithin, gate } from '#lib/analysis/compare/index.js';
import type { Trial } from '#lib/result/model.js';
import { ratioLogDelta } from '#lib/stats/index.js';
import { around, runOf, trialOf } from '../../support/compare.js';

/** The trial with these aware scores, `share` of its time left out. */
const withAware = (of: Trial, scores: readonly number[], share: number): Trial => ({
  ...of,
  forks: of.forks.map((fork, f) => ({
    ...fork,
    iterations: fork.iterations.map((i) => ({
      ...i,
      // The score of a fork is made of what is left of its time.
      ops: (i.elapsedNs * (1 - share)) / scores[f]!,
      score: i.elapsedNs / ((i.elapsedNs * (1 - share)) / scores[f]!),
      aware: { score: scores[f]!, excludedNs: i.elapsedNs * share, excludedChunks: 3 },
    })),
  })),
});

const quiet = withAware(trialOf(around(100)), around(100), 0);
const robbed = withAware(trialOf(around(90)), around(90), 0.3);
const compared = (options: CompareOptions = {}, after: Trial = robbed, before: Trial = quiet) =>
  compareRuns(runOf([before]), runOf([after], 'b.json'), options);

test('each score leads to its own verdict and exit, with the other beside it', (t) => {
  const plain = compared();
  const aware = compared({ score: 'aware' });
  t.deepEqual(
    [plain.score, plain.rows[0]!.score, plain.rows[0]!.verdict, gate(plain)],
    ['plain', 'plain', 'regressed', 'regressed'],
  );
  t.deepEqual(
    [aware.score, aware.rows[0]!.score, aware.rows[0]!.verdict, gate(aware)],
    ['aware', 'aware', 'improved', 'ok'],
  );
  const [p, a] = [plain.rows[0]!, aware.rows[0]!];
  t.deepEqual([p.plain, a.aware], [null, null]);
  t.deepEqual([p.aware!.ratio, p.aware!.interval, p.aware!.verdict], [a.ratio, a.interval, a.verdict]);
  t.deepEqual([a.plain!.ratio, a.plain!.interval, a.plain!.verdict], [p.ratio, p.interval, p.verdict]);
  for (const row of [p, a]) t.true(row.notes.some(({ id }) => id === 'interference-verdict'));
  t.regex(p.notes[0]!.message, /would be improved, not regressed.*--score aware/);
  t.regex(
    a.notes[0]!.message,
    /left in \(0 % of the baseline's, 30 % of the candidate's\) the verdict would be regressed, not improved/,
  );
});

test('means, interval and forks needed are of the judged score', (t) => {
  const near = withAware(trialOf(around(100)), around(100.2), 0.2);
  const row = compared({ score: 'aware' }, near).rows[0]!;
  const expected = ratioLogDelta(around(100.2), around(100));
  t.true(Math.abs(row.interval![0] / expected.low! - 1) < 1e-9);
  t.true(Math.abs(row.candidate.mean! / 100.2 - 1) < 1e-9);
  t.is(row.verdict, 'inconclusive');
  const same = compared({}, withAware(trialOf(around(100)), around(100.2), 0)).rows[0]!;
  t.is(row.forksNeeded, same.forksNeeded, 'as if those were the plain scores');
});

test('throughput and units are turned like the plain score', (t) => {
  const rate = { mode: 'thrpt' as const, options: { unit: { value: 'us', source: 'default' as const } } };
  const row = compared(
    { score: 'aware' },
    { ...robbed, ...rate, id: 'x' },
    { ...quiet, mode: 'thrpt', options: { unit: { value: 's', source: 'default' } }, id: 'x' },
  ).rows[0]!;
  t.deepEqual([row.unit, row.better, row.verdict], ['ops/s', 'higher', 'improved']);
  t.true(Math.abs(row.candidate.mean! / 1.11e7 - 1) < 0.01, `${row.candidate.mean}`);
});

test('nothing left out: the same answer either way, and nothing beside it', (t) => {
  const calm = withAware(trialOf(around(90)), around(90), 0);
  const [plain, aware] = [compared({}, calm).rows[0]!, compared({ score: 'aware' }, calm).rows[0]!];
  t.true(Math.abs(aware.ratio! / plain.ratio! - 1) < 1e-12);
  t.deepEqual([aware.verdict, aware.plain, plain.aware], [plain.verdict, null, null]);
});

test('a row without aware scores is inconclusive by name, with the plain outcome beside it; it has no other rows', (t) => {
  const unknown: Trial = {
    ...quiet,
    forks: quiet.forks.map((fork, f) => ({
      ...fork,
      iterations: fork.iterations.map((i) => (f === 3 ? { ...i, aware: null } : i)),
    })),
  };
  const comparison = compared({ score: 'aware' }, robbed, unknown);
  const row = comparison.rows[0]!;
  t.deepEqual([row.status, row.verdict, row.ratio, row.interval], ['no-aware-score', 'inconclusive', null, null]);
  t.is(row.plain!.verdict, 'regressed');
  t.deepEqual(
    row.notes.map(({ id }) => id),
    ['no-aware-score'],
  );
  t.is(gate(comparison), 'inconclusive');
  const histogram = { unit: 'ns' as const, buckets: [[100, 1000]] as const, min: 100, max: 100, total: 1000 };
  const sampling = (of: Trial): Trial => ({
    ...of,
    mode: 'sample',
    id: 'x',
    forks: of.forks.map((f) => ({ ...f, iterations: f.iterations.map((i) => ({ ...i, histogram })) })),
  });
  t.is(compared({}, sampling(robbed), sampling(quiet)).rows.length, 4);
  const sampled = compared({ score: 'aware' }, sampling(robbed), sampling(quiet));
  t.deepEqual(
    sampled.rows.map(({ metric, status }) => [metric, status]),
    [['score', 'no-aware-score']],
  );
  t.notRegex(JSON.stringify(sampled), /NaN/);
});

test('inside a run the winner is chosen by the judged score, and counters stay plain', (t) => {
  const counters = { hits: 'events' } as const;
  const arm = (benchmark: string, level: number, share: number, position: number): Trial => {
    const made = withAware(
      trialOf(around(level), { benchmark, baseline: benchmark === 'base', counters }, position),
      around(level),
      share,
    );
    return {
      ...made,
      forks: made.forks.map((f) => ({ ...f, iterations: f.iterations.map((i) => ({ ...i, counters: { hits: 5 } })) })),
    };
  };
  const run = runOf([arm('base', 100, 0, 0), arm('a', 80, 0.5, 1), arm('b', 85, 0, 2)]);
  const winner = (options: CompareOptions) => compareWithin(run, options).rows.find(({ kind }) => kind === 'winner')!;
  t.is(winner({}).candidate.name, 'S.b');
  t.is(winner({ score: 'aware' }).candidate.name, 'S.a');
  const hits = compareWithin(run, { score: 'aware' }).rows.find(({ metric }) => metric === 'hits')!;
  t.is(hits.score, 'plain');
});

test('an unknown score is refused', (t) => {
  t.throws(() => compared({ score: 'best' as never }), { instanceOf: TypeError, message: /plain, aware/ });
});
