import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { againstBaselines } from '#lib/analysis/compare/index.js';
import { distribution } from '#lib/analysis/distribution.js';
import { scoreOf, trialScore } from '#lib/analysis/score.js';
import { layout } from '#lib/report/columns.js';
import { headerLines, measuredLines, planLines, sampleLines } from '#lib/report/header.js';
import { wrapped } from '#lib/report/look.js';
import { bodyText } from '#lib/report/run.js';
import { blocks, failureLines, findingLines, methodLines, scoreTable, startupLines } from '#lib/report/text.js';
import { fixed3, readableScale } from '#lib/report/units.js';
import type { Fork, RunResult, TierInfo, Trial } from '#lib/result/model.js';
import { exampleResult, fork, iteration, trial } from '../support/result.js';

const bodyOf = (result: RunResult) => bodyText(result, againstBaselines(result));

const scored = (value: number, over = {}) => {
  const t = trial([[value], [value * 1.02], [value * 0.98]], over);
  return { ...t, score: trialScore(t) };
};

test('the table has the shape of JMH: name, params, mode, count, score, error, units', (t) => {
  const rows = [
    scored(12.5, { benchmark: 'short', params: { n: 16 } }),
    scored(1250, { benchmark: 'muchLonger', params: { n: 1024, kind: 'a|b' } }),
  ];
  t.deepEqual(scoreTable(rows), [
    'Benchmark      (n)  (kind)  Mode  Cnt     Score    Error  Units',
    'S.short         16     N/A  avgt    3    12.500 ±  0.621  ns/op',
    'S.muchLonger  1024     a|b  avgt    3  1250.000 ± 62.103  ns/op',
  ]);
  t.deepEqual(methodLines(rows), [
    'Error: half-width of the 95 % interval, Student t on fork scores; Cnt counts forks.',
  ]);
});

test('scores scale for reading when nobody asked for a unit, and only then', (t) => {
  const slow = scored(5e6, { params: { n: 1 } });
  t.regex(scoreTable([slow])[1]!, /5\.000 ± 0\.248 {2}ms\/op/);
  const asked = { ...slow, options: { unit: { value: 'ns', source: 'suite' } } } as typeof slow;
  t.regex(scoreTable([asked])[1]!, /5000000\.000/);
});

test('a unit is readable when the smallest score is at least 1 in it', (t) => {
  t.deepEqual(readableScale([5, 5e6], 'ns/op'), { factor: 1, unit: 'ns/op' });
  t.is(readableScale([5e4, 5e6], 'ns/op').unit, 'us/op');
  t.is(readableScale([3e9], 'ns/op').unit, 's/op');
  t.is(readableScale([0.2], 'ns/op').unit, 'ns/op');
  t.is(readableScale([2e7], 'ops/s').unit, 'ops/us');
  t.is(readableScale([2e7, 50], 'ops/s').unit, 'ops/s');
  t.is(readableScale([0.5], 'ops/s').unit, 'ops/s');
  t.is(readableScale([7], '#').unit, '#');
  t.is(readableScale([], 'ns/op').factor, 1);
});

test('numbers keep three decimals, or three digits when these show nothing', (t) => {
  t.deepEqual([0, 0.0004, 0.0006, 12.34567].map(fixed3), ['0.000', '4.00e-4', '0.001', '12.346']);
});

test('a failed trial is a row, a reason and the place in the code; its finished forks are counted, not averaged', (t) => {
  const failure = {
    phase: 'benchmark',
    message: 'RangeError: boom',
    stack: 'RangeError: boom\n    at f (/p/a.bench.ts:7:30)\n    at g',
    fork: 2,
    exitCode: 1,
    signal: null,
  };
  const failed = trial([[10], [11]], { status: 'partial', failure });
  const broken = { ...failed, forks: [...failed.forks, fork(2, [], { status: 'failed', failure })] };
  t.is(trialScore(broken), null);
  t.regex(scoreTable([broken])[1]!, /^S\.f {8}avgt {7}failed$/);
  t.deepEqual(failureLines([broken]), [
    'FAILED S.f [avgt], benchmark (fork 3): RangeError: boom',
    '    at f (/p/a.bench.ts:7:30)',
    '    at g',
    '  2 forks finished before; they are in the result file but give no score.',
  ]);
});

