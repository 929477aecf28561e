/** What comparisons make of runs that are unlike, incomplete or odd: a status and a sentence, never NaN, never a crash. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { comparedJmh, comparedNodeBench, compareRuns, gate, unlike } from '#lib/analysis/compare/index.js';
import { parseAnyResult, ResultFileError } from '#lib/result/index.js';
import type { RunResult } from '#lib/result/model.js';
import { fixture } from '../../support/cli.js';
import { around, runOf, trialOf } from '../../support/compare.js';
import { environment, fork } from '../../support/result.js';

const row = (before: readonly number[], after: readonly number[], over = {}) =>
  compareRuns(runOf([trialOf(before)]), runOf([trialOf(after, over)])).rows[0]!;

test('odd scores have a status, a sentence and no verdict', (t) => {
  const cases = [
    [[10], [11], 'too-few-forks', 'too-few-forks'],
    [[10, 11], around(10), 'too-few-forks', 'too-few-forks'],
    [[0, 0, 0], [1, 2, 3], 'not-positive', 'not-positive'],
    [[-1, -2, -3], [1, 2, 3], 'not-positive', 'not-positive'],
    // Their means are above zero, but no time is negative.
    [[10, 10, 11], [-1, 10, 11], 'not-positive', 'not-positive'],
    [[10, 10, 11], [0, 10, 11], 'not-positive', 'not-positive'],
    [[1e-308, 2e-308, 1.5e-308], [1e308, 1.5e308, 1.2e308], 'unbounded', 'unbounded'],
    [[], around(10), 'no-data', 'no-data'],
  ] as const;
  for (const [before, after, status, note] of cases) {
    // A score of zero cannot come out of ops over time, so it is written where JMH could have written it.
    const records = [before, after].map((scores) => jmhRun(scores.map((score) => [score])));
    const found = compareRuns(records[0]!, records[1]!).rows[0]!;
    t.is(found.status, status);
    t.is(found.verdict, 'inconclusive');
    t.is(found.interval, null);
    t.true(found.notes.some(({ id, message }) => id === note && message.length > 20));
    t.notRegex(JSON.stringify(found), /NaN|Infinity/);
  }
});

const jmhRun = (rawData: readonly (readonly number[])[], unit = 'ns/op') =>
  comparedJmh(
    [
      {
        benchmark: 'org.Hash.mix',
        mode: 'avgt',
        params: {},
        threads: 1,
        forks: rawData.length,
        facts: {},
        options: {},
        unit,
        rawData,
        rawDataHistogram: null,
        secondary: {},
      },
    ],
    'x.json',
  );

test('equal scores give an interval without width and a note; one iteration is enough', (t) => {
  const same = row([10, 10, 10], [10, 10, 10]);
  t.deepEqual([same.status, same.verdict, same.ratio], ['constant', 'equivalent', 1]);
  t.deepEqual(same.interval, [1, 1]);
  t.true(same.notes.some(({ id }) => id === 'constant'));
  t.is(row([10, 10, 10], [12, 12, 12]).verdict, 'regressed');
});

test('scores at both ends of what a number can hold are compared like any others', (t) => {
  for (const method of ['log-delta', 'geometric', 'fieller', 'bootstrap'] as const) {
    for (const level of [1e-308, 1e-200, 1e200, 1e307]) {
      const [before, after] = [around(10), around(8)].map((list) =>
        jmhRun(list.map((score) => [(score / 10) * level])),
      );
      const found = compareRuns(before!, after!, { method }).rows[0]!;
      t.deepEqual([found.status, found.verdict], ['ok', 'improved'], `${method} at ${level}`);
      t.notRegex(JSON.stringify(found), /null,null|NaN|Infinity/);
    }
  }
});

test('a trial that is there twice is told, and is no success under --strict', (t) => {
  const twice = (name: string) => {
    const { arms, ...rest } = jmhRun(around(10).map((score) => [score]));
    return { ...rest, name, arms: [...arms, ...arms] };
  };
  const once = jmhRun(around(8).map((score) => [score]));
  t.is(gate(compareRuns(jmhRun(around(10).map((score) => [score])), once)), 'ok');
  for (const [before, after, id] of [
    [twice('x'), once, 'twice-in-baseline'],
    [once, twice('y'), 'twice-in-candidate'],
  ] as const) {
    const found = compareRuns(before, after);
    t.is(found.rows.length, 1);
    const note = found.notes.find((one) => one.id === id);
    t.regex(note?.message ?? '', /org\.Hash\.mix/);
    if (id === 'twice-in-baseline') t.is(gate(found), 'inconclusive');
  }
});

test('two forks still say how many would decide, one fork cannot', (t) => {
  t.true(row([10, 11], [10, 10.5]).forksNeeded! > 2);
  t.is(row([10], [10]).forksNeeded, null);
});

test('unequal forks are used as they are, unequal iterations are told', (t) => {
  const fewer = row(around(100), around(80).slice(0, 6));
  t.deepEqual([fewer.baseline.forks, fewer.candidate.forks, fewer.verdict], [10, 6, 'improved']);
  const uneven = row(around(100), [1], { forks: around(80).map((ns, i) => fork(i, i === 0 ? [ns] : [ns, ns])) });
  t.is(uneven.verdict, 'improved');
  t.true(
    uneven.notes.some(({ id, message }) => id === 'unequal-iterations' && /between 1 and 2 iterations/.test(message)),
  );
});

test('a planned fork that is not there is told; failed forks take the verdict away and fail the gate on the candidate', (t) => {
  const planned = {
    options: { unit: { value: 'ns', source: 'default' as const }, forks: { value: 12, source: 'default' as const } },
  };
  const missing = row(around(100), around(80), planned);
  t.is(missing.verdict, 'improved');
  t.true(missing.notes.some(({ id, message }) => id === 'forks-missing' && /10 of 12 planned forks/.test(message)));

  const failure = { phase: 'benchmark', message: 'boom', stack: null, fork: 3, exitCode: 1, signal: null };
  const broken = trialOf(around(80)).forks.with(3, fork(3, [], { status: 'failed', failure }));
  const comparison = compareRuns(
    runOf([trialOf(around(100))]),
    runOf([trialOf(around(80), { forks: broken, failure })]),
  );
  const failed = comparison.rows[0]!;
  t.deepEqual([failed.status, failed.verdict, failed.ratio], ['failed', 'inconclusive', null]);
  t.true(failed.notes.some(({ message }) => /1 of 10 forks of the candidate failed \(boom\)/.test(message)));
  t.is(gate(comparison), 'failed');
  const reversed = compareRuns(runOf([trialOf(around(80), { forks: broken, failure })]), runOf([trialOf(around(100))]));
  t.is(gate(reversed), 'inconclusive', 'a broken baseline is no fault of the candidate');
});

test('units of one kind are converted, others have no ratio', (t) => {
  const us = { options: { unit: { value: 'us', source: 'command line' as const } } };
  const converted = row(around(1000), around(1000), us);
  t.true(Math.abs(converted.ratio! - 1) < 1e-12);
  t.deepEqual([converted.unit, Math.round(converted.candidate.mean!)], ['ns/op', 1000]);
  t.true(converted.notes.some(({ id }) => id === 'units-converted'));
  const mixed = compareRuns(jmhRun([[1], [2], [3]]), jmhRun([[1], [2], [3]], 'ops/s')).rows[0]!;
  t.deepEqual([mixed.status, mixed.ratio, mixed.verdict], ['mixed-units', null, 'inconclusive']);
});

test('what must be alike is listed when it is not: runtime, machine, flags, backend, policy, options', (t) => {
  const base = runOf([trialOf(around(100))]);
  const other = (over: Partial<RunResult['environment']>) =>
    unlike(base, runOf([trialOf(around(100))], 'b.json', { environment: { ...environment, ...over } })).map(
      (d) => d.what,
    );
  t.deepEqual(other({}), []);
  t.deepEqual(other({ node: '22.0.0' }), ['Node']);
  t.deepEqual(other({ cpuModel: 'Other' }), ['CPU model']);
  t.deepEqual(other({ nodeFlags: ['--no-opt'] }), ['Node flags']);
  t.deepEqual(other({ backend: 'hrtime' }), ['backend']);
  t.deepEqual(other({ governor: 'powersave', turbo: 'on', smt: 'on' }), ['governor', 'turbo', 'SMT']);
  t.deepEqual(other({ arch: 'arm64' }), ['platform']);
  t.deepEqual(other({ host: 'lab2', kernel: '6.2.0', loadAverage: [9, 9, 9] }), [], 'told, not refused');

  const option = (name: string, value: number | string | boolean) => ({
    options: { unit: { value: 'ns', source: 'default' as const }, [name]: { value, source: 'suite' as const } },
  });
  const optioned = (name: string, a: number | string | boolean, b: number | string | boolean) =>
    unlike(runOf([trialOf(around(1), option(name, a))]), runOf([trialOf(around(1), option(name, b))]));
  t.deepEqual(optioned('iterationTimeMs', 100, 200), [
    { what: 'option iterationTimeMs', baseline: '100', candidate: '200', trials: ['a.bench.ts:S.f:avgt:{}'] },
  ]);
  t.is(optioned('opaque', false, true).length, 1);
  t.deepEqual(optioned('forks', 10, 20), [], 'more forks measure the same thing');
  t.deepEqual(optioned('timeoutMs', 10, 20), []);
  for (const name of ['precision', 'precisionRule', 'maxForks', 'budgetMs'])
    t.deepEqual(optioned(name, 1, 2), [], name);
  const kept = unlike(runOf([trialOf(around(1))]), runOf([trialOf(around(1), option('keepEnv', 'CI TZ'))]));
  t.deepEqual(
    kept.map(({ what, baseline, candidate }) => [what, baseline, candidate]),
    [['option keepEnv', 'none', 'CI TZ']],
    'also against a result that says nothing of it',
  );

  const shots = (n: number) => runOf([trialOf(around(1), { mode: 'ss', ...option('iterations', n) })]);
  t.deepEqual(
    unlike(shots(1), shots(5)).map(({ what }) => what),
    ['option iterations'],
    'the shots of a process are not alike',
  );
  t.deepEqual(optioned('iterations', 1, 5), []);
  const flagged = runOf([trialOf(around(1))], 'b.json', { environment: { ...environment, nodeFlags: ['--a', '--b'] } });
  t.deepEqual(
    unlike(base, flagged).map(({ baseline, candidate }) => [baseline, candidate]),
    [['none', '--a --b']],
  );
  const clocked = trialOf(around(100));
  const clock = (source: string) =>
    clocked.forks.map((of, i) => ({
      ...of,
      runtime: { ...of.runtime!, clock: { ...of.runtime!.clock, source: i === 0 ? 'tsc' : source } },
    }));
  t.deepEqual(
    unlike(base, runOf([trialOf(around(100), { forks: clock('cntvct') as never })])).map((d) => [d.what, d.candidate]),
    [['clock of the forks', 'addon cntvct and addon tsc']],
  );

  const unpinned = trialOf(around(100));
  const forks = unpinned.forks.map((of) => ({ ...of, runtime: { ...of.runtime!, pinnedCpu: null } }));
  t.deepEqual(
    unlike(base, runOf([trialOf(around(100), { forks })])).map(({ what, candidate }) => [what, candidate]),
    [['pinning of the forks', 'not pinned']],
  );
});

test('a forced comparison carries the differences; other hosts, missing trials and a changed machine are told', (t) => {
  const canary = (ns: number) => {
    const of = trialOf(around(100));
    return of.forks.map((f) => ({
      ...f,
      iterations: f.iterations.map((i) => ({ ...i, canary: { arithmeticNs: ns * (1 + f.index / 1e4), memoryNs: 1 } })),
    }));
  };
  const before = runOf([trialOf(around(100), { forks: canary(1000) }), trialOf(around(1), { benchmark: 'gone' })]);
  const after = runOf([trialOf(around(100), { forks: canary(1100) })], 'b.json', {
    environment: { ...environment, host: 'lab2', node: '22.0.0' },
  });
  const comparison = compareRuns(before, after, {}, unlike(before, after));
  const ids = comparison.notes.map(({ id }) => id);
  t.deepEqual(ids, ['only-in-baseline', 'forced', 'elsewhere', 'machine-changed']);
  t.regex(comparison.notes[3]!.message, /took 10 % longer in the candidate/);
  t.is(comparison.differences.length, 1);
  t.deepEqual(compareRuns(before, after, { allow: new Set(ids) }).notes, []);
});

test('JMH files: forks from rawData and from histograms, with the note that says so', (t) => {
  const read = (name: string) => {
    const any = parseAnyResult(readFileSync(fixture(`fixtures/jmh/${name}.json`), 'utf8'), name);
    if (any.kind !== 'jmh') throw new Error('not read as JMH');
    return comparedJmh(any.records, `${name}.json`);
  };
  const comparison = compareRuns(read('before'), read('after'));
  const rows = comparison.rows.map((r) => [r.candidate.name, r.mode, r.metric, r.better, r.baseline.forks, r.verdict]);
  t.deepEqual(rows, [
    ['org.example.Hash.mix', 'avgt', 'score', 'lower', 5, 'improved'],
    ['org.example.Hash.mix', 'avgt', 'gc.alloc.rate', null, 5, null],
    ['org.example.Hash.mix', 'thrpt', 'score', 'higher', 5, 'improved'],
    ['org.example.Hash.sampled', 'sample', 'score', 'lower', 5, 'regressed'],
    ['org.example.Hash.sampled', 'sample', 'p50', 'lower', 5, 'equivalent'],
    ['org.example.Hash.sampled', 'sample', 'p90', 'lower', 5, 'equivalent'],
    ['org.example.Hash.sampled', 'sample', 'p99', 'lower', 5, 'regressed'],
    ['org.example.Hash.broken', 'avgt', 'score', 'lower', 4, 'inconclusive'],
  ]);
  t.is(comparison.rows.at(-1)!.status, 'failed', 'a fork with a NaN is not averaged around it');
  t.true(Math.abs(comparison.rows[0]!.ratio! - 0.9) < 1e-3);
  t.true(comparison.notes.some(({ id }) => id === 'jmh-forks'));
  t.deepEqual(
    unlike(read('before'), runOf([trialOf(around(1))])).map(({ what }) => what),
    ['harness'],
  );
});

test('files that are neither are refused with the field or the way they are damaged', (t) => {
  const code = (text: string) => t.throws(() => parseAnyResult(text, 'r.json'), { instanceOf: ResultFileError });
  const whole = readFileSync(fixture('fixtures/jmh/before.json'), 'utf8');
  t.is(code(whole.slice(0, whole.length >> 1)).code, 'damaged');
  t.is(code('').code, 'damaged');
  t.is(code('[1, 2]').code, 'foreign');
  t.is(code('{}').code, 'foreign');
  const damaged = code(JSON.stringify([{ benchmark: 'a', mode: 'avgt', primaryMetric: { scoreUnit: 5 } }]));
  t.is(damaged.code, 'damaged');
  t.regex(damaged.message, /record 1 .*primaryMetric\.scoreUnit/);
});

/** Lines of node:bench: four processes, or what they are made into. */
const nodeBench = (change: (data: Record<string, unknown>, i: number) => object = (data) => data) =>
  [0, 1, 2, 3]
    .map((i) => {
      const samples = [{ operations: 10, duration_ns: String(1000 + 7 * i) }];
      const data = { fileRunId: `r${i}`, entryFile: 'a.js', namePath: ['S', 'f'], params: {}, samples };
      return `${JSON.stringify({ type: 'bench:complete', data: change(data, i) })}\n`;
    })
    .join('');

