/** What cannot be measured is refused before anything runs, or fails with a sentence; both name suite, benchmark and field. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type DescribedFile, planTrials } from '#lib/runner/options/trials.js';
import { combine } from '#lib/suite/combinations.js';
import { RUN_OPTION_NAMES } from '#lib/suite/options.js';
import { suite } from '#lib/suite/suite.js';
import type { AnySuiteDefinition } from '#lib/suite/types.js';
import { checkSuites, FIXTURES } from '#lib/suite/validate.js';
import { fixture, scratch, tscope } from '../support/cli.js';
import { measured, TINY } from './support.js';

const b = () => 1;
const define = (definition: object) => definition as AnySuiteDefinition;

/** Refused by the declaration alone. */
const DECLARED: readonly (readonly [what: string, definition: object, message: RegExp])[] = [
  [
    'no threads',
    { threads: 0, benchmarks: { b } },
    /suite "S", field "threads": must be a whole number of at least 1, "max" or "half", not 0/,
  ],
  [
    'half a thread',
    { benchmarks: { b: { run: b, threads: 1.5 } } },
    /suite "S", benchmark "b", field "threads": .* not 1\.5/,
  ],
  [
    'no ops per invocation',
    { benchmarks: { b: { run: b, opsPerInvocation: 0 } } },
    /suite "S", benchmark "b", field "opsPerInvocation": must be a whole number of at least 1, not 0/,
  ],
  [
    'an empty batch',
    { batchSize: 0, benchmarks: { b } },
    /suite "S", field "batchSize": must be a whole number of at least 1, not 0/,
  ],
  ['a group of nobody', { benchmarks: { b }, groups: { g: { b: 0 } } }, /suite "S", group "g": no method has a thread/],
  [
    'an empty group',
    { benchmarks: { b }, groups: { g: {} } },
    /suite "S", group "g": must name at least one benchmark/,
  ],
  [
    'a group of strangers',
    { benchmarks: { b }, groups: { g: { c: 1 } } },
    /suite "S", group "g": there is no benchmark "c"/,
  ],
  [
    'a group with less than no thread',
    { benchmarks: { b }, groups: { g: { b: -1 } } },
    /suite "S", group "g", "b": threads must be a whole number of at least 0, not -1/,
  ],
  [
    'a counter of the wrong kind',
    { counters: { hits: 'rate' }, benchmarks: { b } },
    /suite "S", counter "hits": must be "operations" or "events", not "rate"/,
  ],
  [
    'inputs that are no function',
    { inputs: [1, 2], benchmarks: { b } },
    /suite "S", field "inputs": must be a function, not \[1,2\]/,
  ],
  ['no timeout', { timeout: 0, benchmarks: { b } }, /suite "S", field "timeout": must be longer than 0/],
  [
    'an unknown warm-up mode',
    { warmupMode: 'block', benchmarks: { b } },
    /suite "S", field "warmupMode": must be indi, bulk or bulk_indi, not "block"/,
  ],
  [
    'promises that nobody keeps in flight',
    { inflight: 0, benchmarks: { b } },
    /suite "S", field "inflight": must be a whole number of at least 1, not 0/,
  ],
  [
    'a benchmark that is a generator function',
    { benchmarks: { *b() {} } },
    /suite "S", benchmark "b": is a generator function, and calling one runs nothing of its body; write/,
  ],
  [
    'an async generator function with options',
    { benchmarks: { b: { async *run() {} } } },
    /suite "S", benchmark "b", field "run": is a generator function/,
  ],
  [
    'a benchmark that is no function',
    { benchmarks: { b: 1 } },
    /suite "S", benchmark "b": must be a function or \{ run, \.\.\.options \}, not 1/,
  ],
];
for (const name of [...FIXTURES, 'inputs', 'where'] as const) {
  test(`${name} that is a generator function: refused`, (t) => {
    const definition = define({ *[name]() {}, benchmarks: { b } });
    t.throws(() => checkSuites(suite('S', definition)), {
      message: new RegExp(`field "${name}": is a generator function`),
    });
  });
}
for (const value of [
  5n,
  Symbol('x'),
  Object.create(null),
  (() => {
    const me: { me?: object } = {};
    me.me = me;
    return me;
  })(),
]) {
  // prettier-ignore
  for (const name of RUN_OPTION_NAMES) {
    test(`${name} of ${typeof value} ${String(Object.keys(value))}: refused with suite and field, though it is no JSON`, (t) => {
      const definition = define({ [name]: value, benchmarks: { b } });
      t.throws(() => checkSuites(suite('S', definition)), {
        name: 'SuiteError',
        message: new RegExp(`^suite "S", field "${name}": `),
      });
    });
  }
}
test('where that returns a promise: refused, since every promise is true', (t) => {
  t.throws(() => combine({ n: [1, 2] }, async () => false, 'suite "S"'), {
    name: 'SuiteError',
    message: /^suite "S", field "where": returned a promise for \{"n":1\}/,
  });
});
for (const [what, definition, message] of DECLARED) {
  test(`${what}: refused`, (t) => {
    t.throws(() => checkSuites(suite('S', define(definition))), { name: 'SuiteError', message });
  });
}

