import test from 'ava';
import { Command } from 'commander';
import type { Io } from '#lib/cli/io.js';
import { addLatencyCommand } from '#lib/cli/latency-program.js';
import { TABLES } from '#lib/latency/summary.js';
import { parseThreshold } from '#lib/latency/threshold.js';
import type { AnyLatencyDefinition } from '#lib/suite/latency.js';
import { LATENCY_OPTION_NAMES, parseDuration, parseRate, resolveLatency } from '#lib/suite/latency-options.js';

const run = () => undefined;
const good = { rate: 1000, run };

test('defaults', (t) => {
  const config = resolveLatency(good);
  t.like(config, {
    ratePerSec: 1000,
    events: 10_000,
    runs: 3,
    forks: 1,
    late: 'catch-up',
    done: 'return',
    driver: null,
    coordinatedOmission: true,
    timeoutNs: 10e9,
    warmup: { kind: 'steady', maxNs: 20e9 },
    arrivals: { kind: 'constant' },
    probes: [],
  }); // prettier-ignore
});

test('another late policy on the command line drops the cap that the file declares', (t) => {
  const declared = { ...good, late: 'capped', cap: 3 } as const;
  t.is(resolveLatency(declared).cap, 3);
  t.is(resolveLatency(declared, { late: 'skip' }).late, 'skip');
  t.throws(() => resolveLatency(declared, { late: 'skip', cap: 4 }), { message: /^cap: means nothing/ });
  t.is(resolveLatency(declared, { cap: 4 }).cap, 4);
});

test('an override that is no option is refused, not dropped', (t) => {
  t.throws(() => resolveLatency(good, { iteration: 5 } as object), { message: /^iteration: is not an option/ });
});

test('every option has a flag on the command line', (t) => {
  const program = new Command();
  addLatencyCommand(program, {} as Io, () => undefined);
  const flags = program.commands[0]!.options.map((option) => option.attributeName());
  t.deepEqual(
    LATENCY_OPTION_NAMES.filter((name) => !flags.includes(name)),
    [],
  );
});

test('a limit on a probe whose name has a colon', (t) => {
  t.like(parseThreshold('db:read:p99=1ms'), { table: 'db:read', level: 99, limitNs: 1e6 });
});

test('rates and times in every unit', (t) => {
  t.is(parseRate('20000/s'), 20_000);
  t.is(parseRate('50/ms'), 50_000);
  t.is(parseRate('0.5/us'), 500_000);
  t.is(parseRate('20_000'), 20_000);
  t.is(parseRate(0.1), 0.1);
  t.is(parseDuration(200, 'x'), 200e6);
  t.is(parseDuration('1.5s', 'x'), 1.5e9);
  t.is(parseDuration('250us', 'x'), 250_000);
  t.is(parseDuration('2m', 'x'), 120e9);
});

