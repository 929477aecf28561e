/** The manual by example: every file of examples/ runs, and what a sample is there to show is seen. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import type { RunResult } from '#lib/result/model.js';
import { ROOT, scratch, theRun, tscope } from '../support/cli.js';

const run = promisify(execFile);
const SAMPLES = join(ROOT, 'examples/samples');
const TINY = ['-f', '1', '-wi', '1', '-w', '10ms', '-i', '1', '-r', '10ms', '--no-canaries', '--no-config'];
/** Samples whose point is a ratio or a flag: they need warm code. */
const SHOWN = ['DeadCode', 'ConstantFold', 'Loops', 'Forking', 'SafeLooping', 'BranchPrediction', 'CacheAccess'];
/** One value of each param is enough to run everything. */
const FEW = ['size=256', 'tokens=10', 'length=8', 'seed=7', 'rounds=64', 'invalidPercent=10', 'x=3'];

test.serial("every example type-checks as a user's editor would do it", async (t) => {
  const folder = join(ROOT, 'out/examples-check');
  mkdirSync(folder, { recursive: true });
  const options = { composite: false, noEmit: true, rootDir: '../..', lib: ['es2023'] };
  const config = { extends: '../../tsconfig.json', compilerOptions: options, include: ['../../examples'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await t.notThrowsAsync(run(process.execPath, [tsc, '-p', folder]));
});

test.serial('every example runs in a short form and nothing fails', async (t) => {
  const cwd = scratch(t);
  const others = SHOWN.map((suite) => `^${suite}\\.`).join(',');
  const params = FEW.flatMap((param) => ['-p', param]);
  const { code, stdout, stderr } = await tscope(
    ['run', join(ROOT, 'examples'), ...TINY, '-e', others, ...params, '--verbosity', 'SILENT'],
    { cwd },
  );
  t.is(
    code,
    0,
    stdout
      .split('\n')
      .filter((line) => line.startsWith('FAILED'))
      .join('\n') + stderr,
  );
  const { trials } = theRun(cwd).result();
  const files = new Set(trials.map(({ file }) => file.split('/').at(-1)));
  const all = [...readdirSync(SAMPLES), ...readdirSync(join(ROOT, 'examples'))].filter((name) =>
    /\.bench\.ts$/.test(name),
  );
  const shown = all.filter((name) => /^(08|10|11|12|34|36|37)-/.test(name));
  t.deepEqual([...files].sort(), all.filter((name) => !shown.includes(name)).sort());
  for (const { id, score, status } of trials) {
    t.is(status, 'ok', id);
    t.not(score, null, id);
  }
  // What single samples promise in their text.
  const find = (suite: string, benchmark: string) =>
    trials.find((trial) => trial.suite === suite && trial.benchmark === benchmark)!;
  t.true(find('Counters', 'lookUp').secondary.misses!.value > 0);
  t.deepEqual(Object.keys(find('Asymmetric', 'queue').secondary), ['put', 'take']);
  t.true(find('SortWithFixture', 'sort').findings.some(({ id }) => id === 'invocation-fixtures'));
  t.true(trials.some(({ suite, mode }) => suite === 'Modes' && mode === 'sample'));
  const parser = find('Parser', 'throwing');
  const { valid, invalid } = parser.forks[0]!.iterations[0]!.counters!;
  t.true(Math.abs(invalid! / (valid! + invalid!) - 0.1) < 0.05, `${valid} valid, ${invalid} invalid`);
});

/** The quickest chunk of a benchmark, ns per op: what the machine takes away from the others does not reach it. */
function quickest(result: RunResult, name: string, params: Record<string, unknown> = {}): number {
  const [suite, benchmark] = name.split('.');
  const trial = result.trials.find(
    (each) =>
      each.suite === suite &&
      each.benchmark === benchmark &&
      Object.entries(params).every(([key, value]) => each.params[key] === value),
  )!;
  return Math.min(...trial.forks.flatMap(({ iterations }) => iterations.map(({ chunks }) => chunks!.minNs)));
}

test.serial(
  'samples 08, 10, 11, 12, 34, 36 and 37: the wrong number beside the right one, and told where it can be',
  async (t) => {
    const cwd = scratch(t);
    const files = readdirSync(SAMPLES).filter((name) => /^(08|10|11|12|34|36|37)-/.test(name));
    t.is(files.length, 7);
    const args = [...files.map((name) => join(SAMPLES, name)), '-f', '1', '-i', '3', '-r', '30ms', '-p', 'length=256'];
    const { code, stdout } = await tscope(['run', ...args, '--only', '^(?!Forking.(rect|tri|rhombs))', '--no-config'], {
      cwd,
    });
    t.is(code, 0, stdout);
    const result = theRun(cwd).result();
    const found = (name: string, id: string) => {
      const [suite, benchmark] = name.split('.');
      const trial = result.trials.find((each) => each.suite === suite && each.benchmark === benchmark)!;
      return trial.findings.some((finding) => finding.id === id);
    };
    const [ns, ratios] = [(name: string) => quickest(result, name), [] as string[]];
    /** Wrong, right, and the least the right one costs of the wrong one. */
    for (const [wrong, right, times] of [
      ['DeadCode.wrong', 'DeadCode.right', 2],
      ['DeadCode.wrongToo', 'DeadCode.right', 2],
      ['ConstantFold.wrongLiteral', 'ConstantFold.right', 2],
      ['ConstantFold.wrongCaptured', 'ConstantFold.right', 2],
      ['Loops.wrong', 'Loops.right', 3],
      ['Forking.squares', 'Forking.squares (polluted)', 1.5],
      ['Forking.circles', 'Forking.circles (polluted)', 1.5],
      ['SafeLooping.wrong', 'SafeLooping.right', 2],
      ['SafeLooping.wrong', 'SafeLooping.alsoRight', 2],
      ['BranchPrediction.wrong', 'BranchPrediction.right', 1.5],
      ['CacheAccess.wrong', 'CacheAccess.right', 1.5],
    ] as const) {
      ratios.push(`${right} / ${wrong} = ${(ns(right) / ns(wrong)).toFixed(1)}`);
      t.true(ns(right) > times * ns(wrong), ratios.at(-1));
    }
    t.log(ratios.join('\n'));
    for (const name of ['DeadCode.wrong', 'ConstantFold.wrongLiteral', 'ConstantFold.wrongCaptured']) {
      t.true(found(name, 'eliminated'), name);
    }
    for (const name of ['DeadCode.right', 'ConstantFold.right', 'Loops.right', 'SafeLooping.right']) {
      t.false(found(name, 'eliminated') || found(name, 'below-floor'), name);
    }
  },
);

test.serial('sample 25: results as data, in a program', async (t) => {
  const file = join(SAMPLES, '25-results-as-data.mjs');
  const { stdout } = await run(process.execPath, [file], { cwd: scratch(t), env: { ...process.env, FORKS: '1' } });
  const line = (benchmark: string, size: number) => `BatchSize\\.${benchmark} with ${size} MiB: \\d+ us/op`;
  t.regex(
    stdout,
    new RegExp(`^${[1, 16].flatMap((size) => [line('atTheFront', size), line('atTheEnd', size)]).join('\n')}\n$`),
  );
});

test('docs/samples.md lists every sample with its title, and no other', (t) => {
  const page = readFileSync(join(ROOT, 'docs/samples.md'), 'utf8');
  const listed = [...page.matchAll(/\]\(\.\.\/examples\/samples\/([^)]+)\)/g)].map(([, name]) => name!);
  t.deepEqual([...new Set(listed)].sort(), readdirSync(SAMPLES).sort());
  for (const name of readdirSync(SAMPLES)) {
    const text = readFileSync(join(SAMPLES, name), 'utf8');
    t.true(text.startsWith(`// ${name.slice(0, 2)}: `), `${name} begins with its number`);
  }
});
