/** Rows beside the score: counters, methods of a group, the far tail, metrics of JMH. They are compared, and decide nothing. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { comparedJmh, compareRuns, compareWithin, gate } from '#lib/analysis/compare/index.js';
import { secondaryScores } from '#lib/analysis/secondary.js';
import { parseAnyResult } from '#lib/result/index.js';
import type { Iteration, Trial } from '#lib/result/model.js';
import { ratioLogDelta } from '#lib/stats/index.js';
import { fixture } from '../../support/cli.js';
import { around, runOf, trialOf } from '../../support/compare.js';

type PerFork = (fork: number, iteration: Iteration) => Partial<Iteration>;

/** The trial with every iteration of every fork changed. */
const changed = (of: Trial, change: PerFork): Trial => ({
  ...of,
  forks: of.forks.map((fork, f) => ({
    ...fork,
    iterations: fork.iterations.map((iteration) => ({ ...iteration, ...change(f, iteration) })),
  })),
});

const counters = { hits: 'operations', misses: 'events' } as const;

/** A trial that counts; hits are a share of the ops. */
const counting = (level: number, share: number, misses: readonly number[], over: Partial<Trial> = {}): Trial =>
  changed(trialOf(around(level), { counters, ...over }), (f, { ops }) => ({
    counters: { hits: ops * share, misses: misses[f]! },
  }));

const rowsBy = (trials: readonly [Trial, Trial], options = {}) => {
  const comparison = compareRuns(runOf([trials[0]]), runOf([trials[1]], 'b.json'), options);
  return { comparison, rows: new Map(comparison.rows.map((row) => [row.metric, row])) };
};

test('operations have the direction of the mode and a verdict of their own; events a ratio without direction', (t) => {
  const { comparison, rows } = rowsBy([counting(100, 0.5, around(40, 0.02)), counting(100, 0.25, around(80, 0.02))]);
  t.deepEqual(
    comparison.rows.map(({ metric, standing, better, unit }) => [metric, standing, better, unit]),
    [
      ['score', 'headline', 'lower', 'ns/op'],
      ['hits', 'secondary', 'lower', 'ns/op'],
      ['misses', 'secondary', null, '#/iteration'],
    ],
  );
  const hits = rows.get('hits')!;
  t.true(Math.abs(hits.ratio! - 2) < 1e-9, 'half as many hits take twice the time each');
  t.is(hits.verdict, 'regressed');
  const misses = rows.get('misses')!;
  t.true(Math.abs(misses.ratio! - 2) < 1e-9);
  t.deepEqual([misses.verdict, misses.reading, misses.excludesOne, misses.forksNeeded], [null, null, true, null]);
  const expected = ratioLogDelta(around(80, 0.02), around(40, 0.02));
  t.deepEqual(misses.interval, [expected.low, expected.high]);
  t.deepEqual(rows.get('score')!.notes, []);
});

test('secondary rows take no part in the gate, in the summary or in the correction of the others', (t) => {
  const before = counting(100, 0.5, around(40));
  const after = counting(98, 0.1, around(400));
  const { comparison, rows } = rowsBy([before, after]);
  t.is(rows.get('hits')!.verdict, 'regressed');
  t.not(gate(comparison), 'regressed', 'a counter does not fail a build');
  const bare = (of: Trial): Trial => ({ ...of, counters: {} });
  const alone = rowsBy([bare(before), bare(after)]).rows.get('score')!;
  t.is(rows.get('score')!.adjustedP, alone.adjustedP);
  t.is(rows.get('score')!.verdict, alone.verdict);
  t.is(comparison.summaries.length, 0);
  // A counter with weaker evidence than the score would double the score's p if it were of the same family.
  const vague = (level: number) =>
    changed(trialOf(around(level), { counters: { hits: 'operations' } }), (f, { ops }) => ({
      counters: { hits: ops * (0.5 + 0.05 * ((f * 7) % 5)) },
    }));
  const weak = rowsBy([vague(100), vague(98)]).rows;
  t.true(weak.get('hits')!.adjustedP! > weak.get('score')!.adjustedP!);
  t.is(weak.get('score')!.adjustedP, rowsBy([bare(vague(100)), bare(vague(98))]).rows.get('score')!.adjustedP);
  // Two secondary rows with a direction are corrected against each other.
  const two = { first: 'operations', second: 'operations' } as const;
  const both = (level: number, share: number) =>
    changed(trialOf(around(level), { counters: two }), (f, { ops }) => ({
      counters: { first: ops * share, second: ops * (share + f / 1e4) },
    }));
  const pair = rowsBy([both(100, 0.5), both(98.5, 0.5)]).rows;
  const one = rowsBy([
    changed(both(100, 0.5), () => ({})),
    { ...both(98.5, 0.5), counters: { first: 'operations' } },
  ]).rows.get('first')!;
  t.true(pair.get('first')!.adjustedP! > one.adjustedP!, `${pair.get('first')!.adjustedP} ${one.adjustedP}`);
});

