/** What each consumer needs beyond names: directions, units, bounds, failures. */
import { Ajv } from 'ajv';
import test from 'ava';
import { completeResult } from '#lib/analysis/complete.js';
import { decimal } from '#lib/report/formats/escape.js';
import { reporterOf } from '#lib/report/formats/index.js';
import type { RunResult } from '#lib/result/model.js';
import { around, resultOf, trialOf } from '../../support/compare.js';
import { formatsRun, inFormat, namedRun } from '../../support/formats.js';
import { readGoBenchmarks, readMarkdown, readTeamCity, readXml, type Xml } from '../../support/read-back.js';

const leftOut = (id: string, result: RunResult = formatsRun()) => reporterOf(id)!.leavesOut!(result);
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(b);

/** A baseline and an arm that costs a fifth more. */
const slower = (): RunResult =>
  completeResult(
    resultOf([
      trialOf(around(100, 0.003), { benchmark: 'old', baseline: true }),
      trialOf(around(120, 0.003, 2), { benchmark: 'new' }, 1),
    ]),
    { allow: new Set(), flags: new Set() },
  );

test('Bencher: latency in ns and throughput in ops/s whatever the unit, bounds of the interval, percentiles apart', (t) => {
  const metric = {
    type: 'object',
    required: ['value'],
    additionalProperties: false,
    properties: { value: { type: 'number' }, lower_value: { type: 'number' }, upper_value: { type: 'number' } },
  };
  const schema = {
    type: 'object',
    additionalProperties: { type: 'object', minProperties: 1, additionalProperties: metric },
  };
  const bmf = JSON.parse(inFormat('bmf')) as Record<string, Record<string, { value: number; lower_value?: number }>>;
  t.true(new Ajv().compile(schema)(bmf));
  // Its unit is us.
  t.true(near(bmf['Lookup.binarySearch']!.latency!.value, formatsRun().trials[2]!.score!.value * 1000));
  t.true(near(bmf['Lookup.binarySearch']!.latency!.lower_value!, formatsRun().trials[2]!.score!.interval![0] * 1000));
  t.is(bmf['Lookup.binarySearch [sample]']!['latency-p99']!.value, 32);
  t.is(bmf['Queue.queue']!.throughput!.value, formatsRun().trials[5]!.score!.value);
  t.is(bmf['Queue.broken'], undefined);
  t.deepEqual(leftOut('bmf'), ['Queue.broken has no score and is left out.']);
  t.regex(leftOut('bmf', namedRun('a'.repeat(2000), 'b', 'c', 'd', 'e'))[1]!, /more than 1024 characters/);
});

test('two trials that would share a name get their ids; a history keeps its names otherwise', (t) => {
  const twice = slower();
  const [a, b] = twice.trials as [RunResult['trials'][number], RunResult['trials'][number]];
  const other = { ...a, file: 'b.bench.ts', id: a.id.replace('a.bench', 'b.bench') };
  t.deepEqual(Object.keys(JSON.parse(inFormat('bmf', { ...twice, trials: [a, b, other] })) as object), [
    a.id,
    'S.new',
    other.id,
  ]);
});

test('github-action-benchmark: smaller is better for times, bigger for rates; each file says what it leaves out', (t) => {
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      required: ['name', 'unit', 'value'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        unit: { type: 'string' },
        value: { type: 'number' },
        range: { type: 'string' },
        extra: { type: 'string' },
      },
    },
  };
  const valid = new Ajv().compile(schema);
  const smaller = JSON.parse(inFormat('github-action')) as { unit: string; range: string; extra: string }[];
  const bigger = JSON.parse(inFormat('github-action-bigger')) as { unit: string }[];
  t.true(valid(smaller) && valid(bigger));
  t.deepEqual(new Set(smaller.map(({ unit }) => unit)), new Set(['ns/op', 'us/op']));
  t.deepEqual(
    bigger.map(({ unit }) => unit),
    ['ops/s'],
  );
  t.regex(smaller[0]!.range, /^± 1\.87/);
  t.regex(smaller[0]!.extra, /3 forks, 95 % interval, Student t on fork scores/);
  t.deepEqual(leftOut('github-action'), [
    'Queue.broken has no score and is left out.',
    '1 trial is better the other way and left out: write it with -rf github-action-bigger=FILE.',
  ]);
  t.regex(leftOut('github-action-bigger', slower()).at(-1)!, /refuses an empty list/);
});

