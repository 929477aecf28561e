/** Kept calibrations: used while they are what they were, measured anew when a file says something else. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { calibrate } from '#lib/analysis/adaptive/calibration.js';
import { calibrationKey, type KeptCalibration, readCalibration, saveCalibration } from '#lib/history/index.js';
import type { Environment, Trial } from '#lib/result/model.js';
import { digestSources } from '#lib/runner/sources.js';
import { scratch } from '../support/cli.js';
import { resultOf, trialOf } from '../support/compare.js';
import { fork } from '../support/result.js';

const key = { trial: 't', host: 'h', facts: 'f', source: 's' };

const kept = (scores: readonly (readonly number[])[]): KeptCalibration => {
  const calibration = calibrate(trialOf([1], { forks: scores.map((list, i) => fork(i, list, { wallMs: 1000 })) }));
  return { format: 'tscope-calibration', version: 1, key, at: '2026-01-01', run: 'r', calibration };
};

const good = kept([
  [100, 101, 99],
  [104, 103, 105],
  [97, 98, 96],
]);

test('what was kept is read as it was', (t) => {
  const root = scratch(t);
  t.is(readCalibration(root, key), null);
  for (const one of [
    good,
    kept([
      [100, 100],
      [100, 100],
    ]),
    kept([[100], [101], [102]]),
  ]) {
    saveCalibration(root, one);
    t.deepEqual(readCalibration(root, key), one, one.calibration.status);
  }
  t.is(readCalibration(root, { ...key, source: 'other' }), null);
});

test('a file that was cut or edited is no calibration, and never a number that does not follow from its data', (t) => {
  const root = scratch(t);
  saveCalibration(root, good);
  const path = join(root, 'plans', readdirSync(join(root, 'plans'))[0]!);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, 100));
  t.is(readCalibration(root, key), null);
  const edited = (change: Record<string, unknown>) => {
    writeFileSync(path, JSON.stringify({ ...good, calibration: { ...good.calibration, ...change } }));
    return readCalibration(root, key);
  };
  for (const name of ['name', 'params', 'mode', 'unit', 'mean', 'costMs', 'data']) {
    for (const value of [null, undefined, 5e307, { x: {} }, [null], [[]], []]) {
      // A larger mean is another benchmark's, and a list is an object with names.
      if ((name === 'mean' && typeof value === 'number') || (name === 'params' && Array.isArray(value))) continue;
      t.is(edited({ [name]: value }), null, `${name}: ${JSON.stringify(value)}`);
    }
  }
  const { data } = good.calibration;
  t.is(edited({ mean: 0 }), null);
  t.is(edited({ costMs: { iteration: 0, fork: 1 } }), null);
  t.is(edited({ data: [...data, [1e308]] }), null);
  t.is(edited({ data: [[1, [1]], ...data] }), null);
  t.deepEqual(edited({ relativeSd: { iteration: 1e308, fork: -1 }, status: 'constant' }), good);
  mkdirSync(join(root, 'elsewhere'));
  t.is(readCalibration(join(root, 'elsewhere'), key), null);
});

test('a key is of host, Node, CPU, options and the code under test, and of nothing else', (t) => {
  const folder = scratch(t);
  const [bench, code] = [join(folder, 'a.bench.mjs'), join(folder, 'code.mjs')];
  const files = (benchText: string, codeText: string) => {
    writeFileSync(bench, benchText);
    writeFileSync(code, codeText);
    return digestSources(bench);
  };
  const imports = "export { f as default } from './code.mjs';\n";
  const source = files(imports, 'export const f = 1;\n');
  const trial = trialOf([1, 2, 3]);
  const of = (environment: Partial<Environment> = {}, over: Partial<Trial> = {}, hash = source) => {
    const result = resultOf([]);
    return calibrationKey({ environment: { ...result.environment, ...environment } }, { ...trial, ...over }, hash);
  };
  const set = (options: Trial['options']) => of({}, { options: { ...trial.options, ...options } });
  const root = join(folder, 'kept');
  saveCalibration(root, { ...good, key: of() });

  const others = {
    host: of({ host: 'elsewhere' }),
    Node: of({ node: '99.0.0' }),
    'CPU model': of({ cpuModel: 'Another CPU' }),
    option: set({ gc: { value: true, source: 'command line' } }),
    'iteration time': set({ iterationTimeMs: { value: 12_345, source: 'command line' } }),
    trial: of({}, { id: `${trial.id}2` }),
    file: of({}, {}, files(`${imports}// edited`, 'export const f = 1;\n')),
    'imported file': of({}, {}, files(imports, 'export const f = 2;\n')),
  };
  for (const [what, other] of Object.entries(others)) {
    t.notDeepEqual(other, of(), what);
    t.is(readCalibration(root, other), null, what);
  }
  t.is(new Set(Object.values(others).map((other) => JSON.stringify(other))).size, Object.keys(others).length);

  // Written again as it was, run at another time, with other load and other counts of forks.
  const alike = {
    content: of({}, {}, files(imports, 'export const f = 1;\n')),
    load: of({ loadAverage: [9, 9, 9] }),
    forks: of({}, { forks: [] }),
    'number of forks': set({ forks: { value: 77, source: 'command line' } }),
    'number of iterations': set({ iterations: { value: 77, source: 'command line' } }),
    unit: set({ unit: { value: 'ms', source: 'command line' } }),
  };
  for (const [what, other] of Object.entries(alike)) {
    t.deepEqual(other, of(), what);
    t.deepEqual(readCalibration(root, other)?.calibration, good.calibration, what);
  }
});

test('the code under test is known by its content, wherever the checkout is', (t) => {
  const write = (value: number) => {
    const folder = scratch(t);
    writeFileSync(join(folder, 'a.bench.mjs'), "import './b.mjs';\n");
    writeFileSync(join(folder, 'b.mjs'), "import './c.mjs';\n");
    writeFileSync(join(folder, 'c.mjs'), `export const c = ${value};\n`);
    return digestSources(join(folder, 'a.bench.mjs'));
  };
  t.is(write(1), write(1));
  t.not(write(1), write(2), 'imported through another');
});
