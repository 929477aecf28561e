import test from 'ava';
import { judgeSeries, type Series } from '#lib/history/index.js';
import { historyLines, historyTable } from '#lib/report/history.js';
import { plot } from '#lib/report/plot.js';

const series = (values: readonly number[], over: Partial<Series> = {}): Series => ({
  trial: 'a.bench.ts:S.f:avgt:{}',
  name: 'S.f',
  params: { n: 4 },
  mode: 'avgt',
  unit: 'ns/op',
  better: 'lower',
  host: 'lab1',
  cpu: 'Example CPU',
  node: '24.0.0',
  policy: 'abc',
  points: values.map((value, i) => ({
    run: `r${i}`,
    at: `2026-01-${String(i + 1).padStart(2, '0')}`,
    value,
    se: 1,
    forks: 10,
  })),
  incomplete: 0,
  ...over,
});

const label = (value: number) => value.toFixed(0);

test('a plot puts the greatest value at the top, each value in its column and marks below', (t) => {
  t.deepEqual(plot([1, 1, 3, 5], { width: 20, height: 5, label, marks: [2] }).lines, [
    '5 |   *',
    '  |',
    '3 |  *',
    '  |',
    '1 |**',
    '  +----',
    '     ^',
  ]);
  t.deepEqual(plot([2, 2], { width: 20, height: 3, label, marks: [] }).lines, ['  |', '2 |**', '  |', '  +--']);
  const long = plot(
    Array.from({ length: 100 }, (_, i) => i),
    { width: 30, height: 4, label, marks: [99] },
  );
  t.is(long.perColumn, 4);
  t.true(long.lines.every((line) => line.length <= 40));
});

test('one series: what it is of, plot, change with verdict, newest run', (t) => {
  const values = [...Array(8)].map((_, i) => 100 + (i % 3) / 5).concat([...Array(8)].map((_, i) => 120 + (i % 3) / 5));
  const lines = historyLines(judgeSeries(series(values, { incomplete: 1 })), 80);
  const text = lines.join('\n');
  t.regex(
    text,
    /^S\.f \(n=4\), avgt, lower is better\nlab1, Example CPU, Node 24\.0\.0, policy abc\nns\/op, 16 runs from 2026-01-01 to 2026-01-16\n/,
  );
  t.regex(text, /\n120\.400 \| {8}.*\*/);
  t.regex(text, /\n2026-01-09 +r8 +1\.\d{4} +\[1\.\d{4}, 1\.\d{4}\] +regressed\n/);
  t.regex(text, /\nNewest run: .* of the level before it \(7 runs\): within what runs of this level vary\./);
  t.regex(text, /\n1 run failed or interrupted, not shown\.$/);
  t.regex(
    historyLines(judgeSeries(series([1, 2])), 80).join('\n'),
    /Newest run: 2 runs at the present level; from 6 on/,
  );
  t.is(historyLines(judgeSeries(series([])), 80).length, 2);
});

test('the table has a line for each series, with the last change that matters', (t) => {
  const values = [...Array(8)].map((_, i) => 100 + (i % 3) / 5).concat([...Array(8)].map((_, i) => 80 + (i % 3) / 5));
  const lines = historyTable([judgeSeries(series(values)), judgeSeries(series([5]))]);
  t.is(lines.length, 3);
  t.regex(lines[1]!, /^S\.f \(n=4\) +avgt +lab1 +24\.0\.0 +abc +16 +80\.200 +ns\/op +0\.\d{4} improved r8$/);
  t.regex(lines[2]!, / 1 +5\.000 +ns\/op$/);
});

test('levels at both ends of what a number can hold, and names with control characters, make a clean plot', (t) => {
  const steps = [...Array<number>(7).fill(1e308), ...Array<number>(7).fill(1e-308)];
  const swings = Array.from({ length: 12 }, (_, i) => (i % 2 ? 1e308 : 5e-324));
  for (const values of [steps, swings]) {
    for (const better of ['lower', 'higher'] as const) {
      const odd = { name: 'S.\u001b[31mf', node: '\u001b[31m', policy: 'a\tb', unit: 'ns/op\u001b[0m', better };
      const history = judgeSeries(series(values, odd));
      const lines = [...historyLines(history, 60), ...historyTable([history])].join('\n');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
      t.notRegex(lines, /NaN|Infinity|[\u0000-\u0009\u000b-\u001f]/);
      for (const { ratio, interval } of [...history.changes, ...(history.latest ? [history.latest] : [])]) {
        t.true([ratio, ...interval].every((value) => value > 0 && value < Infinity));
      }
    }
  }
  t.is(judgeSeries(series(steps)).changes.length, 1);
});
