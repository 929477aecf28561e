import test from 'ava';
import { judge } from '#lib/clock/assess.js';
import { agrees } from '#lib/clock/cross-core.js';
import type { HotClock } from '#lib/clock/hot.js';
import { assess, Clock, calibrate, crossCore, hotClock, PROBES, probe, Stopwatch } from '#lib/clock/index.js';
import { loadAddon } from '#lib/native/load.js';

const withAddon = loadAddon().addon ? test : test.skip;

/** A clock whose reads return the given ticks, one after the other; 2 ns per tick. */
function fakeClock(ticks: number[], ordered: number[] = []): HotClock {
  const slot = new Float64Array(8);
  return {
    ...hotClock({ calibrateMs: 2 }),
    slot,
    nsPerTick: 2,
    read: () => {
      slot[0] = ticks.shift()!;
    },
    readOrdered: () => {
      slot[0] = ordered.shift()!;
    },
  };
}

test('now and ticks go the same way', (t) => {
  const clock = new Clock();
  const [tick, ns, later] = [clock.ticks(), clock.now(), clock.ticks()];
  t.true(tick <= ns / clock.hot.nsPerTick + 1e-3 && ns / clock.hot.nsPerTick <= later + 1e-3);
  t.is(clock.elapsed(10, 10), 0);
  t.is(clock.elapsed(10, 20), 10 * clock.hot.nsPerTick);
  t.is(clock.elapsed(20, 10), -10 * clock.hot.nsPerTick);
  t.is(clock.info, hotClock().info);
});

test('counting starts in this process, so that a double holds every tick', (t) => {
  const clock = new Clock();
  const ns = clock.now();
  t.true(ns > 0 && ns <= process.uptime() * 1e9, `${ns} ns`);
});

test('elapsed refuses what is no tick', (t) => {
  const clock = new Clock();
  t.throws(() => clock.elapsed(Number.NaN, 1), {
    instanceOf: RangeError,
    message: /elapsed: start must be from .* NaN/,
  });
  t.throws(() => clock.elapsed(1, Infinity), { instanceOf: RangeError, message: /elapsed: end/ });
  t.throws(() => clock.elapsed('1' as never, 1), { instanceOf: TypeError, message: /elapsed: start must be a number/ });
});

test('stopwatch: splits sum up to the round, in ns', (t) => {
  const watch = new Stopwatch(fakeClock([100, 110, 140, 200, 1000, 1001]));
  t.false(watch.running);
  watch.start();
  t.true(watch.running);
  t.is(watch.split(), 20);
  t.is(watch.split(), 60);
  t.is(watch.stop(), 200);
  t.is(watch.ns, 200);
  t.deepEqual(watch.splits, [20, 60, 120]);
  watch.start();
  t.is(watch.stop(), 2);
  t.deepEqual(watch.splits, [2]);
});

test('stopwatch: ordered reads are the fenced ones', (t) => {
  const watch = new Stopwatch(fakeClock([], [5, 6]), { ordered: true });
  watch.start();
  t.is(watch.stop(), 2);
  t.throws(() => new Stopwatch(fakeClock([]), { ordered: 1 as never }), { instanceOf: TypeError, message: /ordered/ });
});

test('stopwatch: out of turn', (t) => {
  const watch = new Clock().stopwatch();
  t.throws(() => watch.stop(), { message: /stop\(\) before start/ });
  t.throws(() => watch.split(), { message: /split\(\) before start/ });
  watch.start();
  t.throws(() => watch.start(), { message: /stop\(\) it first/ });
  t.true(watch.stop() >= 0);
});

test('timeIt: value, time, promises and what fn throws', async (t) => {
  const clock = new Clock();
  const spun = clock.timeIt(() => {
    const end = process.hrtime.bigint() + 2_000_000n;
    while (process.hrtime.bigint() < end);
    return 'done';
  });
  t.is(spun.value, 'done');
  t.true(spun.ns >= 2e6 * 0.999);
  const slept = await clock.timeIt(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return 7;
  });
  t.is(slept.value, 7);
  t.true(slept.ns >= 4e6);
  t.throws(
    () =>
      clock.timeIt(() => {
        throw new Error('mine');
      }),
    { message: 'mine' },
  );
  await t.throwsAsync(
    clock.timeIt(() => Promise.reject(new Error('later'))),
    { message: 'later' },
  );
  // What has a then() is awaited by `await`, and so here: query builders answer with such objects.
  const thenable = await (clock.timeIt(() => ({
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested.
    then: (settle: (value: number) => void) => void setTimeout(settle, 5, 3),
  })) as unknown as Promise<{ ns: number; value: number }>);
  t.is(thenable.value, 3);
  t.true(thenable.ns >= 4e6);
  t.throws(() => clock.timeIt(null as never), { instanceOf: TypeError, message: /timeIt: fn must be a function/ });
});

