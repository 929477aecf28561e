/** Params make one trial per combination, in declared order, with the values and types that were declared or asked for. */
import test from 'ava';
import { fixture, tscope } from '../support/cli.js';
import { measured, texts } from './support.js';

const ONCE = ['-f', '1', '-bm', 'ss', '-i', '1'];
const list = async (args: readonly string[]) => {
  const file = fixture('conformance/fixtures/params.bench.mjs');
  return (await tscope(['run', file, '-lp', '-bm', 'ss', '--no-config', ...args])).stdout.trimEnd().split('\n');
};

test.serial('the cross product, the last param turning fastest; every fork gets its own combination', async (t) => {
  const run = await measured(t, 'params.bench.mjs', [...ONCE, '--only', '^Product', '-p', 'flag=true']);
  t.is(run.code, 0, run.stderr);
  const expected = [
    { b: 2, a: 'x', flag: true },
    { b: 2, a: 'y', flag: true },
    { b: 1, a: 'x', flag: true },
    { b: 1, a: 'y', flag: true },
  ];
  t.deepEqual(
    run.result.trials.map(({ params }) => params),
    expected,
  );
  for (const [i, trial] of run.result.trials.entries())
    t.deepEqual(texts(run.of(trial)), [JSON.stringify(expected[i])]);
});

test.serial('a param multiplies the suites that declare it and no other', async (t) => {
  const lines = await list(['--only', '^(Other|Plain|Thinned)']);
  t.deepEqual(lines, [
    'Other.run [ss] c=0.5',
    'Other.run [ss] c=null',
    'Plain.run [ss]',
    'Thinned.run [ss] n=1 m=2',
    'Thinned.run [ss] n=1 m=3',
    'Thinned.run [ss] n=2 m=3',
  ]);
});

test.serial(
  '-p replaces the list and keeps types and the order asked for; several -p of one param add up',
  async (t) => {
    t.deepEqual(await list(['--only', '^Product', '-p', 'b=7,1', '-p', 'b=1e3', '-p', 'a=y', '-p', 'flag=false']), [
      'Product.run [ss] b=7 a=y flag=false',
      'Product.run [ss] b=1 a=y flag=false',
      'Product.run [ss] b=1000 a=y flag=false',
    ]);
    const run = await measured(t, 'params.bench.mjs', [...ONCE, '--only', '^Other', '-p', 'c=null,3']);
    t.deepEqual(texts(run.notes).sort(), ['{"c":3}', '{"c":null}']);
  },
);

test.serial('empty and odd strings arrive unharmed, one trial each', async (t) => {
  const run = await measured(t, 'params.bench.mjs', [...ONCE, '--only', '^Odd']);
  t.is(run.code, 0, run.stderr);
  const values = run.result.trials.map(({ params }) => params.text as string);
  t.is(values.length, 18);
  t.is(new Set(run.result.trials.map(({ id }) => id)).size, 18);
  for (const [i, trial] of run.result.trials.entries()) {
    t.deepEqual(
      texts(run.of(trial)).map((text) => JSON.parse(text)),
      [{ text: values[i] }],
    );
  }
  t.true(values.includes('') && values.includes('x\ny') && values.includes('💥'));
  // A line break in a value does not break the table: a row each.
  t.is(run.stdout.split('\n').filter((line) => line.startsWith('Odd.run')).length, 18);
});

test.serial('an empty string can be asked for by name', async (t) => {
  const run = await measured(t, 'params.bench.mjs', [...ONCE, '--only', '^Odd', '-p', 'text=']);
  t.deepEqual(texts(run.notes), ['{"text":""}']);
});
