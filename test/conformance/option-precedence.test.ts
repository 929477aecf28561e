/** Options merge attribute by attribute: command line, environment, config file, benchmark, suite, defaults. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import type { OptionSource } from '#lib/result/model.js';
import { environmentWholeRun } from '#lib/runner/options/environment.js';
import { mergeLayers, mergeOptions } from '#lib/runner/options/merge.js';
import { readWholeRun, type WholeRun } from '#lib/suite/whole-run.js';
import { fixture, ROOT, SHORT, scratch, theRun, tscope } from '../support/cli.js';

const LAYERS: readonly OptionSource[] = ['suite', 'benchmark', 'config', 'environment', 'command line'];

test('every subset of layers that set an attribute: the highest of them wins, and is named', (t) => {
  for (let subset = 0; subset < 2 ** LAYERS.length; subset++) {
    const setting = LAYERS.filter((_, i) => subset & (1 << i));
    const layers = LAYERS.map((source, i) => ({ source, options: subset & (1 << i) ? { iterations: 10 + i } : {} }));
    const { options, resolved } = mergeOptions('avgt', layers.reverse());
    const winner = setting.at(-1) ?? 'default';
    t.is(resolved.iterations!.source, winner, setting.join(' + '));
    t.is(options.iterations, winner === 'default' ? 5 : 10 + LAYERS.indexOf(winner));
    const shares = LAYERS.map((source, i) => ({
      source,
      options: subset & (1 << i) ? { precision: (i + 1) / 100 } : {},
    }));
    const merged = mergeOptions('avgt', shares).resolved.precision!;
    t.deepEqual(merged, {
      value: winner === 'default' ? null : (LAYERS.indexOf(winner) + 1) / 100,
      source: winner,
    });
  }
});

test.serial('a run in which every layer sets all it may, and each loses what a higher one sets', async (t) => {
  const cwd = scratch(t);
  // Each layer sets its own attribute and those of all lower layers.
  writeFileSync(
    join(cwd, 'tscope.config.json'),
    JSON.stringify({ batchSize: 3, opsPerInvocation: 3, warmupIterations: 3 }),
  );
  const env = { TSCOPE_WARMUP_ITERATIONS: '2', TSCOPE_ITERATIONS: '2' };
  const args = ['run', fixture('conformance/fixtures/precedence.bench.mjs'), '-i', '1', '-f', '1', '-bm', 'ss'];
  const { code, stderr } = await tscope(args, { cwd, env });
  t.is(code, 0, stderr);
  const [trial] = theRun(cwd).result().trials;
  const pick = (name: string) => trial!.options[name];
  t.deepEqual(pick('timeoutMs'), { value: 5000, source: 'suite' });
  t.deepEqual(pick('unit'), { value: 'us', source: 'benchmark' });
  t.deepEqual(pick('batchSize'), { value: 3, source: 'config' });
  t.deepEqual(pick('opsPerInvocation'), { value: 3, source: 'config' });
  t.deepEqual(pick('warmupIterations'), { value: 2, source: 'environment' });
  t.deepEqual(pick('iterations'), { value: 1, source: 'command line' });
  t.deepEqual(pick('mode'), { value: 'ss', source: 'command line' });
  t.deepEqual(pick('inflight'), { value: 1, source: 'default' });
  // What was resolved is what was done.
  const [fork] = trial!.forks;
  t.deepEqual([fork!.warmup.length, fork!.iterations.length, fork!.iterations[0]!.ops], [2, 1, 3]);
  t.is(fork!.iterations[0]!.counters!.calls, 3);
});

const WHOLE: readonly OptionSource[] = ['config', 'environment', 'command line', 'call'];

/** A value of each whole-run option that says which layer it is of. */
const LAYER_VALUE = {
  precisionRule: (i: number) => (i % 2 === 0 ? 'stein' : 'width'),
  maxForks: (i: number) => 10 + i,
  budgetMs: (i: number) => 1000 * (i + 1),
  keepEnv: (i: number) => [`LAYER_${i}`],
} as const;

