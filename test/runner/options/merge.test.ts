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
