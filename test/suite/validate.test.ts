import test from 'ava';
import { suite } from '#lib/suite/suite.js';
import { checkSuites, SuiteError } from '#lib/suite/validate.js';

const f = () => 1;
/** A suite with fields that types would refuse. */
const make = (definition: unknown, name: unknown = 'S') => suite(name as string, definition as never);

const MISTAKES: readonly (readonly [title: string, exported: unknown, message: RegExp])[] = [
  ['nothing exported', undefined, /^no suite exported: write `export default suite\(/],
  ['something else exported', { a: 1 }, /no suite exported.*the default export is \{"a":1\}/],
  ['an empty array', [], /no suite exported/],
  ['a nameless suite', make({ benchmarks: { f } }, ' '), /a suite needs a name, not " "/],
  ['a name with a line break', make({ benchmarks: { f } }, 'a\nb'), /"a\\nb" holds a control character/],
  [
    'two benchmarks of one full name',
    [suite('S.x', { benchmarks: { y: f } }), suite('S', { benchmarks: { 'x.y': f } })],
    /suite "S", benchmark "x\.y" and suite "S\.x", benchmark "y" are both called "S\.x\.y" in results; rename one/,
  ],
  ['two suites of one name', [make({ benchmarks: { f } }), make({ benchmarks: { f } })], /two suites are named "S"/],
  ['no benchmarks', make({ benchmarks: {} }), /suite "S", field "benchmarks": must hold at least one function/],
  [
    'a benchmark that is no function',
    make({ benchmarks: { f: 3 } }),
    /suite "S", benchmark "f": must be a function or \{ run, \.\.\.options \}, not 3/,
  ],
  [
    'a benchmark without run',
    make({ benchmarks: { f: {} } }),
    /suite "S", benchmark "f", field "run": must be a function, not undefined/,
  ],
  [
    'a mistyped field',
    make({ benchmarks: { f }, itertions: 3 }),
    /suite "S": unknown field "itertions"\. Did you mean "iterations"\?/,
  ],
  [
    'a mistyped benchmark field',
    make({ benchmarks: { f: { run: f, base: 1 } } }),
    /suite "S", benchmark "f": unknown field "base"/,
  ],
  [
    'two baselines',
    make({ benchmarks: { a: { run: f, baseline: true }, b: { run: f, baseline: true } } }),
    /only one benchmark can be the baseline, not a and b/,
  ],
  ['empty params', make({ params: { n: [] }, benchmarks: { f } }), /suite "S", param "n": the list is empty/],
  [
    'params that are no list',
    make({ params: { n: 3 }, benchmarks: { f } }),
    /suite "S", param "n": must be a list of values, not 3/,
  ],
  [
    'a NaN param',
    make({ params: { n: [Number.NaN] }, benchmarks: { f } }),
    /suite "S", param "n": NaN is not a finite number/,
  ],
  ['a param value twice', make({ params: { n: [1, 1] }, benchmarks: { f } }), /param "n": the value 1 is listed twice/],
  [
    'two param values that print alike',
    make({ params: { n: [1, '1'] }, benchmarks: { f } }),
    /1 and "1" are written alike, so that neither/,
  ],
  [
    'a fixture that is no function',
    make({ setup: 3, benchmarks: { f } }),
    /suite "S", field "setup": must be a function, not 3/,
  ],
  [
    'no ops',
    make({ opsPerInvocation: 0, benchmarks: { f } }),
    /suite "S", field "opsPerInvocation": must be a whole number of at least 1, not 0/,
  ],
  [
    'no threads',
    make({ threads: 0, benchmarks: { f } }),
    /suite "S", field "threads": must be a whole number of at least 1, "max" or "half", not 0/,
  ],
  [
    'half a fork',
    make({ benchmarks: { f: { run: f, forks: 0.5 } } }),
    /suite "S", benchmark "f", field "forks": must be a whole number/,
  ],
  [
    'a malformed time',
    make({ iterationTime: '5 parsecs', benchmarks: { f } }),
    /field "iterationTime": "5 parsecs" is not a duration; write a number with a unit/,
  ],
  ['a time of 0', make({ iterationTime: 0, benchmarks: { f } }), /field "iterationTime": must be longer than 0/],
  [
    'an unknown mode',
    make({ mode: 'avg', benchmarks: { f } }) && make({ mode: 'fast', benchmarks: { f } }),
    /field "mode": "fast" is not a mode; use thrpt, avgt, sample, ss or all/,
  ],
  ['an ambiguous mode', make({ mode: 's', benchmarks: { f } }), /"s" is not a mode/],
  [
    'a counter of the wrong kind',
    make({ counters: { c: 'ops' }, benchmarks: { f } }),
    /counter "c": must be "operations" or "events", not "ops"/,
  ],
  [
    'a group of unknown benchmarks',
    make({ benchmarks: { put: f }, groups: { q: { puut: 1 } } }),
    /group "q": there is no benchmark "puut"\. Did you mean "put"\?/,
  ],
  [
    'a group without threads',
    make({ benchmarks: { put: f }, groups: { q: { put: 0 } } }),
    /group "q": no method has a thread/,
  ],
  [
    'a group named like a benchmark',
    make({ benchmarks: { q: f }, groups: { q: { q: 1 } } }),
    /group "q": a benchmark has the same name/,
  ],
];

for (const [title, exported, message] of MISTAKES) {
  test(`${title} is one clear sentence`, (t) => {
    const error = t.throws(() => checkSuites(exported), { instanceOf: SuiteError });
    t.regex(error.message, message);
    t.false(error.message.includes('\n'));
  });
}

test('options are normalised and methods of a group are measured only in it', (t) => {
  const [checked] = checkSuites(
    make({
      mode: 'all',
      iterationTime: '1.5s',
      benchmarks: { put: f, take: f, alone: { run: f, warmupTime: 20, baseline: true } },
      groups: { queue: { put: 1, take: 3 } },
    }),
  );
  t.deepEqual(checked!.options, { mode: ['thrpt', 'avgt', 'sample', 'ss'], iterationTimeMs: 1500 });
  t.deepEqual(
    checked!.benchmarks.map(({ name, baseline, options, group }) => ({ name, baseline, options, group })),
    [
      { name: 'alone', baseline: true, options: { warmupTimeMs: 20 }, group: null },
      { name: 'queue', baseline: false, options: {}, group: { put: 1, take: 3 } },
    ],
  );
});

test('modes may be given by full name or unambiguous prefix, as in JMH', (t) => {
  const modes = (mode: unknown) => checkSuites(make({ mode, benchmarks: { f } }))[0]!.options.mode;
  t.deepEqual(modes('SingleShotTime'), ['ss']);
  t.deepEqual(modes('th'), ['thrpt']);
  t.deepEqual(modes(['av', 'sam', 'avgt']), ['avgt', 'sample']);
});