test('rates turn round: more hits per second are better', (t) => {
  const rate = { mode: 'thrpt' as const, options: { unit: { value: 's', source: 'default' as const } } };
  const { rows } = rowsBy([counting(100, 0.2, around(1), rate), counting(100, 0.4, around(1), rate)]);
  const hits = rows.get('hits')!;
  t.deepEqual([hits.better, hits.numerator, hits.unit, hits.verdict], ['higher', 'baseline', 'ops/s', 'improved']);
  t.true(Math.abs(hits.ratio! - 0.5) < 1e-9);
});

test('counts of zero have a status instead of a ratio, and two zeros nothing to say', (t) => {
  const nothing = new Array<number>(10).fill(0);
  const both = rowsBy([counting(100, 0.5, nothing), counting(100, 0.5, nothing)]).rows.get('misses')!;
  t.deepEqual([both.status, both.ratio, both.verdict, both.notes], ['not-positive', null, null, []]);
  t.deepEqual([both.baseline.mean, both.candidate.mean], [0, 0]);
  const some = rowsBy([counting(100, 0.5, nothing), counting(100, 0.5, around(5))]).rows.get('misses')!;
  t.is(some.status, 'not-positive');
  t.regex(some.notes[0]!.message, /the baseline counted no misses/);
  // A fork without events is ordinary: the means are compared.
  const few = rowsBy([counting(100, 0.5, [0, 3, 1, 0, 2, 4, 1, 2, 0, 1]), counting(100, 0.5, around(2))]);
  t.is(few.rows.get('misses')!.status, 'ok');
  // No hit in avgt: no time per hit.
  const none = rowsBy([counting(100, 0.5, around(1)), counting(100, 0, around(1))]).rows.get('hits')!;
  t.deepEqual([none.status, none.verdict], ['no-data', 'inconclusive']);
  t.regex(none.notes[0]!.message, /Not every fork of the candidate has a hits/);
  t.notRegex(
    JSON.stringify(rowsBy([counting(100, 0.5, nothing), counting(100, 0, nothing)]).comparison),
    /NaN|Infinity/,
  );
});

test('events are counted per iteration: forks with more of them do not look worse', (t) => {
  const long = counting(100, 0.5, around(10));
  const doubled = { ...long, forks: long.forks.map((f) => ({ ...f, iterations: [...f.iterations, ...f.iterations] })) };
  t.true(Math.abs(rowsBy([long, doubled]).rows.get('misses')!.ratio! - 1) < 1e-12);
});

test('what only one side has is told, and compared in nothing', (t) => {
  const { comparison, rows } = rowsBy([
    counting(100, 0.5, around(1)),
    { ...counting(100, 0.5, around(1)), counters: { misses: 'events', evicted: 'events' } },
  ]);
  t.deepEqual([...rows.keys()], ['score', 'misses']);
  const told = comparison.rows[0]!.notes.filter(({ id }) => id === 'secondary-missing').map(({ message }) => message);
  t.deepEqual(told, [
    'Measured in the baseline only, not compared: hits.',
    'Measured in the candidate only, not compared: evicted.',
  ]);
});

/** A group of one writer and two readers. */
const grouped = (put: number, take: number): Trial =>
  changed(trialOf(around(100), {}), (f) => ({
    threads: [
      { ops: 1e8 / (put * (1 + f / 1e3)), elapsedNs: 1e8, label: 'put' },
      { ops: 1e8 / take, elapsedNs: 1e8, label: 'take' },
      { ops: 1e8 / take, elapsedNs: 1e8, label: 'take' },
    ],
  }));

