import test from 'ava';
import fc from 'fast-check';
import { forkCpus } from '#lib/runner/cpus.js';
import { forkEnv } from '#lib/runner/fork-env.js';
import { chooseCpus, plannedMs, schedule } from '#lib/runner/index.js';
import { Progress } from '#lib/runner/progress.js';
import { forkSeed } from '#lib/runner/schedule.js';
import { Tail } from '#lib/runner/tail.js';
import { rmitSchedule } from '#lib/stats/schedule.js';
import { trialPlan } from './plans.js';

const trialsArbitrary = fc.array(fc.record({ forks: fc.integer({ min: 1, max: 5 }), warmupForks: fc.nat(2) }), {
  maxLength: 6,
});

test('every fork is scheduled once, warm-up forks first, each round holds each trial at most once', (t) => {
  fc.assert(
    fc.property(
      trialsArbitrary,
      fc.integer(),
      fc.constantFrom('random' as const, 'sequential' as const),
      (trials, seed, order) => {
        const slots = schedule(trials, order, seed);
        const expected = trials.flatMap(({ forks, warmupForks }, trial) =>
          Array.from({ length: forks + warmupForks }, (_, i) => `${trial}:${i - warmupForks}`),
        );
        t.deepEqual(slots.map(({ trial, fork }) => `${trial}:${fork}`).sort(), expected.sort());
        for (const [trial] of trials.entries()) {
          const forks = slots.filter((slot) => slot.trial === trial).map(({ fork }) => fork);
          t.deepEqual(
            forks,
            [...forks].sort((a, b) => a - b),
          );
        }
        const rounds = slots.map(({ round, trial }) => `${round}:${trial}`);
        t.is(new Set(rounds).size, rounds.length);
        t.deepEqual(schedule(trials, order, seed), slots);
      },
    ),
  );
});

test('sequential: trial after trial; random: not', (t) => {
  const trials = [
    { forks: 3, warmupForks: 1 },
    { forks: 2, warmupForks: 0 },
  ];
  t.deepEqual(
    schedule(trials, 'sequential', 5).map(({ trial, fork, round, position }) => [trial, fork, round, position]),
    [
      [0, -1, 0, 0],
      [0, 0, 1, 0],
      [0, 1, 2, 0],
      [0, 2, 3, 0],
      [1, 0, 0, 1],
      [1, 1, 1, 1],
    ],
  );
  const rounds = schedule(trials, 'random', 5).map(({ round }) => round);
  t.deepEqual(rounds, [0, 0, 1, 1, 2, 3]);
  t.deepEqual(schedule([], 'random', 5), []);
});

test('random rounds are those of the RMIT schedule when all trials have equally many forks', (t) => {
  const slots = schedule(
    [
      { forks: 3, warmupForks: 1 },
      { forks: 4, warmupForks: 0 },
      { forks: 2, warmupForks: 2 },
    ],
    'random',
    5,
  );
  const rounds = rmitSchedule(5, 3, 4);
  t.deepEqual(
    slots.map(({ trial }) => trial),
    rounds.flat(),
  );
});

test('random rounds are contiguous and every order of three trials comes up about equally often', (t) => {
  const trials = Array.from({ length: 3 }, () => ({ forks: 600, warmupForks: 0 }));
  const slots = schedule(trials, 'random', 7);
  t.true(slots.every(({ round, position }, i) => round === Math.floor(i / 3) && position === i % 3));
  const counts = new Map<string, number>();
  for (let i = 0; i < slots.length; i += 3) {
    const key = slots
      .slice(i, i + 3)
      .map(({ trial }) => trial)
      .join('');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  t.is(counts.size, 6);
  // 100 expected of 600; a fixed seed, so this is arithmetic, not chance.
  for (const count of counts.values()) t.true(count > 70 && count < 130, `${[...counts]}`);
  t.notDeepEqual(schedule(trials, 'random', 8), slots);
});

test('fork seeds differ between forks and trials and are 32-bit', (t) => {
  const seeds = new Set<number>();
  for (let trial = 0; trial < 20; trial++) {
    for (let fork = -2; fork < 30; fork++) seeds.add(forkSeed(1, { trial, fork, round: 0, position: 0 }));
  }
  t.is(seeds.size, 20 * 32);
  t.true([...seeds].every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32));
});