const bad: readonly (readonly [Record<string, unknown>, RegExp])[] = [
  [
    { probes: ['a\u001b[31m'] },
    /^probes\[0\]: .*must be a name without white space, comma, quote or control character/,
  ],
  [{ rate: 0 }, /^rate: must be a finite rate above 0, not 0/],
  [{ rate: -5 }, /^rate: .*-5/],
  [{ rate: Number.NaN }, /^rate: .*NaN/],
  [{ rate: Number.POSITIVE_INFINITY }, /^rate: .*Infinity/],
  [{ rate: 2e9 }, /^rate: .*above 1e9\/s/],
  [{ rate: '5 per day' }, /^rate: "5 per day" is not a rate/],
  [{ rate: undefined }, /^rate: is missing/],
  [{ rate: 1e-3, iterations: 1e9 }, /104 days/],
  [{ iterations: 0 }, /^iterations: /],
  [{ iterations: 1.5 }, /^iterations: /],
  [{ iterations: 5, duration: '1s' }, /give one of the two/],
  [{ duration: '1us' }, /^duration: .*less than one event/],
  [{ duration: -5 }, /^duration: /],
  [{ runs: 0 }, /^runs: must be a whole number of at least 1, not 0/],
  [{ forks: 0 }, /^forks: /],
  [{ warmup: -1 }, /^warmup: /],
  [{ warmup: 'soon' }, /^warmup: "soon"/],
  [{ late: 'never' }, /^late: "never" is not one of/],
  [{ cap: 1 }, /^cap: /],
  [{ timeout: 0 }, /^timeout: /],
  [{ done: 'maybe' }, /^done: /],
  [{ driver: 'wheel' }, /^driver: /],
  [{ driver: 'spin', done: 'sample' }, /^driver: 'spin'/],
  [{ coordinatedOmission: false, late: 'skip' }, /^late: 'skip'/],
  [{ seed: 0.5 }, /^seed: /],
  [{ pin: 'yes' }, /^pin: must be true or false/],
  [{ keepSamples: true, rate: 1e6, duration: '60s' }, /^keepSamples: /],
  [{ probes: ['a', 'a'] }, /^probes\[1\]: "a" is there twice/],
  [{ probes: ['a b'] }, /^probes\[0\]/],
  [{ probes: 'a' }, /^probes: must be a list/],
  // Their tables would show the numbers of the built-in ones.
  [{ probes: ['a', 'service'] }, /^probes\[1\]: "service" is the name of a table/],
  ...TABLES.map((name): [Record<string, unknown>, RegExp] => [{ probes: [name] }, /is the name of a table/]),
  [{ probes: ['OSJitter'] }, /is the name of a table/],
  [{ cap: 3 }, /^cap: means nothing without late: 'capped'/],
  [{ cap: 3, late: 'skip' }, /^cap: means nothing/],
  [{ nodeArgs: '--expose-gc' }, /^nodeArgs: must be a list of strings, not "--expose-gc"/],
  [{ nodeArgs: [1] }, /^nodeArgs: /],
  [{ timeout: '_ms' }, /^timeout: "_ms" is not a time/],
  [{ arrivals: 'sometimes' }, /^arrivals: "sometimes"/],
  [{ arrivals: { kind: 'burst', on: 0, off: 5 } }, /^arrivals.on: must be above 0/],
  [{ arrivals: { kind: 'burst', on: '1us', off: '10s' }, rate: 1e6 }, /^rate: inside the bursts/],
  [{ arrivals: { kind: 'ramp', from: 0, to: 5 }, rate: undefined }, /^arrivals.from: /],
  [{ arrivals: { kind: 'ramp', from: 1, to: 5 } }, /^rate: leave it out/],
  [{ arrivals: { kind: 'trace', gaps: [] }, rate: undefined }, /^arrivals.gaps: /],
  [{ arrivals: { kind: 'trace', gaps: [1, -1] }, rate: undefined }, /^arrivals.gaps\[1\]: /],
  [{ arrivals: { kind: 'trace', gaps: [0] }, rate: undefined }, /at least one gap/],
  [{ run: undefined }, /^run: is missing/],
  [{ setup: 5 }, /^setup: must be a function/],
  [{ rte: 5 }, /^rte: is not an option/],
];

for (const [options, message] of bad) {
  test(`bad input, ${message.source}: ${JSON.stringify(options, (_, v) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v))}`, (t) => {
    const error = t.throws(() => resolveLatency({ ...good, ...options } as AnyLatencyDefinition));
    t.true(error instanceof TypeError || error instanceof RangeError);
    t.regex(error!.message, message);
  });
}

test('overrides win, and take away what they contradict', (t) => {
  t.is(resolveLatency({ ...good, duration: '5s' }, { iterations: 7 }).events, 7);
  t.is(resolveLatency({ ...good, iterations: 7 }, { duration: '5s' }).events, 5000);
  const ramp = { run, arrivals: { kind: 'ramp', from: 10, to: 30 } } as const;
  t.is(resolveLatency(ramp).ratePerSec, 20);
  t.deepEqual(resolveLatency(ramp, { rate: 100 }).arrivals, { kind: 'constant' });
  t.is(resolveLatency(good, { arrivals: { kind: 'trace', gaps: [100] } }).ratePerSec, 1e7);
  t.throws(() => resolveLatency(good, { rate: 0 }), { message: /^rate: / });
});

test('thresholds', (t) => {
  t.like(parseThreshold('p99=2ms'), { table: 'endToEnd', level: 99, limitNs: 2e6 });
  t.like(parseThreshold('parse:p99.9=10us'), { table: 'parse', level: 99.9, limitNs: 10_000 });
  t.like(parseThreshold('service:max=1s'), { table: 'service', level: 100, limitNs: 1e9 });
  for (const text of ['p99', 'p101=2ms', 'p0=2ms', 'p99=fast', '99=2ms'])
    t.throws(() => parseThreshold(text), { message: new RegExp(text.split('=')[0]!) });
});
