import { readFileSync } from 'node:fs';
import test from 'ava';
import { parseAnyResult } from '#lib/result/index.js';
import { parseScoreUnit, unitFactor } from '#lib/result/units.js';
import { fixture } from '../support/cli.js';

test('units of scores: times per op and ops per time, JMH’s spellings among them, and nothing else', (t) => {
  t.deepEqual(parseScoreUnit('us/op'), { rate: false, ns: 1e3 });
  t.deepEqual(parseScoreUnit('ops/ms'), { rate: true, ns: 1e6 });
  t.deepEqual(parseScoreUnit('ops/min'), { rate: true, ns: 6e10 });
  t.deepEqual(
    [parseScoreUnit('hr/op')?.ns, parseScoreUnit('h/op')?.ns, parseScoreUnit('day/op')?.ns],
    [3.6e12, 3.6e12, 8.64e13],
  );
  for (const unit of ['us', 'op', 'ops', 'ops/', '/op', 'MB/sec', '#', 'us/ops', 'ms/s'])
    t.is(parseScoreUnit(unit), null, unit);
});

test('a score in one unit is multiplied into another of its kind', (t) => {
  t.is(unitFactor('us/op', 'ns/op'), 1000);
  t.is(unitFactor('ns/op', 'us/op'), 1 / 1000);
  t.is(unitFactor('s/op', 'ms/op'), 1000);
  // 5 ops/ms are 5,000 ops/s.
  t.is(unitFactor('ops/ms', 'ops/s'), 1000);
  t.is(unitFactor('ops/s', 'ops/ms'), 1 / 1000);
  t.is(unitFactor('ops/min', 'ops/s'), 1 / 60);
  t.is(unitFactor('#', '#'), 1);
  for (const [from, to] of [
    ['ops/s', 's/op'],
    ['s/op', 'ops/s'],
    ['ns/op', '#'],
    ['#', 'ns/op'],
    ['#', 'MB/sec'],
  ] as const) {
    t.is(unitFactor(from, to), null, `${from} ${to}`);
  }
});

test('of a file of JMH the facts and options are read that make runs unlike, and only those that are there', (t) => {
  const text = readFileSync(fixture('fixtures/jmh/before.json'), 'utf8');
  const read = (change: (record: Record<string, unknown>) => void = () => undefined) => {
    const [record] = JSON.parse(text) as [Record<string, unknown>];
    change(record);
    const any = parseAnyResult(JSON.stringify([record]), 'x.json');
    if (any.kind !== 'jmh') throw new Error(any.kind);
    return any.records[0]!;
  };
  const { facts, options, forks, threads, params } = read();
  t.deepEqual(facts as object, {
    jmhVersion: '1.37',
    jvm: '/usr/lib/jvm/bin/java',
    jdkVersion: '21.0.2',
    vmName: 'OpenJDK 64-Bit Server VM',
    vmVersion: '21.0.2+13',
    jvmArgs: '-Xmx1g',
  });
  t.deepEqual(options as object, {
    threads: 1,
    warmupIterations: 5,
    warmupTime: '1 s',
    warmupBatchSize: 1,
    measurementIterations: 5,
    measurementTime: '1 s',
    measurementBatchSize: 1,
  });
  t.deepEqual([forks, threads, params], [5, 1, { rounds: '64' }]);
  const bare = read((record) => {
    for (const name of ['jmhVersion', 'jvmArgs', 'warmupTime', 'params', 'secondaryMetrics']) delete record[name];
    delete (record.primaryMetric as Record<string, unknown>).rawData;
  });
  t.false('jmhVersion' in bare.facts || 'jvmArgs' in bare.facts || 'warmupTime' in bare.options);
  t.deepEqual([bare.rawData, bare.rawDataHistogram, bare.params, bare.secondary], [null, null, {}, {}]);
  // A list in which one member is something else is no file of JMH.
  t.throws(() => parseAnyResult(JSON.stringify([...JSON.parse(text), { benchmark: 'x' }]), 'x.json'));
});
