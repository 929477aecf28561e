import test from 'ava';
import { paramColumns, paramNames, paramSuffix } from '#lib/report/params.js';
import type { Params } from '#lib/result/model.js';

test('params of a name: values in order, nothing without any', (t) => {
  t.is(paramSuffix({ seed: 7, kind: 'a\nb', none: null }), '(7, a b, null)');
  t.is(paramSuffix({}), '');
});

test('a value as long as a document is cut, and its length is told', (t) => {
  const long = `${'x'.repeat(60)}${'y'.repeat(40)}`;
  t.is(paramSuffix({ text: long }), `(${'x'.repeat(60)}... (100 characters))`);
  t.is(paramSuffix({ text: 'x'.repeat(80) }), `(${'x'.repeat(80)})`);
});

test('a column for each param; a row that lacks it says so, also for names that objects inherit', (t) => {
  const rows: readonly Params[] = [{ size: 16 }, { kind: 'a', toString: 'own' }];
  t.deepEqual(paramNames(rows), ['size', 'kind', 'toString']);
  t.deepEqual(
    paramColumns(rows).map(({ title, cells }) => [title, ...cells]),
    [
      ['(size)', '16', 'N/A'],
      ['(kind)', 'N/A', 'a'],
      ['(toString)', 'N/A', 'own'],
    ],
  );
});