function nodeBenchRun(text: string) {
  const any = parseAnyResult(text, 'n.jsonl');
  if (any.kind !== 'node:bench') throw new Error(any.kind);
  return comparedNodeBench(any.records, 'n.jsonl');
}

test('of node:bench a process is one fork, however often its lines are in the file', (t) => {
  const once = nodeBenchRun(nodeBench());
  const twice = nodeBenchRun(nodeBench() + nodeBench());
  t.is(once.arms[0]!.forks.length, 4);
  t.is(twice.arms[0]!.forks.length, 4, 'lines that are there twice are no evidence');
  t.deepEqual(compareRuns(twice, once).rows[0]!.interval, compareRuns(once, once).rows[0]!.interval);
  const alone = compareRuns(nodeBenchRun(nodeBench((data) => ({ ...data, fileRunId: 'r' }))), once).rows[0]!;
  t.deepEqual([alone.baseline.forks, alone.status], [1, 'too-few-forks']);
});

test('a damaged line of node:bench is named with its field; numbers beyond what can be held are none', (t) => {
  const message = (text: string) =>
    t.throws(() => parseAnyResult(text, 'n.jsonl'), { instanceOf: ResultFileError }).message;
  const samples = (operations: unknown, duration_ns: unknown) =>
    nodeBench((data) => ({ ...data, samples: [{ operations, duration_ns }] }));
  t.is(message('{"type":"bench:complete"}\n'), 'n.jsonl: line 1 is damaged: data: it is missing.');
  t.regex(
    message(nodeBench((data) => ({ ...data, namePath: [] }))),
    /data\.namePath: expected at least 1 in it, found a list\.$/,
  );
  t.regex(message(samples(-1, '5')), /operations: expected at least 1, found -1\.$/);
  t.regex(message(samples(1, '9'.repeat(400))), /duration_ns: expected text of the form/);
  t.regex(
    message(samples(1, '5').replace('"operations":1', '"operations":1e400')),
    /found a number too large to be held/,
  );
  const jmh = jmhRun([0, 1, 2].map((i) => [1.7e308, 1.6e308 + i * 1e306]));
  t.is(compareRuns(jmh, jmh).rows[0]!.status, 'ok', 'the sum of these is beyond, their mean is not');
});
