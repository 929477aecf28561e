import test from 'ava';
import { lazyResult } from '#lib/engine/lazy-result.js';
import { fixture, runFork } from './support/run-fork.js';

function* count() {
  yield 1;
}
async function* later() {
  yield 1;
}

test('a generator, an iterator and a function are told: what is in them has not run', (t) => {
  for (const lazy of [
    count(),
    later(),
    [1].values(),
    new Map().entries(),
    'x'[Symbol.iterator](),
    'x'.matchAll(/x/g),
  ]) {
    const finding = lazyResult(lazy);
    t.is(finding?.id, 'lazy-result');
    t.is(finding?.severity, 'warning');
  }
  t.is(lazyResult(() => 1)?.severity, 'info');
  // Helpers of iterators came with Node 22.
  const values = [1].values() as IterableIterator<number> & { map?: (of: (x: number) => number) => unknown };
  if (values.map) t.is(lazyResult(values.map((x) => x))?.severity, 'warning');
});

test('what is there in full is not', (t) => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  ); // prettier-ignore
  for (const value of [
    undefined,
    null,
    0,
    'x',
    1n,
    Symbol('x'),
    {},
    [],
    new Map(),
    new Date(),
    /x/,
    new Uint8Array(1),
    trap,
  ])
    t.is(lazyResult(value), null);
});

for (const mode of ['avgt', 'sample', 'ss'] as const) {
  test.serial(`${mode}: the fork says so of a benchmark that returns a generator`, async (t) => {
    const { findings } = await runFork({
      file: fixture('engine/fixtures/lazy.mjs'),
      suite: 'Lazy',
      benchmark: 'made',
      mode,
    });
    t.true(findings.some(({ id }) => id === 'lazy-result'));
  });
}

test.serial('what a benchmark hands to the black hole is a result of its own; nothing at all is none', async (t) => {
  for (const [benchmark, kind] of [
    ['consumed', 'blackhole'],
    ['nothing', 'undefined'],
  ] as const) {
    const report = await runFork({ file: fixture('engine/fixtures/lazy.mjs'), suite: 'Lazy', benchmark });
    t.is(report.of('ready')[0]!.resultKind, kind);
  }
});
