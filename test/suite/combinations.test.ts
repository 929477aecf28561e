import test from 'ava';
import { listLines } from '#lib/cli/run/list.js';
import type { TrialPlan } from '#lib/runner/index.js';
import { combine, overrideParams } from '#lib/suite/combinations.js';

test('the product keeps the declared order, the last param turns fastest', (t) => {
  t.deepEqual(combine({ a: [1, 2], b: ['x', 'y'] }, undefined, 'suite "S"'), [
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' },
  ]);
  t.deepEqual(combine({}, undefined, 'suite "S"'), [{}]);
});

test('more combinations than could be measured are refused before they are made', (t) => {
  const list = Array.from({ length: 60 }, (_, i) => i);
  t.throws(() => combine({ a: list, b: list, c: list }, undefined, 'suite "S"'), {
    message: /suite "S", field "params": 60 x 60 x 60 = 216000 combinations are more than 100000; list fewer values/,
  });
  t.is(combine({ a: list, b: list, c: [1] }, undefined, 'suite "S"').length, 3600);
});

test('a list of trials has one line for each, whatever its params hold', (t) => {
  const trial = { suite: 'S', benchmark: 'b', mode: 'avgt', params: { text: 'two\nlines' } } as unknown as TrialPlan;
  t.deepEqual(listLines([trial], true), ['S.b [avgt] text=two lines']);
});

test('where thins the product, and says when it throws or keeps nothing', (t) => {
  t.deepEqual(
    combine({ a: [1, 2, 3] }, ({ a }) => (a as number) > 1, 'suite "S"'),
    [{ a: 2 }, { a: 3 }],
  );
  t.throws(() => combine({ a: [1] }, () => false, 'suite "S"'), {
    message: /suite "S", field "where": keeps none of the 1/,
  });
  const broken = () => {
    throw new Error('boom');
  };
  t.throws(() => combine({ a: [1] }, broken, 'suite "S"'), { message: /field "where": threw for \{"a":1\}: boom/ });
});

test('overrides keep the declared types', (t) => {
  const declared = { n: [1, 2], kind: ['a', ''], flag: [true, null] } as const;
  const over = (overrides: Record<string, string[]>) => overrideParams(declared, overrides, 'suite "S"');
  t.deepEqual(over({ n: ['2', '7', '1e3', '2'] }).n, [2, 7, 1000]);
  t.deepEqual(over({ kind: [''] }).kind, ['']);
  t.deepEqual(over({ flag: ['null', 'true'] }).flag, [null, true]);
  t.deepEqual(over({ other: ['1'] }), { ...declared });
  t.throws(() => over({ kind: ['c'] }), {
    message: /suite "S", param "kind": there is no value "c"; declared: "a", ""/,
  });
  t.throws(() => over({ n: ['x'] }), { message: /param "n": there is no value "x"; declared: 1, 2/ });
  t.throws(() => over({ n: [''] }), { message: /there is no value ""/ });
  t.throws(() => over({ flag: ['false'] }), { message: /there is no value "false"; declared: true, null/ });
});
