/** JMH's JSON and CSV read by others: a schema of the documented format, a CSV parser, numbers from another library. */

import { readFileSync } from 'node:fs';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { Ajv } from 'ajv';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { bucketPercentile } from '#lib/analysis/jmh/metric.js';
import { jmhBenchmarks } from '#lib/analysis/jmh.js';
import { reporterOf } from '#lib/report/formats/index.js';
import { parseAnyResult, parseResult } from '#lib/result/index.js';
import { fixture } from '../../support/cli.js';
import { formatsRun, inFormat } from '../../support/formats.js';
import { jmhSchema } from '../../support/jmh-schema.js';
import { exampleResult, trial } from '../../support/result.js';

const jmh = new Ajv({ strictTypes: false, strictTuples: false }).compile(jmhSchema);
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(b);

interface Metric {
  readonly score: number | string;
  readonly scoreError: number | string;
  readonly scoreConfidence: readonly [number | string, number | string];
  readonly scorePercentiles: Record<string, number>;
  readonly scoreUnit: string;
  readonly rawData?: number[][];
  readonly rawDataHistogram?: [number, number][][][];
}
interface Entry extends Record<string, unknown> {
  readonly benchmark: string;
  readonly mode: string;
  readonly primaryMetric: Metric;
  readonly secondaryMetrics: Record<string, Metric>;
}
const jsonOf = (result = formatsRun()) => JSON.parse(inFormat('json', result)) as Entry[];
const one = (mode: string, entries = jsonOf()) => entries.find((entry) => entry.mode === mode)!;

test('the JSON is what JMH documents, field by field', (t) => {
  const entries = jsonOf();
  t.true(jmh(entries), JSON.stringify(jmh.errors));
  t.is(entries.length, 6, 'the failed trial has no record');
  // The schema is not of rubber.
  const broken: ((entry: Record<string, unknown>) => void)[] = [
    (entry) => delete entry.secondaryMetrics,
    (entry) => void (entry.params = { n: 1 }),
    (entry) => void (entry.params = {}),
    (entry) => void (entry.benchmark = 'nodots'),
    (entry) => void (entry.warmupTime = '1'),
    (entry) => void ((entry.primaryMetric as Record<string, unknown>).score = null),
    (entry) => void ((entry.primaryMetric as Record<string, unknown>).rawData = [1]),
    (entry) =>
      void delete (entry.primaryMetric as { scorePercentiles: Record<string, unknown> }).scorePercentiles['99.9'], // prettier-ignore
  ];
  for (const damage of broken) {
    const [first] = jsonOf();
    damage(first!);
    t.false(jmh([first]), damage.toString());
  }
});

test('score, error and bounds are those of all iterations in one list at 99.9 %', (t) => {
  const { score, scoreError, scoreConfidence, rawData, scoreUnit, scorePercentiles } = one('avgt').primaryMetric;
  const raw = [
    [10, 11],
    [12, 11],
    [10, 10],
  ];
  t.deepEqual(rawData, raw);
  t.is(scoreUnit, 'ns/op');
  const all = raw.flat();
  const mean = all.reduce((a, b) => a + b) / 6;
  const sd = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 5);
  const error = (tQuantile(0.9995, 5) * sd) / Math.sqrt(6);
  t.true(near(score as number, mean));
  t.true(near(scoreError as number, error));
  t.true(near(scoreConfidence[0] as number, mean - error) && near(scoreConfidence[1] as number, mean + error));
  // Type 6: position 7 p in 10 10 10 11 11 12.
  t.is(scorePercentiles['50.0'], 10.5);
  t.is(scorePercentiles['0.0'], 10);
  t.is(scorePercentiles['100.0'], 12);
});

test('sampled times: buckets in the unit, exact ends, percentiles as secondary metrics without error', (t) => {
  const { primaryMetric, secondaryMetrics } = one('sample');
  t.is(primaryMetric.rawData, undefined);
  t.deepEqual(
    primaryMetric.rawDataHistogram![1],
    Array(2).fill([
      [20, 90],
      [31, 9],
      [4000, 1],
    ]),
  ); // prettier-ignore
  const n = 600;
  const values = [0, 1, 2].flatMap((i) =>
    [0, 1].flatMap(() => [...Array(90).fill(20), ...Array(9).fill(30 + i), 4000]),
  );
  const mean = values.reduce((a, b) => a + b) / n;
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  t.true(near(primaryMetric.score as number, mean));
  t.true(near(primaryMetric.scoreError as number, (tQuantile(0.9995, n - 1) * sd) / Math.sqrt(n)));
  // Position 0.99 x 601 = 594.99; the 594th of the sorted samples is 32, the next 4000.
  t.true(near(primaryMetric.scorePercentiles['99.0']!, 32 + 0.99 * (4000 - 32)));
  t.deepEqual(Object.keys(secondaryMetrics), [
    'p0.00',
    'p0.50',
    'p0.90',
    'p0.95',
    'p0.99',
    'p0.999',
    'p0.9999',
    'p1.00',
  ]);
  const p50 = secondaryMetrics['p0.50']!;
  t.is(p50.score, 20);
  t.is(p50.scoreError, 'NaN');
  t.deepEqual(p50.scoreConfidence, ['NaN', 'NaN']);
  t.deepEqual(p50.rawData, Array(3).fill([20, 20]));
  t.is(secondaryMetrics['p1.00']!.score, 4000);
});

test('percentiles of counted values are those of the values written out', (t) => {
  const buckets: [number, number][] = [
    [1, 3],
    [2, 1],
    [10, 4],
  ]; // prettier-ignore
  // 1 1 1 2 10 10 10 10 at position 9 p.
  t.is(bucketPercentile(buckets, 0.5), 2 + 0.5 * 8);
  t.is(bucketPercentile(buckets, 0), 1);
  t.is(bucketPercentile(buckets, 1), 10);
  t.is(bucketPercentile(buckets, 0.4), 1 + 0.6 * 1);
});

