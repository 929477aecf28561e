import test from 'ava';
import { expandJmhFlags } from '#lib/cli/jmh-flags.js';
import { commandLineOptions, paramOverrides } from '#lib/cli/run-flags.js';

test("JMH's short flags become long ones, values and other arguments stay", (t) => {
  t.deepEqual(expandJmhFlags(['run', 'a.bench.ts', '-f', '3', '-wi=2', '-r', '200ms', '-foe', 'true', '-i5']), [
    'run',
    'a.bench.ts',
    '--forks',
    '3',
    '--warmup-iterations=2',
    '--iteration-time',
    '200ms',
    '--fail-on-error',
    'true',
    '--iterations=5',
  ]);
  t.deepEqual(expandJmhFlags(['-p', 'a=-f', '--', '-f', '-wi']), ['--param', 'a=-f', '--', '-f', '-wi']);
  t.deepEqual(expandJmhFlags(['-zz', '-', '--forks']), ['-zz', '-', '--forks']);
});

test('a bare time is in seconds, as in JMH; in code it would be ms', (t) => {
  t.deepEqual(commandLineOptions({ iterationTime: '2', warmupTime: '100ms', timeout: '1.5m' }), {
    iterationTimeMs: 2000,
    warmupTimeMs: 100,
    timeoutMs: 90_000,
  });
});

test('options are read with their types', (t) => {
  t.deepEqual(
    commandLineOptions({
      forks: '5',
      mode: 'avgt,thrpt',
      threads: 'max',
      gc: 'true',
      pin: 'false',
      nodeArgs: '--a  --b=1',
    }),
    { mode: ['avgt', 'thrpt'], forks: 5, threads: 'max', pin: false, gc: true, nodeArgs: ['--a', '--b=1'] },
  );
  t.is(commandLineOptions({ quick: true }).forks, 3);
  t.is(commandLineOptions({ quick: true, forks: '4' }).forks, 4);
  t.is(commandLineOptions({ thorough: true }).forks, 30);
});

test('a wrong value names its flag', (t) => {
  const problem = (flags: Record<string, unknown>) => t.throws(() => commandLineOptions(flags)).message;
  t.is(problem({ forks: '0' }), '-f (--forks): must be a whole number of at least 1, not 0.');
  t.is(problem({ forks: 'x' }), '-f (--forks): must be a whole number of at least 1, not "x".');
  t.regex(
    problem({ iterationTime: '5 parsecs' }),
    /^-r \(--iteration-time\): "5 parsecs" is not a time; write a number with a unit/,
  );
  t.regex(problem({ mode: 'avgtt' }), /^-bm \(--mode\): "avgtt" is not a mode.*Did you mean "avgt"\?/);
  t.regex(problem({ gc: 'maybe' }), /^-gc \(--gc\): must be true or false, not "maybe"/);
  t.regex(problem({ quick: true, thorough: true }), /cannot go together/);
});

test('params are collected over repeated flags', (t) => {
  t.deepEqual(paramOverrides(['n=1,2', 'kind=a', 'n=3', 'empty=']), { n: ['1', '2', '3'], kind: ['a'], empty: [''] });
  t.throws(() => paramOverrides(['n']), { message: /-p \(--param\): "n" must be name=value/ });
  t.throws(() => paramOverrides(['=1']), { message: /must be name=value/ });
});
