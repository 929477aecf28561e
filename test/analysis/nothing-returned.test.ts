import test from 'ava';
import { findingsOf } from '#lib/analysis/findings/index.js';
import { nothingReturned, UNUSED_BELOW_NS } from '#lib/analysis/findings/nothing-returned.js';
import { fork, trial } from '../support/result.js';

const of = (ns: number, over: Parameters<typeof fork>[2]) =>
  trial([], { forks: [0, 1, 2].map((i) => fork(i, [ns, ns], over)) });
const ids = (t: ReturnType<typeof trial>) => findingsOf(t).map(({ id }) => id);

test('a short body without a result is suspicious; one with a result, a long one and an async one are not', (t) => {
  t.true(ids(of(3, { resultKind: 'undefined' })).includes(nothingReturned.id));
  t.false(ids(of(3, { resultKind: 'number' })).includes(nothingReturned.id));
  t.false(ids(of(UNUSED_BELOW_NS, { resultKind: 'undefined' })).includes(nothingReturned.id));
  t.false(ids(of(3, { resultKind: 'undefined', async: true })).includes(nothingReturned.id));
  const linearity = { ratio: null, oneNs: 1, fourNs: 4, emptyNs: 1, eliminated: true };
  t.false(
    ids(of(3, { resultKind: 'undefined', linearity })).includes(nothingReturned.id),
    'eliminated says it already',
  );
  t.false(ids(of(3, { resultKind: 'blackhole' })).includes(nothingReturned.id), 'what is consumed is used');
});

test('neither the unit nor thrpt hides it, and ops per invocation make no long body short', (t) => {
  const option = (name: string, value: string | number) => ({ [name]: { value, source: 'benchmark' as const } });
  const short = of(3, { resultKind: 'undefined' });
  for (const change of [
    { options: { ...short.options, ...option('unit', 'us') } },
    { mode: 'thrpt' as const, options: { ...short.options, ...option('unit', 's') } },
  ]) {
    t.true(ids({ ...short, ...change }).includes(nothingReturned.id));
  }
  const many = { ...short, options: { ...short.options, ...option('opsPerInvocation', 100) } };
  t.false(ids(many).includes(nothingReturned.id), '300 ns per invocation');
  t.false(ids({ ...short, mode: 'sample' }).includes(nothingReturned.id));
  const batch = { ...of(300, { resultKind: 'undefined' }), options: { ...short.options, ...option('batchSize', 100) } };
  t.true(ids(batch).includes(nothingReturned.id), '3 ns per invocation');
});

test('the least time of the forks counts, and one fork that knows better is enough', (t) => {
  const forks = [30, 3, 40].map((ns, i) => fork(i, [ns, ns], { resultKind: 'undefined' }));
  const found = findingsOf(trial([], { forks })).find(({ id }) => id === nothingReturned.id);
  t.true(Math.abs((found!.data!.nsPerInvocation as number) - 3) < 1e-9);
  const linearity = { ratio: null, oneNs: 1, fourNs: 4, emptyNs: 1, eliminated: true };
  const told = forks.map((f, i) => (i === 2 ? { ...f, linearity } : f));
  t.false(ids(trial([], { forks: told })).includes(nothingReturned.id));
});