test('options out of range say what is allowed', (t) => {
  for (const bad of [Number.NaN, -5, 0, 1e9]) {
    t.throws(() => calibrate({ ms: bad }), {
      instanceOf: RangeError,
      message: /calibrate: ms must be from 1 to 60000 ms/,
    });
    t.throws(() => assess({ ms: bad }), { instanceOf: RangeError, message: /assess: ms/ });
    t.throws(() => crossCore({ limitMs: bad }), { instanceOf: RangeError, message: /crossCore: limitMs/ });
  }
  t.throws(() => calibrate({ points: 2 }), { instanceOf: RangeError, message: /points must be from 3/ });
  t.throws(() => calibrate({ points: 3.5 }), { instanceOf: RangeError, message: /whole number/ });
  t.throws(() => calibrate({ repeats: 1 }), { instanceOf: RangeError, message: /repeats/ });
  t.throws(() => calibrate({ ms: '20' as never }), { instanceOf: TypeError, message: /must be a number/ });
  t.throws(() => crossCore({ cpus: [0] }), { instanceOf: RangeError, message: /2 to 64 CPUs/ });
  t.throws(() => crossCore({ cpus: [] }), { instanceOf: RangeError, message: /2 to 64 CPUs/ });
  t.throws(() => crossCore({ cpus: [0, 0] }), { instanceOf: RangeError, message: /repeat/ });
  t.throws(() => crossCore({ cpus: [0, -1] }), { instanceOf: RangeError, message: /CPU number/ });
  t.throws(() => crossCore({ cpus: 2 as never }), { instanceOf: TypeError, message: /array of CPU numbers/ });
  t.throws(() => probe(['cpuid' as never]), {
    instanceOf: TypeError,
    message: /unknown instruction "cpuid"; use rdtscp/,
  });
  t.throws(() => probe('rdtscp' as never), { instanceOf: TypeError, message: /array/ });
});

withAddon('a CPU that does not exist is a refusal with a hint', (t) => {
  const result = crossCore({ cpus: [0, 4096] });
  if (result.ok) return t.fail();
  if (result.code === 'NO_COUNTER' || result.code === 'UNSUPPORTED') return t.pass(result.message);
  t.is(result.code, 'EINVAL');
  t.regex(result.message, /CPUs 0 and 4096/);
  t.regex(result.hint, /cpuset/);
});

withAddon('the CPUs of this machine: a matrix that is its own mirror image', (t) => {
  const result = crossCore({ exchanges: 2000 });
  // One CPU, another platform or a machine too busy: a value that says so.
  if (!result.ok) return t.regex(result.code, /^(UNSUPPORTED|NO_COUNTER|ETIME)$/);
  t.true(result.cpus.length >= 2);
  for (const [i, row] of result.matrix.entries()) {
    for (const [j, offset] of row.entries()) t.is(offset + result.matrix[j]![i]!, 0);
  }
  for (const pair of result.pairs) {
    t.true(pair.exchanges >= 100);
    t.true(Math.abs(pair.offsetTicks) <= pair.boundTicks + pair.spreadTicks);
  }
});

withAddon('probes run in children: this process lives, CPUID’s word holds', (t) => {
  const result = probe(PROBES);
  const flags = loadAddon().addon!.clock!.features();
  if (!result.ok) return t.regex(result.code, /^NO_COUNTER$/);
  for (const name of PROBES) t.regex(result.results[name]!, /^(works|faults|unknown)$/);
  for (const name of ['rdtscp', 'rdpid', 'rdpru'] as const) if (flags[name]) t.is(result.results[name], 'works');
});

const line = { ok: true, residualNs: 1, hzPpm: 0.01 } as never;
const agree = { ok: true, agree: true, worstTicks: 3, pairs: [] } as never;

test('the verdict: each test can speak against the counter, a missing comparison cannot', (t) => {
  const monotone = { readings: 1000, backward: 0 };
  t.deepEqual(judge(monotone, line, agree), []);
  t.deepEqual(judge(monotone, line, null), []);
  t.deepEqual(judge(monotone, line, { ok: false, errno: null, code: 'UNSUPPORTED', message: '', hint: '' }), []);
  t.regex(judge({ readings: 1000, backward: 2 }, line, agree)[0]!, /went back 2 times in 1000/);
  const unstable = {
    ok: false,
    errno: null,
    code: 'UNSTABLE',
    message: 'calibrate: the counter does not follow',
    hint: '',
  } as const;
  t.deepEqual(judge(monotone, unstable, agree), ['it does not follow']);
  const apart = { ok: true, agree: false, worstTicks: 900, pairs: [{ violations: 4 }] } as never;
  t.regex(judge(monotone, line, apart)[0]!, /up to 900 ticks, 4 impossible/);
});

test('two CPUs agree within the tolerance and half the spread, without a single impossible stamp', (t) => {
  t.true(agrees({ violations: 0, offsetTicks: -60, spreadTicks: 10 }, 55));
  t.false(agrees({ violations: 0, offsetTicks: -61, spreadTicks: 10 }, 55));
  t.false(agrees({ violations: 1, offsetTicks: 0, spreadTicks: 10 }, 55));
});

withAddon('assess measures what it reports', (t) => {
  const result = assess({ ms: 20, readings: 10_000, crossCore: false });
  t.is(result.crossCore, null);
  t.truthy(result.flags);
  if (result.monotone === null) return t.is(result.invariant, null);
  t.is(result.monotone.readings, 10_000);
  t.is(result.invariant, result.against.length === 0);
});

test('an option that does not exist is misuse, not a default', (t) => {
  const wrong: (() => unknown)[] = [
    () => new Stopwatch(hotClock(), { orderd: true } as object),
    () => hotClock({ ms: 5 } as object),
    () => calibrate({ calibrateMs: 5 } as object),
    () => assess({ crosscore: false } as object),
    () => crossCore({ cpu: [0, 1] } as object),
  ];
  for (const call of wrong) t.throws(call, { instanceOf: TypeError, message: /there is no option "\w+"; there are / });
  t.throws(() => assess({ crossCore: 0 as never }), {
    instanceOf: TypeError,
    message: /crossCore must be true or false/,
  });
  const clock = new Clock();
  t.throws(() => clock.check(undefined as never), { instanceOf: TypeError, message: /pass what anchor\(\) gave/ });
  t.throws(() => clock.check({} as never), { instanceOf: TypeError, message: /pass what anchor\(\) gave/ });
});