test('one finding of many trials is one line, and no name breaks it', (t) => {
  const finding = { id: 'x', severity: 'warning', message: 'fact; cause;\nnext.' } as const;
  const result = exampleResult({
    trials: [trial([[1]], { findings: [finding], params: { n: 1 } }), trial([[1]], { findings: [finding] })],
    findings: [{ id: 'y', severity: 'info', message: 'm' }],
  });
  t.deepEqual(findingLines(result), ['note [y] m', 'warning [x] S.f(1) and 1 more: fact; cause; next.']);
});

test('points of numbers are below each other, whatever their digits', (t) => {
  const cells = ['1.500', '4.00e-4', '120.000', 'failed', '', '7'];
  t.deepEqual(
    layout([{ title: 'Score', align: 'decimal', cells }]).map((line) => line.replaceAll(' ', '.')),
    ['....Score', '..1.500', '..4.00e-4', '120.000', '...failed', '', '..7'],
  );
});

test('a terminal gets shapes where they fit, colour where it is wanted, and wrapped findings; the rest stays plain', (t) => {
  const values = [10, 10, 10, 10, 11, 11, 12, 14, 20, 10];
  const list = values.map((value) => [value, value]);
  const finding = { id: 'x', severity: 'warning', message: 'a long message '.repeat(10).trim() } as const;
  const t1 = trial(list, { findings: [finding] });
  const rows = [{ ...t1, score: trialScore(t1) }];
  const terminal = { terminal: true, width: 120, color: false };
  const [head, row, legend] = scoreTable(rows, terminal);
  t.regex(head!, /Units {2}Distribution$/);
  // 10, 4, 2, 2 and 2 of 20 values, an eighth per 1.25.
  t.regex(row!, /ns\/op {2}█▄▂ ▂ {6}▂$/);
  t.regex(legend!, /^Distribution: scores of the iterations/);
  t.deepEqual(scoreTable(rows, { ...terminal, width: 56 }), scoreTable(rows), 'no room');
  t.is(scoreTable(rows).length, 2, 'a pipe gets no shapes');
  const plain = scoreTable(rows, terminal).join('\n');
  const colored = scoreTable(rows, { ...terminal, color: true }).join('\n');
  t.true(colored.includes('\u001b[1m'), 'the score is bold');
  t.is(stripVTControlCharacters(colored), plain);
  const result = exampleResult({ trials: rows });
  const wrapped = findingLines(result, { ...terminal, width: 40 });
  t.true(wrapped.length > 3 && wrapped.every((line) => line.length <= 40));
  t.true(wrapped.slice(1).every((line) => line.startsWith('  a') || line.startsWith('  l') || line.startsWith('  m')));
  t.deepEqual([wrapped.map((line) => line.trim()).join(' ')], findingLines(result));
  t.true(findingLines(result, { ...terminal, color: true })[0]!.startsWith('\u001b[33mwarning\u001b[39m '));
});

test('shapes: eight heights, nothing where nothing is; sampled times on a logarithmic scale; none without spread', (t) => {
  t.is(blocks([0, 1, 4, 8, 1000]), ' ▁▁▁█');
  t.is(blocks([1, 2, 3, 4, 5, 6, 7, 8]), '▁▂▃▄▅▆▇█');
  t.deepEqual(
    distribution(
      trial([
        [1, 2],
        [3, 4],
      ]),
      3,
    ),
    [1, 1, 2],
  ); // prettier-ignore
  t.is(distribution(trial([[5, 5], [5]]), 3), null); // prettier-ignore
  t.is(distribution(trial([[5, 6]]), 3), null);
  const histogram = {
    unit: 'ns',
    buckets: [
      [1, 5],
      [10, 3],
      [1000, 1],
    ],
    min: 1,
    max: 1000,
    total: 9,
  } as const; // prettier-ignore
  const sampled = {
    ...trial([[1]], { mode: 'sample' }),
    forks: [{ ...fork(0, []), iterations: [iteration(0, 1, { histogram })] }],
  }; // prettier-ignore
  t.deepEqual(distribution(sampled, 3), [5, 3, 1]);
});

