/** Options merge attribute by attribute: command line, environment, config file, benchmark, suite, defaults. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { OptionSource } from '#lib/result/model.js';
import { mergeOptions } from '#lib/runner/options/merge.js';
import { fixture, scratch, theRun, tscope } from '../support/cli.js';

const LAYERS: readonly OptionSource[] = ['suite', 'benchmark', 'config', 'environment', 'command line'];

test('every subset of layers that set an attribute: the highest of them wins, and is named', (t) => {
  for (let subset = 0; subset < 2 ** LAYERS.length; subset++) {
    const setting = LAYERS.filter((_, i) => subset & (1 << i));
    const layers = LAYERS.map((source, i) => ({ source, options: subset & (1 << i) ? { iterations: 10 + i } : {} }));
    const { options, resolved } = mergeOptions('avgt', layers.reverse());
    const winner = setting.at(-1) ?? 'default';
    t.is(resolved.iterations!.source, winner, setting.join(' + '));
    t.is(options.iterations, winner === 'default' ? 5 : 10 + LAYERS.indexOf(winner));
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
