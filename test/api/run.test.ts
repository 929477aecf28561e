/** run(): what `tscope run` does, from inside a program. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { expectFaster, type RunEvent, type RunSettings, run, suite, UsageError } from '#lib/index.js';
import { readResult } from '#lib/result/index.js';
import { fixture, ROOT, scratch } from '../support/cli.js';

test('a working directory that does not exist is not made, and an empty path is not the whole folder', async (t) => {
  const cwd = join(scratch(t), 'mistyped');
  await t.throwsAsync(run(pathToFileURL(FILE), { ...SHORT, cwd }).result, {
    instanceOf: UsageError,
    message: /^run, setting "cwd": .*mistyped: no such folder/,
  });
  t.false(existsSync(cwd));
  await t.throwsAsync(run('', SHORT).result, { message: /^an empty text names no file/ });
  await t.throwsAsync(
    expectFaster(
      () => 1,
      () => 2,
      { cwd },
    ),
    { message: /"cwd": .*no such folder/ },
  );
  t.false(existsSync(cwd));
});

const FILE = fixture('api/fixtures/walk.bench.ts');
const SHORT: RunSettings = {
  forks: 1,
  warmupIterations: 1,
  warmupTime: 20,
  iterations: 2,
  iterationTime: 20,
  canaries: false,
  linearity: false,
  config: false,
  moveHost: false,
};

test('a file by URL: events in order, scored trials, the options of the call on record, a result that the reader accepts', async (t) => {
  const cwd = scratch(t);
  const settings: RunSettings = { ...SHORT, forks: 2, only: /walk$/, params: { steps: [50, 400] }, seed: 7, cwd };
  const measured = run(pathToFileURL(FILE), settings);
  const events: RunEvent[] = [];
  for await (const event of measured) events.push(event);
  const result = await measured.result;
  const { trials } = result;
  t.is(result.status, 'complete');
  t.is(result.seed, 7);
  t.deepEqual(
    trials.map(({ params, forks }) => [params.steps, forks.length]),
    [
      [50, 2],
      [400, 2],
    ],
  );
  t.deepEqual(trials[0]!.options.forks, { value: 2, source: 'call' });
  t.true(trials[1]!.score!.value > 2 * trials[0]!.score!.value, '400 steps cost about eight times 50');

  const [planned] = events;
  t.is(planned!.type, 'planned');
  t.is(planned?.type === 'planned' && planned.forks, 4);
  const count = (type: RunEvent['type']) => events.filter((event) => event.type === type).length;
  t.deepEqual(
    [count('fork-started'), count('fork-finished'), count('trial-finished'), count('progress')],
    [4, 4, 2, 4],
  );
  const finished = events.filter((event) => event.type === 'trial-finished').map(({ trial }) => trial);
  t.deepEqual(finished.map(({ score }) => score!.value).sort(), trials.map(({ score }) => score!.value).sort());
  const last = events.filter((event) => event.type === 'progress').at(-1)!;
  t.deepEqual([last.done, last.total], [4, 4]);

  const [id] = readdirSync(join(cwd, '.tscope/runs'));
  t.is(id, result.id);
  t.deepEqual(readResult(join(cwd, '.tscope/runs', id!, 'result.json')), result);

  const again: RunEvent[] = [];
  for await (const event of measured) again.push(event);
  t.deepEqual(again, events, 'a late reader sees everything from the start');
});

test('a failing benchmark fails its trial, not the run; keep: false leaves no folder', async (t) => {
  const cwd = scratch(t);
  const { trials } = await run(FILE, { ...SHORT, params: { steps: 50 }, cwd, keep: false }).result;
  t.deepEqual(trials.map(({ benchmark, status }) => [benchmark, status]).sort(), [
    ['fails', 'failed'],
    ['walk', 'ok'],
  ]);
  t.regex(trials.find(({ status }) => status === 'failed')!.failure!.message, /this one is broken/);
  t.deepEqual(existsSync(join(cwd, '.tscope/runs')) ? readdirSync(join(cwd, '.tscope/runs')) : [], []);
});

test('a suite object runs from the source text of its functions, methods in short form included', async (t) => {
  const cwd = scratch(t);
  const inline = suite('Inline', {
    params: { n: [3, 30] },
    setup({ n }) {
      return Array.from({ length: n }, (_, i) => i);
    },
    benchmarks: {
      sum: (values) => values.reduce((a, b) => a + b, 0),
      last: { baseline: true, run: (values) => values.at(-1) },
    },
  });
  const first = await run(inline, { ...SHORT, cwd, params: { n: 3 } }).result;
  t.deepEqual(
    first.trials.map(({ status, suite, benchmark, baseline }) => [status, suite, benchmark, baseline]),
    [
      ['ok', 'Inline', 'sum', false],
      ['ok', 'Inline', 'last', true],
    ],
  );
  const second = await run(inline, { ...SHORT, cwd, params: { n: 3 }, only: 'sum' }).result;
  t.is(second.trials[0]!.id, first.trials[0]!.id, 'the same text is the same trial in the next run');
});

test('a function that uses a variable from around it fails with a sentence that names it', async (t) => {
  const outside = [1, 2, 3];
  const captured = suite('Captured', { benchmarks: { sum: () => outside.length } });
  const { trials } = await run(captured, { ...SHORT, cwd: scratch(t) }).result;
  t.is(trials[0]!.status, 'failed');
  t.regex(
    trials[0]!.failure!.message,
    /outside is not defined \(the function is rebuilt in the fork from its source text/,
  );
});

test('an abort before the first fork rejects; later it keeps what is there', async (t) => {
  const cwd = scratch(t);
  const none = await run(FILE, { ...SHORT, cwd, signal: AbortSignal.abort() }).result.catch((error: Error) => error);
  t.is('name' in none && none.name, 'AbortError');
  const controller = new AbortController();
  const measured = run(FILE, {
    ...SHORT,
    forks: 5,
    only: 'walk',
    params: { steps: 50 },
    cwd,
    signal: controller.signal,
  });
  for await (const event of measured) if (event.type === 'fork-finished') controller.abort();
  const result = await measured.result;
  t.is(result.status, 'interrupted');
  t.true(result.trials[0]!.forks.length >= 1 && result.trials[0]!.forks.length < 5);
});

test('two runs at once follow one another', async (t) => {
  const cwd = scratch(t);
  const settings = { ...SHORT, only: 'walk', params: { steps: 50 }, cwd };
  const order: string[] = [];
  const watch = async (name: string) => {
    for await (const { type } of run(FILE, settings)) if (type.startsWith('fork-')) order.push(`${name} ${type}`);
  };
  await Promise.all([watch('a'), watch('b')]);
  t.deepEqual(order, ['a fork-started', 'a fork-finished', 'b fork-started', 'b fork-finished']);
});

const bound = Math.max.bind(null, 1);
const MISUSE: readonly (readonly [title: string, what: unknown, settings: object, type: unknown, message: RegExp])[] = [
  ['an unknown setting', FILE, { fork: 3 }, TypeError, /^run: unknown setting "fork"\. Did you mean "forks"\?$/],
  [
    'zero forks',
    FILE,
    { forks: 0 },
    TypeError,
    /^run, setting "forks": must be a whole number of at least 1, not 0\.$/,
  ],
  ['a wrong seed', FILE, { seed: -1 }, TypeError, /^run, setting "seed": must be a whole number from 0/],
  ['a bad pattern', FILE, { only: '(' }, TypeError, /^run, setting "only": Invalid regular expression/],
  ['a missing file', 'nowhere.bench.ts', {}, UsageError, /^nowhere\.bench\.ts: no such file or folder\.$/],
  ['a web address', new URL('https://example.org/a.js'), {}, TypeError, /is not a file/],
  ['a function', () => 1, {}, TypeError, /not a function; a function needs a suite around it/],
  ['an unknown param', FILE, { params: { step: 1 } }, UsageError, /setting "params": no suite has a param "step"/],
  ['nothing left', FILE, { only: 'nothing' }, UsageError, /no benchmark is left after setting "only"/],
  [
    'a bound function',
    { kind: 'suite', name: 'B', definition: { benchmarks: { bound } } },
    {},
    UsageError,
    /^suite "B" cannot be handed to a fork as an object: definition\.benchmarks\.bound is built in or bound/,
  ],
  [
    'a class instance',
    { kind: 'suite', name: 'B', definition: { map: new Map() } },
    {},
    UsageError,
    /definition\.map is not a plain object; create it in setup\(\)/,
  ],
];

for (const [title, what, settings, type, message] of MISUSE) {
  test(`${title}: one sentence, nothing measured`, async (t) => {
    const cwd = scratch(t);
    const error = await t.throwsAsync(run(what as string, { ...SHORT, cwd, ...settings }).result);
    t.true(error instanceof (type as typeof Error), String(error));
    t.regex(error.message, message);
    t.false(existsSync(join(cwd, '.tscope/runs')));
  });
}

test('a program that runs a suite prints nothing, and ends by itself with the exit code it chose', (t) => {
  const cwd = scratch(t);
  const program = join(cwd, 'program.mjs');
  const entry = pathToFileURL(join(ROOT, 'dist/index.js')).href;
  const settings = JSON.stringify({ ...SHORT, moveHost: true, only: ['walk'], params: { steps: 50 } });
  writeFileSync(
    program,
    `import { run } from ${JSON.stringify(entry)};
const { trials } = await run(${JSON.stringify(FILE)}, ${settings}).result;
process.exitCode = trials[0].status === 'ok' ? 7 : 1;`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { cwd, encoding: 'utf8' });
  t.deepEqual([status, stdout, stderr], [7, '', '']);
});

test('a benchmark file that calls run() itself is told so', async (t) => {
  const cwd = scratch(t);
  const file = join(cwd, 'self.bench.mjs');
  writeFileSync(
    file,
    `import { run, suite } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)};
export default suite('Self', { benchmarks: { one: () => 1 } });
await run(import.meta.filename).result;`,
  );
  await t.throwsAsync(run(file, { ...SHORT, cwd }).result, { message: /run\(\) was called inside a fork/ });
});

test('importing the package loads neither the host nor a validator nor a report', (t) => {
  const entry = pathToFileURL(join(ROOT, 'dist/index.js')).href;
  const hook = `export async function resolve(s, c, n) { const r = await n(s, c); process._rawDebug(r.url); return r; }`;
  const program = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
await import(${JSON.stringify(entry)});`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  t.is(status, 0, stderr);
  const loaded = [...stderr.matchAll(/\/dist\/(.*\.js)/g)].map(([, file]) => file!);
  t.true(loaded.includes('suite/suite.js'), stderr);
  t.deepEqual(
    loaded.filter(
      (file) => !/^(index\.js|suite\/|api\/(run|event-log|expect-faster)\.js|runner\/usage-error\.js)/.test(file),
    ),
    [],
  );
  t.false(/node_modules/.test(stderr));
});

test('precision, budget and kept variables are settings too, with the sentences of the command line', async (t) => {
  const cwd = scratch(t);
  process.env.RUN_TEST_KEPT = 'yes';
  t.teardown(() => {
    delete process.env.RUN_TEST_KEPT;
  });
  const settings: RunSettings = { ...SHORT, forks: 3, only: /walk$/, params: { steps: 50 }, cwd };
  const adaptive = { ...settings, precision: 1e-6, maxForks: 4, keepEnv: ['RUN_TEST_KEPT'] };
  const result = await run(pathToFileURL(FILE), adaptive).result;
  t.deepEqual([result.stop!.target, result.stop!.cap, result.stop!.pilot], [1e-6, 4, 3]);
  const [trial] = result.trials;
  t.deepEqual([trial!.forks.length, trial!.stop!.outcome], [4, 'cap']);
  t.deepEqual(trial!.options.keepEnv, { value: 'RUN_TEST_KEPT', source: 'call' });
  t.deepEqual(trial!.options.precision, { value: 1e-6, source: 'call' });

  const refused = async (over: RunSettings, kind: 'TypeError' | 'UsageError', said: RegExp) => {
    const error = await t.throwsAsync(run(pathToFileURL(FILE), { ...settings, ...over }).result);
    t.is(error?.constructor.name, kind, String(error));
    t.regex(error!.message, said);
  };
  await refused({ precision: 3 }, 'TypeError', /run, setting "precision": 3 is not a share.*Did you mean 3%/);
  await refused({ keepEnv: ['NODE_OPTIONS'] }, 'TypeError', /run, setting "keepEnv": NODE_OPTIONS is never passed on/);
  await refused({ maxForks: 9 }, 'UsageError', /run, setting "maxForks" belongs to run, setting "precision"/);
  await refused({ precision: 0.1, forks: 2 }, 'UsageError', /run, setting "precision": rule stein needs at least 3/);
  await refused({ precision: 0.1, order: 'sequential' }, 'UsageError', /needs order "random"/);
  await refused({ budget: '10ms' }, 'UsageError', /run, setting "budget": 10 ms cannot pay for 3 forks/);
});

test('a budget makes its pilot first, as a run of its own without events', async (t) => {
  const cwd = scratch(t);
  const { forks, ...short } = SHORT;
  const settings: RunSettings = { ...short, only: /walk$/, params: { steps: 50 }, cwd, budget: '12s', keep: false };
  const measured = run(pathToFileURL(FILE), settings);
  const events: RunEvent[] = [];
  for await (const event of measured) events.push(event);
  const result = await measured.result;
  t.is(events[0]!.type, 'planned');
  const [first] = result.findings;
  t.regex(first!.id, /^budget-(plan|short)$/);
  t.regex(first!.message, /from a pilot of 3 forks|from a pilot of \d+ forks/);
  t.true(events.some((event) => event.type === 'finding' && event.finding.id === first!.id));
  const [trial] = result.trials;
  t.is(trial!.forks.length, trial!.options.forks!.value as number);
  t.is(events.filter((event) => event.type === 'fork-started').length, trial!.forks.length, 'none of the pilot');
  t.deepEqual(trial!.options.budgetMs, { value: 12_000, source: 'call' });
  t.deepEqual(readdirSync(join(cwd, '.tscope/runs')), [], 'keep: false leaves no run behind, the pilot neither');
});
