/** The text of comparisons, whole, against golden files. UPDATE_GOLDEN=1 writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { comparedJmh, compareRuns, compareWithin, unlike } from '#lib/analysis/compare/index.js';
import { compareLines, compareTable, ratioText } from '#lib/report/compare.js';
import { parseAnyResult } from '#lib/result/index.js';
import type { Trial } from '#lib/result/model.js';
import { fixture } from '../support/cli.js';
import { around, runOf, trialOf } from '../support/compare.js';
import { environment } from '../support/result.js';

function golden(name: string, lines: readonly string[]): [string, string] {
  const file = fixture(`golden/compare/${name}.txt`);
  const text = `${lines.join('\n')}\n`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  return [text, readFileSync(file, 'utf8')];
}

test('two files: every verdict, params, both directions, notes', (t) => {
  const rate = { mode: 'thrpt' as const, options: { unit: { value: 's', source: 'default' as const } } };
  const trials = (levels: readonly number[], sd = 0.003) => [
    ...levels.map((level, i) =>
      trialOf(around(level, i === 2 ? 0.05 : sd), { benchmark: 'mix', params: { rounds: 64 * 2 ** i } }),
    ),
    trialOf(around(levels[0]!), { benchmark: 'rate', ...rate }),
  ];
  const before = runOf(trials([100, 200, 300, 400]), 'old.json');
  const after = runOf([...trials([90, 200.2, 301, 460]), trialOf([1], { benchmark: 'new' })], 'new.json', {
    id: '20260102-000000-abcd',
    environment: { ...environment, host: 'lab2', node: '24.1.0' },
  });
  t.is(...golden('two-files', compareLines(compareRuns(before, after, {}, unlike(before, after)))));
});

test('one file: baseline, winner, quantiles of a sampled benchmark', (t) => {
  const run = runOf([
    trialOf(around(100), { benchmark: 'base', baseline: true }, 0),
    trialOf(around(80, 0.01, 3), { benchmark: 'a' }, 1),
    trialOf(around(80.3, 0.01, 5), { benchmark: 'b' }, 2),
    trialOf([70, 71], { benchmark: 'short' }, 3),
  ]);
  t.is(...golden('one-file', compareLines(compareWithin(run))));
});

test('secondary rows: counters with and without direction, below the score and outside of the count', (t) => {
  const counting = (level: number, hits: number, misses: number) => {
    const made = trialOf(around(level), { counters: { hits: 'operations', misses: 'events', lost: 'events' } });
    const forks = made.forks.map((fork, f) => ({
      ...fork,
      iterations: fork.iterations.map((iteration) => ({
        ...iteration,
        counters: { hits: iteration.ops * hits, misses: misses + (f % 3), lost: 0 },
      })),
    }));
    return { ...made, forks };
  };
  const lines = compareLines(compareRuns(runOf([counting(100, 0.5, 40)]), runOf([counting(90, 0.4, 80)], 'b.json')));
  t.is(...golden('secondary', lines));
  t.true(lines.every((line) => !line.includes('all of the measured time')));
});

test('the score that was not judged stands beside the one that was', (t) => {
  const disturbed = (of: Trial, quiet: readonly number[], share: number): Trial => ({
    ...of,
    forks: of.forks.map((fork, f) => ({
      ...fork,
      iterations: fork.iterations.map((i) => ({
        ...i,
        aware: { score: quiet[f]!, excludedNs: i.elapsedNs * share, excludedChunks: 2 },
      })),
    })),
  });
  const trials = (level: number, noisy: number, share: number) => [
    disturbed(trialOf(around(noisy, 0.05), { benchmark: 'lost' }), around(level, 0.003), share),
    disturbed(trialOf(around(level, 0.003), { benchmark: 'kept' }), around(level, 0.003), 0),
  ];
  const [before, after] = [runOf(trials(100, 103, 0.03)), runOf(trials(90, 104, 0.15), 'b.json')];
  t.is(...golden('plain', compareLines(compareRuns(before, after))));
  t.is(...golden('aware', compareLines(compareRuns(before, after, { score: 'aware' }))));
});

test('JMH files', (t) => {
  const read = (name: string) => {
    const any = parseAnyResult(readFileSync(fixture(`fixtures/jmh/${name}.json`), 'utf8'), name);
    return comparedJmh(any.kind === 'jmh' ? any.records : [], `${name}.json`);
  };
  t.is(...golden('jmh', compareLines(compareRuns(read('before'), read('after')))));
});

test('ratios have four decimals near 1 and four digits elsewhere; a name cannot break a line', (t) => {
  t.deepEqual([0.98765432, 1, 123.456, 0.0012345].map(ratioText), ['0.9877', '1.0000', '123.5', '0.001234']);
  const lines = compareLines(
    compareRuns(runOf([trialOf(around(1), { suite: 'a\nb' })], 'x\ny'), runOf([trialOf(around(2), { suite: 'a\nb' })])),
  );
  t.true(lines.every((line) => !line.includes('\n')));
});

test('verdicts in words: which way an undecided one leans, and a star where the ratio is not 1', (t) => {
  const [row] = compareRuns(runOf([trialOf(around(100))]), runOf([trialOf(around(90))])).rows;
  const cell = (over: object) => compareTable([{ ...row!, ...over }], 0.95).join(' ');
  const shown = (verdict: string, reading: string, excludesOne: boolean) =>
    /(improved|regressed|equivalent|inconclusive).*$/.exec(cell({ verdict, reading, excludesOne }))![0].trim();
  t.is(shown('improved', 'better', true), 'improved');
  t.is(shown('regressed', 'worse', true), 'regressed');
  t.is(shown('equivalent', 'same', false), 'equivalent');
  t.is(shown('equivalent', 'same', true), 'equivalent*');
  t.is(shown('inconclusive', 'anything', false), 'inconclusive');
  t.is(shown('inconclusive', 'better-or-same', true), 'inconclusive* (better or same)');
  t.is(shown('inconclusive', 'worse-or-same', false), 'inconclusive (worse or same)');
  t.deepEqual([0.1, 9.9999, 10, 0.09999].map(ratioText), ['0.1000', '9.9999', '10.00', '0.09999']);
});