test('methods of a group are rows, with the values that the trial prints for them', (t) => {
  const before = grouped(50, 10);
  const { rows } = rowsBy([before, grouped(40, 20)]);
  t.deepEqual([...rows.keys()], ['score', 'put', 'take']);
  t.deepEqual([rows.get('put')!.verdict, rows.get('take')!.verdict], ['improved', 'regressed']);
  const printed = secondaryScores({ ...before, score: { status: 'ok' } as never }).put!;
  t.true(Math.abs(rows.get('put')!.baseline.mean! / printed.value - 1) < 1e-12);
});

const sampled = (total: number, tail: number): Trial =>
  changed(trialOf(around(100), { mode: 'sample' }), (f) => ({
    histogram: {
      unit: 'ns',
      buckets: [
        [100 + f / 10, total - 60],
        [tail + f / 10, 60],
      ],
      min: 100,
      max: tail,
      total,
    },
  }));

test('the far tail is a row where it is a quantile, and judges nothing', (t) => {
  const { comparison, rows } = rowsBy([sampled(10_000, 400), sampled(10_000, 800)]);
  t.deepEqual([...rows.keys()], ['score', 'p50', 'p90', 'p99', 'p99.9']);
  t.deepEqual([rows.get('p99.9')!.standing, rows.get('p99.9')!.verdict], ['secondary', 'regressed']);
  t.is(rows.get('p99')!.verdict, 'equivalent');
  t.not(gate(comparison), 'regressed');
  t.false(
    rowsBy([sampled(4_000, 400), sampled(10_000, 800)]).rows.has('p99.9'),
    'four samples beyond it are no quantile',
  );
});

test('inside a run: against the baseline, not for the winner', (t) => {
  const arms = ['base', 'a', 'b'].map((benchmark, i) =>
    counting(100 - 10 * i, 0.5, around(10 * (i + 1)), {
      benchmark,
      baseline: i === 0,
      id: `a.bench.ts:S.${benchmark}:avgt:{}`,
    }),
  );
  const { rows } = compareWithin(runOf(arms));
  t.deepEqual(
    rows.map(({ kind, metric }) => `${kind} ${metric}`),
    [...['score', 'hits', 'misses', 'score', 'hits', 'misses'].map((m) => `baseline ${m}`), 'winner score'],
  );
});

test('a counter may have the name of anything else', (t) => {
  const named = { score: 'events', p50: 'operations' } as const;
  const of = changed(trialOf(around(100), { counters: named }), (f, { ops }) => ({
    counters: { score: f + 1, p50: ops },
  }));
  const { rows, summaries } = compareRuns(runOf([of]), runOf([of]));
  t.deepEqual(
    rows.map(({ metric, standing }) => [metric, standing]),
    [
      ['score', 'headline'],
      ['score', 'secondary'],
      ['p50', 'secondary'],
    ],
  );
  t.is(summaries.length, 0);
});

test('JMH: secondary metrics by their raw data; a profiler has no direction', (t) => {
  const any = parseAnyResult(readFileSync(fixture('fixtures/jmh/before.json'), 'utf8'), 'before');
  if (any.kind !== 'jmh') return t.fail();
  const records = any.records.slice(0, 1);
  const { rows } = compareRuns(comparedJmh(records, 'a'), comparedJmh(records, 'b'));
  t.deepEqual(
    rows.map(({ metric, better, unit, verdict, ratio }) => [metric, better, unit, verdict, ratio]),
    [
      ['score', 'lower', 'ns/op', 'equivalent', 1],
      ['gc.alloc.rate', null, 'MB/sec', null, 1],
    ],
  );
});

test('an iteration that lacks what the others have leaves its fork without the metric, not the program without an answer', (t) => {
  const threads = [{ ops: 10, elapsedNs: 1000, label: null, counters: { hits: 5 } }];
  const uneven = changed(counting(100, 0.5, around(40)), (f) => ({ threads: f === 1 ? null : threads }));
  const mixed = {
    ...uneven,
    forks: uneven.forks.map((fork) => ({
      ...fork,
      iterations: [...fork.iterations, { ...fork.iterations[0]!, threads: null }],
    })),
  };
  const { rows } = rowsBy([mixed, counting(100, 0.5, around(40))]);
  t.is(rows.get('hits')!.status, 'no-data');
});