test('a single shot shows what came before its call, each phase as the mean of the forks that have it', (t) => {
  const phases = (spawnToEntryMs: number, setupMs: number | null) => ({
    ...fork(0, [100]),
    startup: { spawnToEntryMs, loadMs: 2, setupMs, spawnToFirstInvocationMs: spawnToEntryMs + 8 },
  });
  const failed = { ...phases(900, 900), status: 'failed' } as const;
  const shot: Trial = {
    ...trial([[100]], { mode: 'ss', params: { n: 1 } }),
    forks: [phases(30, 1), phases(40, null), failed],
  };
  t.deepEqual(startupLines([shot]).slice(1), [
    '  S.f(1) [ss]: process 35.000 ms, file 2.000 ms, setup 1.000 ms, first call begins 43.000 ms',
  ]);
  t.deepEqual(startupLines([{ ...shot, mode: 'avgt' }]), []);
  t.deepEqual(startupLines([{ ...shot, forks: [failed] }]), []);
});

test('percentiles of samples have the step and the floor of the clock beside them', (t) => {
  const result = exampleResult();
  const sampled = { ...scored(100), mode: 'sample' } as const;
  t.deepEqual(sampleLines({ ...result, trials: [scored(100), sampled] }), [
    'Samples: the clock moves in steps of 10.0 ns, and every sample holds its floor of 10.0 ns.',
  ]);
  t.deepEqual(sampleLines({ ...result, trials: [scored(100), { ...sampled, score: null }] }), []);
  t.true(bodyOf({ ...result, trials: [sampled] }).includes('holds its floor of 10.0 ns'));
});

test('lines break at blanks, a long word stays whole', (t) => {
  t.deepEqual(wrapped('aa bb cc', 5, 1), ['aa bb', ' cc']);
  t.deepEqual(wrapped('aaaaaaaa b', 4, 2), ['aaaaaaaa', '  b']);
  t.deepEqual(wrapped('日本 語', 4), ['日本', '語']);
  t.deepEqual(wrapped('short', 80), ['short']);
});

test('wide characters keep columns aligned', (t) => {
  t.deepEqual(
    layout([
      { title: 'a', align: 'left', cells: ['日本', 'x'] },
      { title: 'b', align: 'right', cells: ['1', '22'] },
    ]),
    ['a      b', '日本   1', 'x     22'],
  );
});

test('the header names tool, machine, clock and plan', (t) => {
  const result = exampleResult();
  t.deepEqual(headerLines(result), [
    '# tscope 0.1.0, Node 24.0.0 (V8 13.6.0), linux x64 6.1.0',
    '# CPU: Example CPU, 4 CPUs, SMT off, governor performance; load 0.10, CPU pressure 0 %',
    '# Clock: tsc 2.000 GHz, step 10.0 ns, read 11.0 ns, floor 10.0 ns',
  ]);
  const options = Object.fromEntries(
    Object.entries({
      forks: 10,
      warmupIterations: null,
      warmupMinMs: 200,
      warmupMaxMs: 1500,
      iterations: 5,
      iterationTimeMs: 100,
    }).map(([name, value]) => [name, { value, source: 'default' as const }]),
  );
  t.deepEqual(planLines({ trials: [trial([], { options })], seed: 9 }), [
    '# 1 trial: 10 forks x (warm-up until steady, 0.2 s to 1.5 s, 5 x 0.1 s)',
    '# Order of forks: random in rounds, seed 9',
  ]);
});

test('the interval is a Student t over fork scores', (t) => {
  // t(0.975, 2) = 4.302652729911275; sd of 1, 2, 3 is 1.
  const score = scoreOf([1, 2, 3], 'ns/op', 'lower')!;
  t.is(score.value, 2);
  t.true(Math.abs(score.error! - 4.302652729911275 / Math.sqrt(3)) < 1e-9);
  t.is(scoreOf([1, 2], 'ns/op', 'lower')!.status, 'too-few-forks');
  t.is(scoreOf([1, 2], 'ns/op', 'lower')!.error, null);
  t.is(scoreOf([2, 2, 2], 'ns/op', 'lower')!.status, 'constant');
  t.is(scoreOf([], 'ns/op', 'lower'), null);
});

