import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { integerFlag, numberFlag, switchFlag, timeFlag } from '#lib/cli/flag-values.js';
import { arrivalsFlag } from '#lib/cli/latency-program.js';
import { fixture, scratch, tscope } from '../support/cli.js';

test('arrivals are written as one word with their numbers', (t) => {
  t.is(arrivalsFlag('poisson'), 'poisson');
  t.deepEqual(arrivalsFlag('burst:100ms/2'), { kind: 'burst', on: 100, off: 2000 });
  t.deepEqual(arrivalsFlag('ramp:100/s..2/ms'), { kind: 'ramp', from: '100/s', to: '2/ms' });
  const path = join(scratch(t), 'trace.json');
  writeFileSync(path, '[1000, 2000.5]');
  t.deepEqual(arrivalsFlag(`trace:${path}`), { kind: 'trace', gaps: [1000, 2000.5] });
  for (const wrong of ['gauss', 'burst:100ms', 'burst:x/y', 'ramp:1', 'trace:', 'trace:/nonexistent.json', '']) {
    t.throws(() => arrivalsFlag(wrong), { message: /^--arrivals: / }, wrong);
  }
});

test('flag values are read whole or refused by name', (t) => {
  t.is(integerFlag('--n', 0)('7'), 7);
  t.is(numberFlag('--x')('-1.5'), -1.5);
  t.is(timeFlag('--t')('2'), 2000);
  t.is(switchFlag('--s')('false'), false);
  const wrong = [
    () => integerFlag('--n', 1)('0'),
    () => integerFlag('--n', 1)('7.5'),
    () => numberFlag('--n')(''),
    () => timeFlag('--n')('soon'),
    () => switchFlag('--n')('yes'),
  ];
  for (const read of wrong) t.throws(read, { message: /^--n: / });
});

test('the commands of the timing layer answer in JSON', async (t) => {
  for (const args of [
    ['clock', '--ms', '20', '--no-cross-core', '--json'],
    ['topology', '--json'],
  ]) {
    const { code, stdout, stderr } = await tscope(args);
    t.is(code, 0, stderr);
    t.is(typeof JSON.parse(stdout), 'object');
  }
  const wrong = await tscope(['jitter', '--cpu', 'one']);
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /^tscope: --cpu: "one" is not a whole number from 0 to 8191\./);
});

test('what the timing layer would throw for is a mistake in a flag, named and with exit code 2', async (t) => {
  const wrong: [string[], RegExp][] = [
    [['clock', '--ms', '60001'], /^tscope: --ms: "60001" is not a whole number from 1 to 60000\.\n$/],
    [['topology', '--plan', '8193'], /^tscope: --plan: "8193" is not a whole number from 1 to 8192\.\n$/],
    [
      ['topology', '--keep-free', '1'],
      /^tscope: --keep-free and --share-cores belong to --plan, which is not given\.\n$/,
    ],
    [['jitter', '--cpu', '9000'], /^tscope: --cpu: "9000" is not a whole number from 0 to 8191\.\n$/],
    [['jitter', '--duration', '0'], /^tscope: --duration: "0" is not from 1ns to 24h\.\n$/],
    [['jitter', '--duration', '25h'], /^tscope: --duration: "25h" is not from 1ns to 24h\.\n$/],
    [['jitter', '--threshold', '0'], /^tscope: --threshold: "0" is not from 1ns to 1000s\.\n$/],
    [['jitter', '--threshold', '1h'], /^tscope: --threshold: "1h" is not from 1ns to 1000s\.\n$/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await tscope(args);
    t.is(code, 2, args.join(' '));
    t.is(stdout, '');
    t.regex(stderr, message);
  }
});

test('latency writes whole files, and refuses what it cannot write before it measures', async (t) => {
  const cwd = scratch(t);
  const file = fixture('../examples/latency-sync.latency.ts');
  const short = ['--duration', '50ms', '--runs', '1', '--warmup', '0', '--jitter', 'false'];
  const args = [
    'latency',
    file,
    ...short,
    '--keep-env',
    'ASKED',
    '--max',
    'p50=10s',
    '--junit',
    'l.xml',
    '--csv',
    'l.csv',
    '--out',
    'l.json',
  ];
  const { code, stdout, stderr } = await tscope(args, { cwd });
  t.true(code === 0 || /unreachable|driver-limited/.test(stdout), stderr);
  t.regex(readFileSync(join(cwd, 'l.xml'), 'utf8'), /<testcase name="p50=10s"/);
  const written = JSON.parse(readFileSync(join(cwd, 'l.json'), 'utf8'));
  t.deepEqual([written.name, written.keepEnv], ['Order book', ['ASKED']]);
  t.deepEqual(
    readdirSync(cwd)
      .filter((name) => name.startsWith('l.'))
      .sort(),
    ['l.csv', 'l.json', 'l.xml'],
  );
  for (const [wrong, message] of [
    [['--keep-env', 'OK,NODE_OPTIONS'], /^tscope: --keep-env: NODE_OPTIONS is never passed on to forks/],
    [['--csv', 'no/where.csv'], /^tscope: --csv no\/where\.csv: the folder .* does not exist/],
    [['--csv', 'a', '--hlog', 'a'], /^tscope: --hlog and --csv name the same file: a\./],
    [['--junit', 'a'], /^tscope: --junit: there are no limits to write/],
  ] as const) {
    const refused = await tscope(['latency', file, ...short, ...wrong], { cwd });
    t.is(refused.code, 2);
    t.regex(refused.stderr, message);
    t.is(refused.stdout, '');
  }
});
