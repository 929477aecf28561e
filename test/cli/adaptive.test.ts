/** Adaptive runs and plans with real forks: what is recorded, what is kept and reused, what is refused. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { parseResult, type RunResult } from '#lib/result/index.js';
import { ROOT, SHORT, scratch, theRun, tscope } from '../support/cli.js';

const BENCH = `
import { suite } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)};
import { walk } from './walk.mjs';
export default suite('Walk', { benchmarks: { short: walk(50), long: walk(500) } });`;

/** The code under test, in a file of its own as usual. */
const WALK = `
export const walk = (steps) => () => {
  let value = steps;
  for (let i = 0; i < steps; i++) value = (Math.imul(value, 31) + i) | 0;
  return value;
};`;

function folder(t: Parameters<typeof scratch>[0], bench = BENCH): string {
  const cwd = scratch(t);
  writeFileSync(join(cwd, 'walk.bench.mjs'), bench);
  writeFileSync(join(cwd, 'walk.mjs'), WALK);
  return cwd;
}

const results = (cwd: string): RunResult[] =>
  readdirSync(join(cwd, '.tscope/runs'))
    .sort()
    .map((id) => parseResult(readFileSync(join(cwd, '.tscope/runs', id, 'result.json'), 'utf8'), id));

test('--precision: the rule is on record, and so is how it ended', async (t) => {
  const cwd = folder(t);
  // So narrow that every pilot asks for more than the cap, on any machine.
  const args = ['run', 'walk.bench.mjs', ...SHORT, '-f', '3', '--precision', '0.0001%', '--max-forks', '5'];
  const { code, stdout, stderr } = await tscope(args, { cwd });
  t.is(code, 0, stderr);
  const result = theRun(cwd).result();
  t.deepEqual(result.stop, { rule: 'stein', target: 1e-6, confidence: 0.95, pilot: 3, cap: 5, budgetMs: null });
  for (const trial of result.trials) {
    t.is(trial.status, 'ok');
    t.deepEqual([trial.forks.length, trial.stop!.outcome], [5, 'cap']);
    t.true(trial.stop!.wanted! > 5);
    t.regex(trial.score!.method, /Stein's two stages/);
    t.deepEqual(
      trial.forks.map(({ round }) => round),
      [0, 1, 2, 3, 4],
    );
  }
  t.regex(stdout, /\[precision-cap\].*Stopped at the limit of 5 forks/);
});

test('--precision that the pilot meets already takes no more forks', async (t) => {
  const cwd = folder(t);
  const args = [
    'run',
    'walk.bench.mjs',
    ...SHORT,
    '-f',
    '3',
    '--only',
    'short',
    '--precision',
    '99.9%',
    '--max-forks',
    '3',
  ];
  t.is((await tscope(args, { cwd })).code, 0);
  t.is(theRun(cwd).result().trials[0]!.forks.length, 3);
});

test('--precision-rule width looks every five forks, and stops when two looks running are narrow enough', async (t) => {
  const cwd = folder(t);
  const quick = ['-wi', '1', '-w', '10ms', '-i', '1', '-r', '10ms', '--only', 'short'];
  // An interval of 10 or more forks is wider than 99 % of the mean only where one fork is many times slower than the others together.
  const args = ['run', 'walk.bench.mjs', ...quick, '--precision', '99%', '--precision-rule', 'width', '-f', '10'];
  const { code, stdout, stderr } = await tscope([...args, '--max-forks', '60'], { cwd });
  t.is(code, 0, stderr);
  const { stop, trials } = theRun(cwd).result();
  t.deepEqual(stop, { rule: 'width', target: 0.99, confidence: 0.95, pilot: 10, cap: 60, budgetMs: null });
  const [{ forks, stop: ended, score }] = trials as unknown as readonly [RunResult['trials'][number]];
  t.is(ended!.outcome, 'reached');
  t.is(ended!.wanted, forks.length);
  t.true(forks.length >= 15, 'one look alone never stops a run');
  const looks = ended!.looks;
  t.deepEqual(
    looks.map(({ n }) => n),
    Array.from({ length: (forks.length - 5) / 5 }, (_, i) => 10 + 5 * i),
  );
  t.true(looks.slice(-2).every(({ halfWidth }) => halfWidth! <= 0.99));
  t.is(looks.at(-1)!.halfWidth, ended!.halfWidth);
  t.regex(score!.method, /Student t on fork scores/);
  t.notRegex(stdout, /precision-cap|budget-exhausted/);
});

test('plan measures once and remembers; --budget uses what it remembers, or makes a pilot', async (t) => {
  const cwd = folder(t);
  const short = SHORT.filter((_, i) => i > 1);
  const plan = () => tscope(['plan', 'walk.bench.mjs', ...short, '-f', '3', '--json'], { cwd });
  const first = await plan();
  t.is(first.code, 0, first.stderr);
  const report = JSON.parse(first.stdout);
  t.is(report.trials.length, 2);
  for (const { status, recommendation, costMs } of report.trials) {
    t.is(status, 'ok');
    t.true(costMs.fork > 0 && costMs.iteration > 0);
    t.true(recommendation.best.forks >= 3 && recommendation.best.iterations >= 1);
  }
  t.is(results(cwd).length, 1);
  const again = JSON.parse((await plan()).stdout);
  t.deepEqual(again, report, 'nothing was measured');
  t.is(results(cwd).length, 1);
  t.regex(
    (await tscope(['plan', 'walk.bench.mjs', ...short, '-f', '3'], { cwd })).stdout,
    /From the calibration of 20/,
  );

  const reused = await tscope(['run', 'walk.bench.mjs', ...short, '--budget', '20s'], { cwd });
  t.is(reused.code, 0, reused.stderr);
  t.is(results(cwd).length, 2, 'no pilot was needed');
  t.regex(reused.stdout, /\[budget-(?:plan|short)\] Planned from kept calibrations/);
  const planned = results(cwd)[1]!;
  for (const trial of planned.trials) {
    t.is(trial.forks.length, trial.options.forks!.value as number);
    t.is(trial.forks[0]!.iterations.length, trial.options.iterations!.value as number);
  }

  writeFileSync(join(cwd, 'walk.mjs'), `${WALK}\n// Other code under test now; the benchmark file is as it was.`);
  const piloted = await tscope(['run', 'walk.bench.mjs', ...short, '--only', 'short', '--budget', '15s'], { cwd });
  t.is(piloted.code, 0, piloted.stderr);
  t.is(results(cwd).length, 4, 'the pilot is kept like any run');
  t.regex(piloted.stdout, /# Pilot for the budget: \d+ forks of each trial/);
  t.regex(piloted.stdout, /\[budget-(?:plan|short)\] Planned from a pilot of/);
});

test('what cannot go together is refused before measuring', async (t) => {
  const cwd = folder(t);
  const cases: [string[], RegExp][] = [
    [['--precision', '2'], /--precision: "2" .*Did you mean 2%/],
    [['--precision', '1%', '-f', '2'], /rule stein needs at least 3 forks/],
    [['--precision', '1%', '--precision-rule', 'width', '-f', '5'], /rule width needs at least 10 forks/],
    [['--precision', '1%', '--precision-rule', 'p-value'], /not one of stein, width/],
    [['--precision', '1%', '--order', 'sequential'], /needs --order random/],
    [['--precision', '1%', '--max-forks', '4'], /--max-forks: 4 is less than 10/],
    [['--max-forks', '4'], /--max-forks belongs to --precision/],
    [['--max-forks', 'many', '--precision', '1%'], /--max-forks: must be a whole number of at least 1, not "many"/],
    [['--keep-env', 'NODE_OPTIONS'], /--keep-env: NODE_OPTIONS is never passed on to forks: .*--node-args/],
    [['--keep-env', 'A,B C'], /--keep-env: "B C" is not the name of an environment variable/],
    [['--budget', 'soon'], /--budget: "soon" is not a time/],
    [['--budget', '10ms'], /--budget: 10 ms cannot pay for 3 forks of each of 2 trials .*give that/],
  ];
  for (const [args, said] of cases) {
    const { code, stdout, stderr } = await tscope(['run', 'walk.bench.mjs', ...args], { cwd });
    t.is(code, 2, args.join(' '));
    t.regex(stderr, said);
    t.is(stdout, '');
  }
  for (const flag of ['--precision=1%', '--budget=9s', '--keep-env=A']) {
    const { code, stderr } = await tscope(['run', '--resume', flag], { cwd });
    t.is(code, 2);
    t.regex(stderr, /--(precision|budget|keep-env) cannot go with --resume/);
  }
});

test('each benchmark may have a precision of its own, and one without gets the forks asked for', async (t) => {
  const own = BENCH.replace(
    'benchmarks: { short: walk(50), long: walk(500) }',
    `benchmarks: { short: { precision: '0.0001%', run: walk(50) }, wide: { precision: '99%', run: walk(50) }, long: walk(500) }`,
  );
  t.not(own, BENCH);
  const cwd = folder(t, own);
  const { code, stderr } = await tscope(['run', 'walk.bench.mjs', ...SHORT, '-f', '3', '--max-forks', '4'], { cwd });
  t.is(code, 0, stderr);
  const { stop, trials } = theRun(cwd).result();
  t.is(stop!.target, 1e-6, 'the narrowest');
  const [short, wide, long] = trials;
  t.deepEqual([short!.forks.length, short!.stop!.outcome, short!.options.precision!.source], [4, 'cap', 'benchmark']);
  t.true(wide!.forks.length <= 4 && wide!.stop!.outcome !== undefined);
  t.deepEqual(
    [long!.forks.length, long!.stop, long!.options.precision],
    [3, undefined, { value: null, source: 'default' }],
  );
  t.regex(short!.findings.find(({ id }) => id === 'precision-cap')!.message, /instead of ±0\.0001 %/);
  t.regex(short!.score!.method, /Stein/);
  t.notRegex(long!.score!.method, /Stein/);
  const few = await tscope(['run', 'walk.bench.mjs', '-f', '2'], { cwd });
  t.is(few.code, 2);
  t.regex(few.stderr, /benchmark, option "precision": rule stein needs at least 3 forks/);
});