const tiered = (tier: TierInfo | null, over: Partial<Fork> = {}, index = 0) => {
  const one = fork(index, [10, 10]);
  return { ...one, iterations: one.iterations.map((each) => ({ ...each, tier })), ...over };
};
const TURBOFAN: TierInfo = { loop: 'turbofan', body: 'turbofan', changed: false, deopts: 0 };
const codeOf = (...trials: Trial[]) => measuredLines(trials)[0];

test('the header says which code was measured, by forks, and what could not be seen', (t) => {
  t.is(codeOf(trial([[10], [11]])), '# Code: measured in turbofan in all 2 forks');
  t.is(codeOf(trial([[10]])), '# Code: measured in turbofan in 1 fork');
  const inlined = { ...TURBOFAN, body: 'inlined' } as const;
  const forks = [
    tiered(TURBOFAN),
    tiered({ ...inlined, changed: true }, {}, 1),
    tiered({ ...TURBOFAN, body: 'maglev' }, {}, 2),
    tiered({ ...TURBOFAN, body: 'maglev' }, { async: true }, 3),
    tiered(null, {}, 4),
    tiered({ ...TURBOFAN, body: 'unknown' }, {}, 5),
    tiered(TURBOFAN, { status: 'failed' }, 6),
  ];
  t.is(
    codeOf(trial([[10]]), trial([], { benchmark: 'mixed', forks })),
    '# Code: measured in turbofan in 3 of 7 forks, maglev in 2 of 7 forks (S.mixed); benchmark function inlined into the loop in 1; ' +
      'tier not seen in 2 of 7 forks: V8 did not tell; changed within an iteration in 1',
  );
  const early = {
    ...tiered(TURBOFAN),
    iterations: [iteration(0, 10, { tier: { ...TURBOFAN, loop: 'baseline' } }), iteration(1, 10)],
  };
  t.is(codeOf(trial([], { forks: [early] })), '# Code: measured in baseline in 1 fork', 'the lowest of its iterations');
  t.is(codeOf(trial([], { forks: [tiered(null)] })), '# Code: tier not seen in 1 fork: V8 did not tell');
  t.is(codeOf(trial([])), '# Code: nothing was measured');
});

test('the header publishes what the black hole costs, for each Node of the run, and says when it was not measured', (t) => {
  const cost = { consumeNumberNs: 0.312, consumeObjectNs: 0, tokenNs: 1.049 };
  const overhead = { emptyOpNs: 0.5, clockReadNs: 11, blackhole: cost };
  const with1 = trial([], { forks: [tiered(TURBOFAN), tiered(TURBOFAN, { overhead }, 1)] });
  const line = '# Blackhole: consume(number) 0.31 ns, consume(object) under 0.1 ns, consumeCPU(1) 1 ns';
  t.is(measuredLines([with1])[1], line);
  t.deepEqual(measuredLines([with1, with1]).length, 2, 'once for a Node');
  const options = { nodeArgs: { value: '--jitless', source: 'benchmark' } } as const;
  const other = trial([], { options, forks: [tiered(TURBOFAN, { overhead })] });
  t.deepEqual(measuredLines([with1, other]).slice(1), [`${line} (Node 24.0.0)`, `${line} (Node 24.0.0 --jitless)`]);
  t.is(measuredLines([trial([[10]])])[1], '# Blackhole: its cost was not measured');
});

test('both lines stand above the table of every readable result', (t) => {
  const lines = bodyOf(exampleResult()).split('\n');
  t.deepEqual([lines[0]!.slice(0, 7), lines[1]!.slice(0, 12), lines[2]], ['# Code:', '# Blackhole:', '']);
  t.true(lines[3]!.startsWith('Benchmark'));
});