test('group methods and operation counters are rates; events are sums with bounds equal to the sum', (t) => {
  const { threads, secondaryMetrics } = one('thrpt') as Entry & { threads: number };
  t.is(threads, 2);
  t.deepEqual(Object.keys(secondaryMetrics), ['hits', 'put', 'spun', 'take']);
  const { put, hits, spun } = secondaryMetrics as Record<string, Metric>;
  t.is(put!.scoreUnit, 'ops/s');
  // A twentieth of the score in ops over 0.1 s.
  t.true(near(put!.rawData![0]![0]!, 2e7 / 20 / 0.1));
  // A tenth of the score in 0.1 s in each of two threads.
  t.true(near(spun!.rawData![0]![0]!, 2 * (2e7 / 10 / 0.1)));
  t.is(hits!.score, 42);
  t.is(hits!.scoreError, 'NaN');
  t.deepEqual(hits!.scoreConfidence, [42, 42]);
  t.is(hits!.scoreUnit, '#');
});

test('two values have no interval, written NaN; single shot has no times', (t) => {
  const { primaryMetric, ...entry } = jsonOf({
    ...formatsRun(),
    trials: [{ ...formatsRun().trials[0]!, forks: formatsRun().trials[0]!.forks.slice(0, 1) }],
  })[0]!;
  t.is(primaryMetric.scoreError, 'NaN');
  t.deepEqual(primaryMetric.scoreConfidence, ['NaN', 'NaN']);
  t.is(entry.warmupTime, '100 ms');
  const ss = one('ss') as Entry & { warmupTime: string; measurementTime: string };
  t.deepEqual([ss.warmupTime, ss.measurementTime], ['single-shot', 'single-shot']);
  t.is(ss.primaryMetric.scoreUnit, 'ns/op');
});

test('names are dotted from file to benchmark, and files that differ only in extension stay apart', (t) => {
  t.is(one('avgt').benchmark, 'bench.lookup.Lookup.linearSearch');
  const files = ['a/b.bench.ts', 'a/b.bench.mjs', '../c.js', ''];
  const trials = files.map((file) => ({ ...trial([[1], [1], [1]]), file }));
  t.deepEqual(
    jmhBenchmarks(exampleResult({ trials })).map(({ name }) => name),
    ['a.b.bench.ts.S.f', 'a.b.bench.mjs.S.f', 'c.S.f', 'S.f'],
  );
});

test('minutes and hours have the names of JMH', (t) => {
  const of = (mode: 'avgt' | 'thrpt', unit: string) =>
    jmhBenchmarks({
      trials: [{ ...formatsRun().trials[0]!, mode, options: { unit: { value: unit, source: 'suite' } } }],
    })[0]!.primary!.unit;
  t.deepEqual([of('avgt', 'm'), of('thrpt', 'h'), of('thrpt', 'us')], ['min/op', 'ops/hr', 'ops/us']);
});

test('the JSON is read back with the same forks by the reader of JMH files', (t) => {
  const any = parseAnyResult(inFormat('json'), 'own');
  t.is(any.kind, 'jmh');
  if (any.kind !== 'jmh') return;
  t.deepEqual(any.records[0]!.rawData, [
    [10, 11],
    [12, 11],
    [10, 10],
  ]);
  t.deepEqual(any.records[0]!.params, { size: '16', kind: 'int|float' });
});

for (const [id, delimiter] of [
  ['csv', ','],
  ['scsv', ';'],
] as const) {
  // prettier-ignore
  test(`${id}: a CSV parser reads every row, NaN for a failed trial, empty for a param that a benchmark lacks`, (t) => {
    const text = inFormat(id);
    t.true(text.split('\n').every((line) => line === '' || line.endsWith('\r')));
    const rows = parse(text, { columns: true, delimiter, record_delimiter: '\r\n' }) as Record<string, string>[];
    t.deepEqual(Object.keys(rows[0]!), [
      'Benchmark',
      'Mode',
      'Threads',
      'Samples',
      'Score',
      'Score Error (99.9%)',
      'Unit',
      'Param: kind',
      'Param: size',
    ]); // prettier-ignore
    t.is(rows.length, 7 + 8 + 4);
    t.deepEqual(rows[0]!['Param: kind'], 'int|float');
    const sampled = rows.find((row) => row.Mode === 'sample')!;
    t.deepEqual([sampled.Samples, sampled['Param: size']], ['600', '']);
    t.is(rows.find((row) => row.Benchmark!.endsWith(':p0.50'))!.Score, '20');
    const failed = rows.find((row) => row.Benchmark!.endsWith('.broken'))!;
    t.deepEqual([failed.Samples, failed.Score, failed.Unit], ['0', 'NaN', '']);
  });
}

test('what a format has no place for is said', (t) => {
  t.deepEqual(reporterOf('json')!.leavesOut!(formatsRun()), ['Queue.broken has no score and is left out.']);
  t.deepEqual(reporterOf('json')!.leavesOut!(exampleResult({ trials: [] })), []);
  t.is(reporterOf('csv')!.leavesOut, undefined);
});

test('the whole result is read by the published schema and by our reader', (t) => {
  const text = inFormat('tscope');
  const schema = JSON.parse(readFileSync(fixture('../schema/tscope-result-1.schema.json'), 'utf8')) as object;
  const published = new Ajv({ strict: false }).compile(schema);
  t.true(published(JSON.parse(text)), JSON.stringify(published.errors));
  t.deepEqual(parseResult(text, 'own'), formatsRun());
  t.false(published({ ...JSON.parse(text), trials: [{}] }));
});