test('whole-run options: every subset of layers, every attribute on its own, the highest wins and is named', (t) => {
  for (const [name, value] of Object.entries(LAYER_VALUE)) {
    for (let subset = 0; subset < 2 ** WHOLE.length; subset++) {
      const layers = WHOLE.map((source, i) => ({
        source,
        options: (subset & (1 << i) ? { [name]: value(i) } : {}) as WholeRun,
      }));
      // A lower layer that sets another attribute does not lose it.
      const other = name === 'maxForks' ? 'budgetMs' : 'maxForks';
      const { options, sources } = mergeLayers<WholeRun>(
        [...layers, { source: 'config' as const, options: {} }].reverse(),
      );
      const winner = WHOLE.findLastIndex((_, i) => subset & (1 << i));
      t.deepEqual(options[name as keyof WholeRun], winner < 0 ? undefined : value(winner), `${name} ${subset}`);
      t.is(sources[name as keyof WholeRun], WHOLE[winner]);
      t.is(options[other], undefined);
    }
  }
  const mixed = mergeLayers<WholeRun>([
    { source: 'command line', options: { budgetMs: 20 } },
    { source: 'config', options: { budgetMs: 50, maxForks: 7, keepEnv: ['A'] } },
    { source: 'environment', options: { keepEnv: ['B'] } },
  ]);
  t.deepEqual(mixed.options, { budgetMs: 20, maxForks: 7, keepEnv: ['B'] });
  t.deepEqual(mixed.sources, { budgetMs: 'command line', maxForks: 'config', keepEnv: 'environment' });
});

test('whole-run options of the environment say the same as those of a config file', (t) => {
  const env = {
    TSCOPE_PRECISION_RULE: 'width',
    TSCOPE_MAX_FORKS: '30',
    TSCOPE_BUDGET: '90s',
    TSCOPE_KEEP_ENV: 'B,A',
  };
  const config = { precisionRule: 'width', maxForks: 30, budget: '90s', keepEnv: ['A', 'B'] };
  t.deepEqual(environmentWholeRun(env), readWholeRun(config) as ReturnType<typeof environmentWholeRun>);
  t.deepEqual(environmentWholeRun({ TSCOPE_MAX_FORKS: '', OTHER: '1' }), { options: {} });
  for (const [name, text, said] of [
    ['TSCOPE_BUDGET', '60', /TSCOPE_BUDGET: 60 has no unit/],
    ['TSCOPE_PRECISION_RULE', 'p', /TSCOPE_PRECISION_RULE: "p" is not one of/],
    ['TSCOPE_KEEP_ENV', 'A,NODE_V8_COVERAGE', /TSCOPE_KEEP_ENV: NODE_V8_COVERAGE is never passed on/],
  ] as const) {
    const read = environmentWholeRun({ [name]: text });
    t.regex('problem' in read ? read.problem : '', said);
  }
});

test.serial(
  'a run with whole-run options of three layers: what holds is done, and is on record with where it came from',
  async (t) => {
    const cwd = scratch(t);
    const config = { precision: '50%', precisionRule: 'width', maxForks: 4, keepEnv: ['FROM_CONFIG'] };
    writeFileSync(join(cwd, 'tscope.config.json'), JSON.stringify(config));
    // The name of the suite is made where the file is described and again in each fork.
    writeFileSync(
      join(cwd, 'env.bench.mjs'),
      `import { suite } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)};
const { FROM_CONFIG, ASKED, OTHER } = process.env;
export default suite(['saw', FROM_CONFIG, ASKED, OTHER].join(' '), {
  precision: '40%',
  benchmarks: { f: { precision: '30%', run: () => 1 } },
});`,
    );
    const env = { TSCOPE_PRECISION: '0.0001%', FROM_CONFIG: 'a', ASKED: 'b', OTHER: 'c' };
    const args = [
      'run',
      'env.bench.mjs',
      ...SHORT,
      '-f',
      '3',
      '--precision-rule',
      'stein',
      '--keep-env',
      'ASKED,UNSET',
    ];
    const { code, stdout, stderr } = await tscope(args, { cwd, env });
    t.is(code, 0, stderr);
    const result = theRun(cwd).result();
    t.deepEqual(result.stop, { rule: 'stein', target: 1e-6, confidence: 0.95, pilot: 3, cap: 4, budgetMs: null });
    const [trial] = result.trials;
    t.is(trial!.suite, 'saw  b ', 'the list of the command line replaces that of the config file');
    t.is(trial!.forks.length, 4);
    const { precision, precisionRule, maxForks, keepEnv } = trial!.options;
    t.deepEqual(
      { precision, precisionRule, maxForks, keepEnv },
      {
        precision: { value: 1e-6, source: 'environment' },
        precisionRule: { value: 'stein', source: 'command line' },
        maxForks: { value: 4, source: 'config' },
        keepEnv: { value: 'ASKED UNSET', source: 'command line' },
      },
    );
    t.regex(stdout, /# Environment kept for forks: ASKED, UNSET\n/);
    t.regex(stdout, /\[env-not-set\] UNSET is to be kept/);
  },
);