/** Each part is fine, together they are not: refused when options are known. */
const noop = () => {};
const COMBINED: readonly (readonly [what: string, definition: object, message: RegExp])[] = [
  [
    'more threads than a process can hold',
    { threads: 1e9, benchmarks: { b } },
    /^f: suite "S", benchmark "b", option "threads": 1000000000 threads are more than 1024/,
  ],
  [
    'a group of more threads than a process can hold',
    { benchmarks: { b }, groups: { g: { b: 1025 } } },
    /^f: suite "S", benchmark "g", option "threads": 1025 threads are more than 1024/,
  ],
  [
    'invocation fixtures in a single-shot batch',
    { mode: 'ss', batchSize: 2, setupInvocation: noop, benchmarks: { b } },
    /^f: suite "S", benchmark "b", option "batchSize": a single-shot batch of 2 cannot have setupInvocation/,
  ],
  [
    'a rate in sample mode',
    { mode: 'sample', counters: { hits: 'operations' }, benchmarks: { b } },
    /^f: suite "S", benchmark "b", counter "hits": an "operations" counter is a rate .* no meaning in mode sample/,
  ],
  [
    'a rate of a single shot',
    { mode: 'ss', counters: { hits: 'operations' }, benchmarks: { b } },
    /^f: suite "S", benchmark "b", counter "hits": .* no meaning in mode ss; declare it as "events"/,
  ],
  [
    'several promises in flight in a single shot',
    { mode: 'ss', inflight: 2, benchmarks: { b } },
    /^f: suite "S", benchmark "b", option "inflight": single shot runs one call/,
  ],
];
for (const [what, definition, message] of COMBINED) {
  test(`${what}: refused`, (t) => {
    const [checked] = checkSuites(suite('S', define(definition)));
    const fixtures = FIXTURES.filter((name) => checked!.definition[name] !== undefined);
    const { name, options, benchmarks, definition: given } = checked!;
    const described = {
      name,
      options,
      benchmarks,
      fixtures,
      counters: given.counters ?? {},
      params: {},
      combinations: [{}],
    };
    const file = { file: '/f', label: 'f', suites: [described] } as DescribedFile;
    const settings = {
      layers: [],
      include: [],
      exclude: [],
      cpus: 2,
      nodeExecutable: 'node',
      keepChunks: false,
      canaries: false,
      linearityCheck: true,
    };
    t.throws(() => planTrials([file], settings), { name: 'OptionError', message });
  });
}