test('a fork gets what it needs and nothing that steers Node', (t) => {
  const host = {
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
    NODE_OPTIONS: '--inspect',
    NODE_V8_COVERAGE: '/cov',
    SECRET: 'x',
    MINE: 'y',
    TZ: undefined,
  };
  const env = forkEnv(host, ['MINE', 'NODE_V8_COVERAGE', 'NODE_OPTIONS', 'ABSENT'], 0.5, 'run/0.0');
  t.deepEqual(env, {
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
    MINE: 'y',
    TSCOPE_FORK: 'run/0.0',
    TSCOPE_PADDING: 'x'.repeat(2048),
  });
});

test('CPUs: isolated first, CPU 0 last, helpers on the rest', (t) => {
  t.deepEqual(chooseCpus([0, 1, 2, 3], [2], 1), { measured: [2], helpers: [0, 1, 3], findings: [] });
  t.deepEqual(chooseCpus([0, 1], null), { measured: [1], helpers: [0], findings: [] });
  t.deepEqual(chooseCpus([0, 1, 2, 3], [], 3).measured, [3, 2, 1]);
  t.deepEqual(chooseCpus([0, 1, 2, 3], [], 1, (cpu) => [cpu ^ 1]).helpers, [0, 1]);
  t.deepEqual(chooseCpus([0, 1], [], 1, (cpu) => [cpu ^ 1]).helpers, [0]);
  // An isolated CPU 0 is isolated; text does not sort ten before two.
  t.deepEqual(chooseCpus([0, 2, 10, 11], [0], 2), { measured: [0, 11], helpers: [2, 10], findings: [] });
  t.deepEqual(chooseCpus([10, 2, 2, 0], null, 1).helpers, [0, 2]);
  t.is(chooseCpus([], null).measured, null);
});

test('CPUs: what cannot be had is said', (t) => {
  const one = chooseCpus([0], null);
  t.deepEqual([one.measured, one.helpers, one.findings.map(({ id }) => id)], [[0], null, ['no-helper-cpu']]);
  t.regex(one.findings[0]!.message, /^The only allowed CPU measures, so .* share it;/);
  t.deepEqual([chooseCpus(null, null).measured, chooseCpus(null, null).findings[0]!.id], [null, 'not-pinned']);
  const many = chooseCpus([0, 1], null, 3);
  t.deepEqual(
    [many.measured, many.helpers, many.findings.map(({ id }) => id)],
    [[1, 0], null, ['no-helper-cpu', 'not-pinned']],
  );
});

test('CPUs of a fork: its threads first, everything else for its helpers', (t) => {
  const cpus = { measured: [3, 2], helpers: [0, 1] };
  t.deepEqual(forkCpus(cpus, 2), { pinCpus: [3, 2], helperCpus: [0, 1] });
  t.deepEqual(forkCpus(cpus, 1), { pinCpus: [3], helperCpus: [0, 1, 2] });
  t.deepEqual(forkCpus({ measured: [12, 11], helpers: [2, 10] }, 1).helperCpus, [2, 10, 11]);
  t.deepEqual(forkCpus(cpus, 3), { pinCpus: null, helperCpus: null });
  t.deepEqual(forkCpus({ measured: [1, 0], helpers: null }, 1), { pinCpus: [1], helperCpus: [0] });
  t.deepEqual(forkCpus({ measured: [1, 0], helpers: null }, 2), { pinCpus: [1, 0], helperCpus: null });
  t.deepEqual(forkCpus({ measured: null, helpers: null }, 1), { pinCpus: null, helperCpus: null });
});

test('the expected rest scales the plan by how forks kept to it, then uses their own means', (t) => {
  const trials = [trialPlan('a', {}, { forks: 2 }), trialPlan('b', {}, { forks: 3 })];
  t.is(plannedMs(trials[0]!), 300 + 1 + 3);
  const progress = new Progress(trials);
  t.is(progress.etaMs(), null);
  progress.finished(0, 608);
  t.is(progress.etaMs(), 608 + 3 * 608);
  progress.finished(1, 100);
  t.is(progress.etaMs(), 608 + 2 * 100);
  progress.finished(1, null);
  t.deepEqual([progress.done, progress.total, progress.etaMs()], [3, 5, 608 + 100]);
});

test('a tail keeps the last part and says when something is missing', (t) => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 20 }), (parts, limit) => {
      const tail = new Tail(limit);
      for (const part of parts) tail.push(part);
      const whole = parts.join('');
      t.is(`${tail}`, whole.length > limit ? `[...]${whole.slice(-limit)}` : whole);
    }),
  );
});
