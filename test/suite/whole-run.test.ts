import test from 'ava';
import { suite } from '#lib/index.js';
import { readOptions } from '#lib/suite/options.js';
import { readShare } from '#lib/suite/share.js';
import { checkSuites } from '#lib/suite/validate.js';
import { NEVER_IN_FORKS, readWholeRun, WHOLE_RUN_NAMES } from '#lib/suite/whole-run.js';

test('each option is read into the unit in which it is kept', (t) => {
  t.deepEqual(readWholeRun({ precisionRule: 'width', maxForks: 50, budget: '2m', keepEnv: ['B', 'A', 'B'] }), {
    options: { precisionRule: 'width', maxForks: 50, budgetMs: 120_000, keepEnv: ['A', 'B'] },
  });
  t.deepEqual(readWholeRun({ forks: 3 }), { options: {} });
  t.deepEqual(readWholeRun({ budget: 1500, maxForks: undefined }), { options: { budgetMs: 1500 } });
});

test('shares: per cent, a number, and what somebody meant', (t) => {
  for (const [given, value] of [
    ['1%', 0.01],
    ['0.5 %', 0.005],
    ['.02', 0.02],
    [0.03, 0.03],
    [1e-7, 1e-7],
  ] as const)
    t.deepEqual(readShare(given), { value });
  for (const wrong of [0, 1, 2, -0.1, Number.NaN, '100%', '0%', '', 'one', null, {}, [0.1], true]) {
    const read = readShare(wrong);
    t.true('problem' in read && /is not a share between 0 and 1/.test(read.problem), String(wrong));
  }
  const meant = readShare('5');
  t.deepEqual(readOptions({ precision: '2 %' }), { options: { precision: 0.02 } });
  t.true('problem' in meant && /Did you mean 5%\?$/.test(meant.problem));
});

test('what is wrong is named with its field', (t) => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ precisionRule: 'p' }, /^precisionRule: "p" is not one of stein, width/],
    [{ maxForks: 0 }, /^maxForks: must be a whole number of at least 1, not 0/],
    [{ maxForks: '5' }, /^maxForks: must be a whole number/],
    [{ budget: 'soon' }, /^budget: "soon" is not a time; write a number with a unit/],
    [{ budget: 0 }, /^budget: 0 is not a time/],
    [{ keepEnv: 'CI' }, /^keepEnv: must be a list of names of environment variables, not "CI"/],
    [{ keepEnv: [1] }, /^keepEnv: must be a list/],
    [{ keepEnv: [''] }, /^keepEnv: "" is not the name of an environment variable/],
    [{ keepEnv: ['A=1'] }, /^keepEnv: "A=1" is not the name/],
    [{ keepEnv: ['node_options'] }, /^keepEnv: node_options is never passed on to forks: it steers Node/],
    [{ keepEnv: ['TSCOPE_FORK'] }, /^keepEnv: TSCOPE_FORK is never passed on to forks: tscope sets it for each fork/],
  ];
  for (const [given, said] of cases) {
    const read = readWholeRun(given);
    t.true('problem' in read, JSON.stringify(given));
    if ('problem' in read) t.regex(`${read.field}: ${read.problem}`, said);
  }
  for (const name of NEVER_IN_FORKS) t.true('problem' in readWholeRun({ keepEnv: ['OK', name] }), name);
});

test('a suite and a benchmark say that these are not theirs to set', (t) => {
  const benchmarks = { f: () => 1 };
  for (const name of WHOLE_RUN_NAMES) {
    const said = { message: new RegExp(`"${name}" belongs to a run as a whole.*run\\(\\)`) };
    t.throws(() => checkSuites(suite('S', { [name]: 1, benchmarks } as never)), said);
    t.throws(() => checkSuites(suite('S', { benchmarks: { f: { run: () => 1, [name]: 1 } } } as never)), said);
  }
});