/** Only running shows it: the trial fails. */
const RUNNING: Readonly<Record<string, readonly [phase: string, message: RegExp]>> = {
  'Sync once.b': ['benchmark', /benchmark "b" of suite "Sync once" returned a promise after it had returned number/],
  'Async once.b': [
    'benchmark',
    /benchmark "b" of suite "Async once" is asynchronous, but it returned number after it had returned promises/,
  ],
  'Sync shots.b': ['benchmark', /benchmark "b" of suite "Sync shots".*awaited always or never/],
  'No inputs.b': ['inputs', /inputs of suite "No inputs" returned an empty array; it needs at least one input/],
  'Odd inputs.b': ['inputs', /inputs of suite "Odd inputs" must return an array, not number/],
  'Function shared.b': [
    'shared',
    /shared of suite "Function shared" returned something that cannot be handed to other threads.*no functions/,
  ],
  'Never.b': ['timeout', /benchmark "b" of suite "Never" did not settle within \d+ ms: a promise that never settles/],
  'Wrong counter.b': [
    'benchmark',
    /benchmark "b" of suite "Wrong counter" used counter "misses", which its suite does not declare/,
  ],
  'Lost counter.b': ['benchmark', /benchmark "b" of suite "Lost counter" removed counter "hits"/],
  'No tokens.b': [
    'benchmark',
    /"No tokens" failed: RangeError: blackhole\.consumeCPU: tokens must be .* not undefined$/,
  ],
  'Long words.b': ['benchmark', /"Long words" failed: Error: x{1900,2100}\.\.\. \(1000007 characters\)$/],
  'Stuck fixture.b': ['timeout', /benchmark "b" of suite "Stuck fixture" or setupInvocation did not return within/],
  'Broken push.b': [
    'engine|uncaughtException',
    /mine \(user code has replaced Array\.prototype\.push, which tscope itself calls\)$/,
  ],
  'Broken map.b': [
    'protocol',
    /cannot have been measured: its histogram holds 0 samples, .*replaced Array\.prototype\.map/,
  ],
  'Broken JSON.b': ['engine', /could not be written as JSON \(user code has replaced Object\.prototype\.toJSON/],
  'Throws null.b': ['benchmark', /benchmark "b" of suite "Throws null" failed: null/],
};

test.serial('what only running shows: the trial fails with a sentence, all others go on', async (t) => {
  const run = await measured(t, 'bad-input.bench.mjs', [...TINY, '-to', '500ms']);
  t.is(run.code, 1);
  const seen = run.result.trials.map((trial) => `${trial.suite}.${trial.benchmark}`);
  t.deepEqual(seen.toSorted(), [...Object.keys(RUNNING), 'Fake clock.b', 'Fine.b'].toSorted());
  for (const trial of run.result.trials) {
    const name = `${trial.suite}.${trial.benchmark}`;
    const expected = RUNNING[name];
    if (!expected) {
      t.is(trial.status, 'ok', name);
      continue;
    }
    t.true(expected[0].split('|').includes(trial.failure!.phase), `${name}: ${trial.failure!.phase}`);
    t.regex(trial.failure!.message, expected[1]);
    t.is(trial.score, null, name);
  }
});

test.serial('refused on the command line: exit code 2, file and field in the sentence, nothing measured', async (t) => {
  const cwd = scratch(t);
  const file = join(cwd, 'wrong.bench.mjs');
  const module = fixture('../dist/index.js');
  for (const [definition, message] of [
    ['{ threads: 0, benchmarks: { b: () => 1 } }', /wrong\.bench\.mjs: suite "S", field "threads"/],
    [
      "{ mode: 'ss', batchSize: 2, setupInvocation() {}, benchmarks: { b: () => 1 } }",
      /wrong\.bench\.mjs: suite "S", benchmark "b", option "batchSize"/,
    ],
    [
      '{ benchmarks: { a: () => 1 }, groups: { g: { a: 0 } } }',
      /wrong\.bench\.mjs: suite "S", group "g": no method has a thread/,
    ],
  ] as const) {
    writeFileSync(
      file,
      `import { suite } from ${JSON.stringify(module)};\nexport default suite('S', ${definition});\n`,
    );
    const { code, stdout, stderr } = await tscope(['run', file, '--no-config'], { cwd });
    t.is(code, 2);
    t.is(stdout, '');
    t.regex(stderr, message);
  }
  for (const [args, message] of [
    [['-t', '0'], /-t \(--threads\): must be a whole number of at least 1, "max" or "half", not 0/],
    [['-opi', '0'], /-opi \(--ops-per-invocation\): must be a whole number of at least 1, not 0/],
    [['-bs', '-1'], /-bs \(--batch-size\): must be a whole number of at least 1, not -1/],
    [['-to', '0'], /-to \(--timeout\): must be longer than 0/],
    [['-bm', 'quick'], /-bm \(--mode\): "quick" is not a mode/],
  ] as const) {
    const { code, stderr } = await tscope(['run', fixture('conformance/fixtures/args.bench.mjs'), ...args], { cwd });
    t.is(code, 2, args.join(' '));
    t.regex(stderr, message);
  }
});
