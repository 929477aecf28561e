/** quick, eval and init as a user meets them. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { fixture, ROOT, SHORT, scratch, start, theRun, tscope } from '../support/cli.js';

const functions = fixture('cli/fixtures/functions.mjs');

test('quick prints every warm-up and run, the table, and a command that works', async (t) => {
  const cwd = scratch(t);
  cpSync(functions, join(cwd, 'functions.mjs'));
  const args = ['quick', 'functions.mjs', 'sum', '--warmups', '2', '--runs', '3', '--steps', '100'];
  const { code, stdout, stderr } = await tscope(args, { cwd });
  t.is(code, 0, stderr);
  t.deepEqual(
    [...stdout.matchAll(/^(warm-up|run) +(\d+) +[\d.]+ ms +returned -?\d+$/gm)].map(
      ([, kind, index]) => `${kind} ${index}`,
    ),
    ['warm-up 1', 'warm-up 2', 'run 1', 'run 2', 'run 3'],
  );
  t.regex(stdout, /ns\/step +total ns +total ms +total s\naverage .*\nminimum .*\nmaximum /);
  const [, command] = /For an interval over fresh processes: tscope (.*)$/m.exec(stdout)!;
  const words = command!.split(' ').map((word) => word.replaceAll("'", ''));
  const again = await tscope([...words, ...SHORT], { cwd });
  t.is(again.code, 0, again.stderr);
  const [trial] = theRun(cwd).result().trials;
  t.deepEqual([trial!.suite, trial!.benchmark, trial!.params], ['functions', 'sum', { steps: 100 }]);
  t.is(trial!.options.opsPerInvocation!.value, 100);
});

test('quick --wait begins at the end of input', async (t) => {
  const { code, stdout, stderr } = await tscope(['quick', functions, 'spans', '--runs', '1', '--wait']);
  t.is(code, 0, stderr);
  t.regex(stderr, /^tscope: process \d+ is ready; press Enter to begin\.$/m);
  t.regex(stdout, /^run +1 /m);
});

const REFUSED: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
  ['no module', ['quick', 'nowhere.mjs', 'sum'], /^tscope: nowhere\.mjs: no such file\.$/],
  ['no export', ['quick', functions, 'sun'], /exports no "sun"\. Did you mean "sum"\?$/],
  [
    'not a function',
    ['quick', functions, 'notOne'],
    /"notOne" is not a function\. Functions there: boom, leaves, spans, sum\.$/,
  ],
  ['a throw', ['quick', functions, 'boom'], /boom: warm-up 1 failed: Error: not today\.$/],
  [
    'no steps',
    ['quick', functions, 'sum', '--steps', '0'],
    /^tscope: --steps: "0" is not a whole number of at least 1\.$/,
  ],
  [
    'a function that ends the process',
    ['quick', functions, 'leaves'],
    /leaves: something called process\.exit\(\) before the runs were done\.$/,
  ],
  ['a half run', ['quick', functions, 'sum', '--runs', '1.5'], /^tscope: --runs: "1\.5" is not a whole number/],
  ['a syntax error', ['eval', 'a +'], /^tscope: eval: the given expression "a \+" is not one/],
  [
    'an export of a module that lacks it',
    ['run', `${functions}#sun`],
    /functions\.mjs exports no function "sun"; functions there: boom, leaves, spans, sum$/,
  ],
];

for (const [title, args, message] of REFUSED) {
  test(`${title}: one sentence, exit 2`, async (t) => {
    const { code, stdout, stderr } = await tscope(args, { cwd: scratch(t) });
    t.is(code, 2, stdout + stderr);
    t.regex(stderr.trimEnd(), message);
    t.is(stderr.trimEnd().split('\n').length, 1);
    t.is(stdout, '');
  });
}

test('eval measures two expressions in forks, the first as the baseline', async (t) => {
  const cwd = scratch(t);
  const setup = 'const list = Array.from({ length: 400 }, (_, i) => i)';
  const { code, stdout, stderr } = await tscope(
    ['eval', 'list.join()', 'list.slice(0, 20).join()', '--setup', setup, ...SHORT, '-f', '3'],
    { cwd },
  );
  t.is(code, 0, stderr);
  // Which verdict is the machine's matter; that there is one, and that the summary counts it, is not.
  const row =
    /^eval\.list\.slice\(0, 20\)\.join\(\) \/ list\.join\(\) +avgt +lower .*\] +(improved|equivalent|regressed|inconclusive)\b/m;
  const verdict = row.exec(stdout)?.[1];
  t.truthy(verdict, stdout);
  t.true(stdout.includes(`1 ${verdict}`), stdout);
  const { trials } = theRun(cwd).result();
  t.deepEqual(
    trials.map(({ benchmark, baseline }) => [benchmark, baseline]),
    [
      ['list.join()', true],
      ['list.slice(0, 20).join()', false],
    ],
  );
  t.true(trials[0]!.score!.value > 2 * trials[1]!.score!.value, 'twenty times the work');
});

test('a variable that nobody declared fails its benchmark, exit 1', async (t) => {
  const { code, stdout } = await tscope(['eval', 'nowhere.length', ...SHORT], { cwd: scratch(t) });
  t.is(code, 1);
  t.regex(stdout, /ReferenceError: nowhere is not defined/);
});

const project = (cwd: string, manifest = '{\n\t"name": "p",\n\t"type": "commonjs"\n}\n') =>
  writeFileSync(join(cwd, 'package.json'), manifest);

test('init writes a project that measures, in the style of its package.json', async (t) => {
  const cwd = scratch(t);
  project(cwd);
  writeFileSync(join(cwd, 'tsconfig.json'), '{}');
  const { code, stdout, stderr } = await tscope(['init'], { cwd });
  t.is(code, 0, stderr);
  t.regex(stdout, /npm install --save-dev tscope/);
  t.is(
    readFileSync(join(cwd, 'package.json'), 'utf8'),
    '{\n\t"name": "p",\n\t"type": "commonjs",\n\t"scripts": {\n\t\t"bench": "tscope run"\n\t}\n}\n',
  );
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/tscope'), 'dir');
  const run = await tscope(['run', ...SHORT, '-p', 'size=16'], { cwd });
  t.is(run.code, 0, run.stderr);
  t.deepEqual(
    theRun(cwd)
      .result()
      .trials.map(({ file, suite, benchmark }) => [file, suite, benchmark]),
    [
      ['bench/lookup.bench.ts', 'Lookup', 'linear'],
      ['bench/lookup.bench.ts', 'Lookup', 'binary'],
    ],
  );
  t.regex(readFileSync(join(cwd, '.github/workflows/bench.yml'), 'utf8'), /run: npm run bench/);
});

test('init overwrites nothing and writes nothing half', async (t) => {
  const cwd = scratch(t);
  const refused = async (message: RegExp, files: string[]) => {
    const { code, stderr } = await tscope(['init'], { cwd });
    t.is(code, 2);
    t.regex(stderr, message);
    t.deepEqual(readdirSync(cwd).sort(), files);
  };
  await refused(/there is no package\.json in this folder/, []);
  project(cwd, '{');
  await refused(/package\.json is not valid JSON/, ['package.json']);
  project(cwd, '{"scripts": {"bench": "mine"}}');
  await refused(/the script "bench" in package\.json is there already; nothing was written/, ['package.json']);
  project(cwd);
  writeFileSync(join(cwd, 'tscope.config.mjs'), '');
  await refused(/tscope\.config\.mjs is there already/, ['package.json', 'tscope.config.mjs']);
});

test('the example of init is valid JavaScript without TypeScript', async (t) => {
  const cwd = scratch(t);
  project(cwd);
  await tscope(['init'], { cwd });
  const file = join(cwd, 'bench/lookup.bench.mjs');
  t.true(existsSync(file));
  t.is(spawnSync(process.execPath, ['--check', file]).status, 0);
});

// Code that does not give the event loop back hears no signal handler: with one installed, nothing but SIGKILL ended these.
test('a signal ends what blocks: an endless function of quick, a long look at the clock', async (t) => {
  const cwd = scratch(t);
  writeFileSync(join(cwd, 'endless.mjs'), "export function spin() { console.log('spinning'); for (;;) {} }\n");
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const quick = start(['quick', 'endless.mjs', 'spin'], { cwd });
    await once(quick.child.stdout!, 'data');
    quick.child.kill(signal);
    t.is((await quick.finished).signal, signal);
  }
  const clock = start(['clock', '--ms', '60000'], { cwd });
  await sleep(1500);
  clock.child.kill('SIGINT');
  t.is((await clock.finished).signal, 'SIGINT');
});

test('a promise that can never settle is told, not answered with an exit code of Node', async (t) => {
  const cwd = scratch(t);
  writeFileSync(join(cwd, 'never.mjs'), 'export const never = () => new Promise(() => {});\n');
  writeFileSync(join(cwd, 'never.config.mjs'), 'await new Promise(() => {});\nexport default {};\n');
  for (const args of [
    ['quick', 'never.mjs', 'never'],
    ['run', '--config', 'never.config.mjs'],
  ]) {
    const { code, stderr } = await tscope(args, { cwd });
    t.is(code, 2, stderr);
    t.regex(stderr, /^tscope: a promise can never settle, and nothing else is left to do: /);
  }
});