test('benchstat: a line per fork, ns/op whatever the unit, rates declared as better when higher, populations apart', (t) => {
  const { lines, units, config, fails } = readGoBenchmarks(inFormat('gobench'));
  t.deepEqual(units, ['Unit ops/s better=higher']);
  t.is(config.get('node'), '24.0.0');
  t.is(config.get('pkg'), 'bench/queue.bench.ts');
  const of = (name: string) => lines.filter((line) => line.name === name);
  t.deepEqual(
    of('Lookup/binarySearch').map(({ values }) => values[0]![1]),
    ['ns/op', 'ns/op', 'ns/op'],
  );
  // 2 x 0.1 s in 10 and 11 ns; its unit is us.
  t.true(near(of('Lookup/binarySearch')[0]!.values[0]![0], 2 / (1 / 10 + 1 / 11)));
  t.deepEqual(of('Lookup/binarySearch/mode=sample')[2]!.values.slice(1), [
    [20, 'p50-ns/op'],
    [20, 'p90-ns/op'],
    [32, 'p99-ns/op'],
  ]); // prettier-ignore
  t.deepEqual(
    of('Queue/queue').map(({ procs, values }) => [procs, ...values[0]!]),
    [
      [2, 2.05e7, 'ops/s'],
      [2, 2.1e7, 'ops/s'],
      [2, 1.95e7, 'ops/s'],
    ],
  ); // prettier-ignore
  t.deepEqual(fails, ['BenchmarkQueue/broken-1']);
  t.throws(() => readGoBenchmarks('Benchmarkfoo-1\t1\t2 ns/op'), { message: /small letter/ });
  t.throws(() => readGoBenchmarks('BenchmarkFoo-1\t1\t2'), { message: /odd fields/ });
});

test('numbers have no exponents for readers that know none', (t) => {
  const numbers = [0, 1, -1.5, 1e21, 1.25e-7, -3e-10, 123456789.125, 1.7976931348623157e308, 5e-324];
  for (const n of numbers) {
    t.regex(decimal(n), /^-?\d+(\.\d+)?$/);
    t.is(Number(decimal(n)), n);
  }
});

test('JUnit: a failed trial is an error, one that regressed against its baseline a failure, counts agree', (t) => {
  const [suites] = readXml(inFormat('junit', slower())).testsuites as [Xml];
  t.deepEqual([suites.tests, suites.errors, suites.failures], ['2', '0', '1']);
  const cases = (suites.testsuite as [Xml])[0].testcase as Xml[];
  t.is(cases[0]!.failure, undefined);
  const [failure] = cases[1]!.failure as [Xml];
  t.regex(
    failure.message as string,
    /^regressed against S\.old: cost ratio 1\.20\d\d \[1\.\d+, 1\.\d+\] at 95 %, delta 1 %$/,
  );
  const loose = inFormat('junit', slower(), { delta: 0.3 });
  t.is((readXml(loose).testsuites as [Xml])[0].failures, '0', 'judged as asked');
  const [all] = readXml(inFormat('junit')).testsuites as [Xml];
  t.deepEqual([all.tests, all.errors, all.failures], ['7', '1', '0']);
  const broken = ((all.testsuite as [Xml, Xml])[1].testcase as Xml[])[1]!;
  t.is(broken.name, 'Queue.broken');
  t.is((broken.error as [Xml])[0].type, 'benchmark');
});

test('Markdown: tables that GitHub reads, the comparison with its delta, findings folded away', (t) => {
  const { tables, html } = readMarkdown(inFormat('md', slower()));
  t.deepEqual(
    tables.map((table) => table[0]!.slice(0, 2)),
    [
      ['Benchmark', 'Mode'],
      ['Candidate', 'Against'],
    ],
  ); // prettier-ignore
  t.deepEqual([tables[1]![1]![0], tables[1]![1]!.at(-1)], ['S.new', 'regressed']);
  t.regex(html, /interval of the plain score against 1 ± 1 %/);
  const failed = readMarkdown(inFormat('github'));
  t.regex(failed.html, /<h3>tscope: 7 trials, 1 failed<\/h3>/);
  t.regex(failed.html, /<details>\s*<summary>3 findings<\/summary>/);
  t.is(failed.tables[0]!.at(-1)![5], 'failed');
  t.true(failed.tables[0]!.every((row) => row.length === 8));
});

test('TeamCity: a statistic per score and error, a build problem per failure', (t) => {
  const messages = readTeamCity(inFormat('teamcity'));
  const statistics = messages.filter(({ name }) => name === 'buildStatisticValue');
  t.is(statistics.length, 6 + 6 + 8 + 4);
  t.is(Number(statistics[0]!.attributes.value), formatsRun().trials[0]!.score!.value);
  t.deepEqual(messages.at(-1), {
    name: 'buildProblem',
    attributes: { description: 'Queue.broken: benchmark: RangeError: boom, "quoted"' },
  });
});
