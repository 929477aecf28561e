/** Kept calibrations: used while they are what they were, measured anew when a file says something else. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { calibrate } from '#lib/analysis/adaptive/calibration.js';
import { type KeptCalibration, readCalibration, saveCalibration } from '#lib/history/index.js';
import { scratch } from '../support/cli.js';
import { trialOf } from '../support/compare.js';
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
