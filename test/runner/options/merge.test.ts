import test from 'ava';
import type { OptionSource } from '#lib/result/model.js';
import { environmentOptions } from '#lib/runner/options/environment.js';
import { LAYER_ORDER, mergeOptions, modesOf } from '#lib/runner/options/merge.js';

test('every pair of layers: the higher wins, whatever the order in which they are given', (t) => {
  const sources = LAYER_ORDER.slice(1);
  for (const [i, low] of sources.entries()) {
    for (const high of sources.slice(i + 1)) {
      const layers = [
        { source: high, options: { forks: 7 } },
        { source: low, options: { forks: 3, iterations: 9 } },
      ];
      const { options, resolved } = mergeOptions('avgt', layers);
      t.is(options.forks, 7, `${high} over ${low}`);
      t.deepEqual(resolved.forks, { value: 7, source: high });
      // Attributes merge one by one.
      t.deepEqual(resolved.iterations, { value: 9, source: low });
    }
  }
});

test('what nobody sets comes from the one table of defaults', (t) => {
  const { options, resolved } = mergeOptions('avgt', []);
  t.is(options.forks, 10);
  t.is(options.warmupIterations, null);
  t.is(options.unit, 'ns');
  t.true(Object.values(resolved).every(({ source }) => source === 'default'));
  t.is(mergeOptions('thrpt', []).options.unit, 's');
  const ss = mergeOptions('ss', []).options;
  t.deepEqual([ss.warmupIterations, ss.iterations], [0, 1]);
});

test('the table of defaults is the one that README and docs tell', (t) => {
  const common = {
    mode: 'avgt',
    unit: 'ns',
    forks: 10,
    warmupForks: 0,
    warmupIterations: null,
    warmupMode: 'indi',
    warmupTimeMs: 100,
    warmupMinMs: 200,
    warmupMaxMs: 1500,
    iterations: 5,
    iterationTimeMs: 100,
    batchSize: 1,
    warmupBatchSize: 1,
    opsPerInvocation: 1,
    threads: 1,
    timeoutMs: 60_000,
    inflight: 1,
    pin: true,
    opaque: false,
    gc: false,
    syncIterations: true,
    precision: null,
    nodeArgs: [],
  };
  t.deepEqual(mergeOptions('avgt', []).options as object, common);
  t.deepEqual(mergeOptions('sample', []).options as object, { ...common, mode: 'sample' });
  t.deepEqual(mergeOptions('thrpt', []).options as object, { ...common, mode: 'thrpt', unit: 's' });
  t.deepEqual(mergeOptions('ss', []).options as object, { ...common, mode: 'ss', warmupIterations: 0, iterations: 1 });
});

test('modes come from the highest layer that names any', (t) => {
  const layer = (source: OptionSource, mode: 'avgt' | 'ss') => ({ source, options: { mode: [mode] as const } });
  t.deepEqual(modesOf([]), { modes: ['avgt'], source: 'default' });
  t.deepEqual(modesOf([layer('suite', 'ss'), { source: 'command line', options: {} }]), {
    modes: ['ss'],
    source: 'suite',
  });
  t.deepEqual(modesOf([layer('command line', 'avgt'), layer('suite', 'ss')]), {
    modes: ['avgt'],
    source: 'command line',
  });
});

test('a warm-up batch that nobody named follows the measured one', (t) => {
  const { options, resolved } = mergeOptions('ss', [{ source: 'suite', options: { batchSize: 50 } }]);
  t.is(options.warmupBatchSize, 50);
  t.is(resolved.warmupBatchSize!.source, 'suite');
  const named = mergeOptions('ss', [
    { source: 'suite', options: { warmupBatchSize: 3 } },
    { source: 'command line', options: { batchSize: 50 } },
  ]);
  t.deepEqual([named.options.warmupBatchSize, named.resolved.warmupBatchSize!.source], [3, 'suite']);
  t.is(mergeOptions('ss', []).options.warmupBatchSize, 1);
});

test('what a layer leaves undefined it does not set; lists are recorded as text; the mode has its source', (t) => {
  const { options, resolved } = mergeOptions('thrpt', [
    { source: 'suite', options: { forks: 4, mode: ['thrpt'], nodeArgs: ['--a', '--b'] } },
    { source: 'command line', options: { forks: undefined as never } },
  ]);
  t.deepEqual([options.forks, resolved.forks], [4, { value: 4, source: 'suite' }]);
  t.deepEqual(resolved.nodeArgs, { value: '--a --b', source: 'suite' });
  t.deepEqual(options.nodeArgs, ['--a', '--b']);
  t.deepEqual(resolved.mode, { value: 'thrpt', source: 'suite' });
});

test('environment variables set options by their spelled-out name', (t) => {
  t.deepEqual(
    environmentOptions({
      TSCOPE_FORKS: '4',
      TSCOPE_ITERATION_TIME: '50ms',
      TSCOPE_PIN: 'false',
      TSCOPE_MODE: 'avgt,ss',
      OTHER: '1',
    }),
    {
      options: { mode: ['avgt', 'ss'], forks: 4, iterationTimeMs: 50, pin: false },
    },
  );
  t.deepEqual(environmentOptions({ TSCOPE_NODE_ARGS: ' --a  --b=1,2 ', TSCOPE_PIN: 'true' }), {
    options: { pin: true, nodeArgs: ['--a', '--b=1,2'] },
  });
  t.deepEqual(environmentOptions({ TSCOPE_FORKS: '' }), { options: {} });
  t.deepEqual(environmentOptions({ TSCOPE_FORKS: 'many' }), {
    problem: 'environment variable TSCOPE_FORKS: must be a whole number of at least 1, not "many".',
  });
  for (const text of ['1', '0.5', '1e3']) {
    t.deepEqual(environmentOptions({ TSCOPE_ITERATION_TIME: text }), {
      problem: `environment variable TSCOPE_ITERATION_TIME: ${text} has no unit; write a number with a unit: 200ms, 1.5s, 2m.`,
    });
  }
});
