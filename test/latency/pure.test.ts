import test from 'ava';
import { allows, LADDER, levelName, neededFor } from '#lib/latency/ladder.js';
import { LateGate, SKIP } from '#lib/latency/late.js';
import { LoopGaps } from '#lib/latency/loop-gaps.js';
import type { RawRun } from '#lib/latency/messages.js';
import { causesOf, intervalsOf, NOTHING_OBSERVED } from '#lib/latency/observed.js';
import { DELAY, END, PLANNED, RESPONSE, RunRecorder, SERVICE, START } from '#lib/latency/recorder.js';
import { cvPercent, jlbhVariation } from '#lib/latency/summary.js';
import { driverLimit, findingsOf, isUnreachable } from '#lib/latency/verdict.js';
import { settled, warmUp } from '#lib/latency/warmup.js';
import { Worst } from '#lib/latency/worst.js';
import { resolveLatency } from '#lib/suite/latency-options.js';

const near = (actual: number | null, expected: number) => actual !== null && Math.abs(actual - expected) < 1e-9;

test('the ladder allows a percentile with ten samples beyond it', (t) => {
  for (const [p, n] of [
    [50, 20],
    [90, 100],
    [99, 1000],
    [99.7, 3334],
    [99.9, 10_000],
    [99.97, 33_334],
    [99.99, 100_000],
    [99.999, 1e6],
  ] as const) {
    t.true(allows(p, n), `p${p} of ${n}`);
    t.false(allows(p, n - 1), `p${p} of ${n - 1}`);
    t.is(neededFor(p), n);
  }
  t.deepEqual(LADDER.slice(0, 7).map(levelName), ['50.0', '90.0', '99.0', '99.7', '99.9', '99.97', '99.99']);
});

test("JLBH's variation is its own formula, finite for one and two runs; CV needs two", (t) => {
  t.true(near(jlbhVariation([3.1, 3.02, 3.05]), (100 * 0.08) / (3.1 + 1.51)));
  t.is(jlbhVariation([5]), 0);
  t.true(near(jlbhVariation([1, 3]), (100 * 2) / 3.5));
  t.is(jlbhVariation([]), null);
  t.is(jlbhVariation([0, 0]), null);
  t.is(cvPercent([5]), null);
  t.true(near(cvPercent([1, 3]), (100 * Math.SQRT2) / 2));
});

test('late policies as pure decisions', (t) => {
  t.is(new LateGate('catch-up', 1000, 2).at(5e6, 1e6, 2e6), 1e6);
  const skip = new LateGate('skip', 1000, 2);
  t.is(skip.at(5e6, 1e6, 2e6), SKIP);
  t.is(skip.at(1.5e6, 1e6, 2e6), 1e6);
  t.is(skip.at(2e6, 1e6, 2e6), SKIP, 'the next is due now');
  t.is(skip.at(0.5e6, 1e6, 0.4e6), 1e6, 'one that is not late is not dropped');
  t.deepEqual(
    [new LateGate('catch-up', 1, 1).plain, skip.plain, new LateGate('capped', 1, 1).plain],
    [true, false, false],
  );
  t.is(skip.at(5e6, 1e6, Number.POSITIVE_INFINITY), 1e6);
  const capped = new LateGate('capped', 1000, 4);
  capped.started(5e6);
  t.is(capped.at(5.1e6, 1e6, 2e6), 5.25e6);
  t.is(capped.at(9e6, 9.5e6, 1e7), 9.5e6);
});

test('warm-up: an exact count, a time, steady, the cap, nothing at all', async (t) => {
  const block = (perEvent: (from: number) => number) => {
    const sizes: number[] = [];
    return {
      sizes,
      run: async (events: number) => {
        const from = sizes.reduce((a, b) => a + b, 0);
        sizes.push(events);
        const ns = perEvent(from);
        return { end: { complete: true, failure: null }, events, ns: ns * events, medianNs: ns };
      },
    };
  };
  const count = block(() => 1000);
  t.like((await warmUp({ kind: 'count', events: 12_000 }, count.run)).info, { events: 12_000, end: 'count' });
  const none = block(() => 1000);
  t.like((await warmUp({ kind: 'count', events: 0 }, none.run)).info, { events: 0, ns: 0, end: 'none' });
  t.deepEqual(none.sizes, []);

  const time = block(() => 50_000);
  const timed = await warmUp({ kind: 'time', ns: 1e9 }, time.run);
  t.true(timed.info.ns >= 1e9 && timed.info.ns < 1.3e9, `${timed.info.ns}`);

  // 100 us at first, 1 us after 5,000 events: must not be called steady while it falls.
  const falling = block((from) => (from < 5000 ? 100_000 - 19 * from : 1000));
  const steady = await warmUp({ kind: 'steady', maxNs: 20e9 }, falling.run);
  t.is(steady.info.end, 'steady');
  t.true(steady.info.events > 5000);

  let turn = 0;
  const restless = block(() => (turn++ % 2 === 0 ? 1000 : 2000));
  const capped = await warmUp({ kind: 'steady', maxNs: 3e9 }, restless.run);
  t.is(capped.info.end, 'cap');
  t.true(capped.info.ns >= 3e9 && capped.info.ns < 4e9);

  // A task of 30 s: one event says it all.
  const slow = block(() => 30e9);
  t.like((await warmUp({ kind: 'steady', maxNs: 20e9 }, slow.run)).info, { events: 1, end: 'cap' });

  let calls = 0;
  const stopping = await warmUp({ kind: 'steady', maxNs: 20e9 }, async (events) => {
    calls++;
    return { end: { complete: false, failure: null }, events, ns: 1000, medianNs: 1 };
  });
  t.is(calls, 1);
  t.false(stopping.end.complete);
  t.false(settled([100, 100]));
  t.true(settled([500, 100, 104, 102]));
  t.false(settled([100, 104, 110]));
});

/** A recorder that saw [planned, start, end]. */
function recorder(events: readonly (readonly [number, number, number])[], plannedNs = 1e9, delay = 0): RunRecorder {
  const recorder = new RunRecorder({ probes: [], events: events.length, plannedNs, keepSamples: false });
  for (const [i, [planned, start, end]] of events.entries()) {
    recorder.event[PLANNED] = planned;
    recorder.event[START] = start;
    recorder.event[DELAY] = delay;
    recorder.started();
    recorder.event[END] = end;
    recorder.event[RESPONSE] = end - planned;
    recorder.event[SERVICE] = end - start;
    recorder.ended(i);
  }
  return recorder;
}

/** A run as a recorder made it. */
function recorded(events: readonly (readonly [number, number, number])[], plannedNs = 1e9, delay = 0): RawRun {
  const run = recorder(events, plannedNs, delay).finish(true);
  return {
    ...run,
    run: 1,
    startedAt: '',
    overflow: 0,
    jitter: [],
    intervals: intervalsOf(run, NOTHING_OBSERVED),
    worst: [],
  };
}

test('unreachable: a backlog whose minimum grows, not one stall, not a constant backlog', (t) => {
  const N = 1000;
  const gap = 1e6;
  const queue = (service: number, stall: (i: number) => number = () => 0) => {
    let free = 0;
    return Array.from({ length: N }, (_, i) => {
      const start = Math.max(i * gap, free);
      free = start + service + stall(i);
      return [i * gap, start, free] as const;
    });
  };
  t.true(isUnreachable(recorded(queue(1.1e6))));
  t.false(isUnreachable(recorded(queue(0.9e6))));
  // A stall longer than the whole plan: it dwarfs the growth, and the rate was not kept all the same.
  t.true(isUnreachable(recorded(queue(1.1e6, (i) => (i === 100 ? 30e9 : 0)))));
  t.false(isUnreachable(recorded(queue(0.2e6, (i) => (i === 100 || i === 950 ? 300e6 : 0)))));
  t.false(isUnreachable(recorded(queue(0.2e6, (i) => (i % 100 === 50 ? 30e6 : 0)))));
});

test('unreachable: the edges, and events that were lost do not count as backlog', (t) => {
  const of = (minBacklog: readonly [number, number, number, number], plannedEvents = 1000, lost = 0) =>
    isUnreachable({ ...recorded([[0, 0, 1]]), minBacklog, plannedEvents, lost });
  t.true(of([0, 5, 8, 11]));
  t.false(of([0, 5, 8, 10]), '1 % of the plan is not more than 1 %');
  t.false(of([0, 10, 11, 12]), 'no growth by more than a fifth');
  t.true(of([0, 10, 11, 13]));
  t.true(of([50, 0, 0, 3], 10), 'at least three events');
  t.false(of([50, 0, 0, 2], 10));
  t.false(of([0, 5, 8, 40], 1000, 30));
  t.true(of([0, 5, 8, 41], 1000, 30));
});

test('each count that a reader must know of is a finding with its number; none without', (t) => {
  const config = resolveLatency({ rate: 1000, run: () => undefined });
  const clean = recorded([[0, 0, 1]]);
  const told = (over: Partial<RawRun>, with_ = config) =>
    findingsOf({ ...clean, ...over }, with_).map(({ id, severity, message }) => [id, severity, message]);
  t.deepEqual(told({}), []);
  const cases = [
    [{ skipped: 1, plannedEvents: 8 }, 'partial-plan', 'warning', /^1 of 8 events \(12\.5 %\) were dropped/],
    [{ lost: 1, issued: 9 }, 'lost', 'error', /^1 of 9 events were not done within \d+ ms;/],
    [{ overflow: 1 }, 'overflow', 'error', /^1 events found the ring/],
    [{ sampledTwice: 1 }, 'sampled-twice', 'error', /^sample\(\) was called 1 times .*declare done: 'sample'\.$/],
    [{ afterTimeout: 1 }, 'after-timeout', 'warning', /^1 events ended after/],
    [{ clockBackwards: 1 }, 'clock-backwards', 'warning', /^The clock went backwards 1 times;/],
  ] as const;
  for (const [over, id, severity, words] of cases) {
    const found = told(over);
    t.deepEqual(
      found.map((one) => one.slice(0, 2)),
      [[id, severity]],
    );
    t.regex(found[0]![2]!, words);
  }
  const omitted = told({}, { ...config, coordinatedOmission: false });
  t.deepEqual(
    omitted.map(([id]) => id),
    ['coordinated-omission'],
  );
  const sampling = told({ sampledTwice: 2 }, { ...config, done: 'sample' });
  t.notRegex(sampling[0]![2]!, /declare/);
});

test('unreachable: the backlog is told as time, since the plan may hold fewer events than fell due meanwhile', (t) => {
  const config = resolveLatency({ rate: 1e6, iterations: 100, run: () => undefined });
  // 100 events in 100 us, each of which takes 1 ms: the 75th starts 75 ms after its time.
  const events = Array.from({ length: 100 }, (_, i) => [i * 1000, i * 1e6, (i + 1) * 1e6] as const);
  const [found] = findingsOf(recorded(events, 99_000), config);
  t.is(found!.id, 'unreachable');
  t.regex(found!.message, /never fell below 7\d\.?\d* ms of the plan/);
});

test('driver-limited: p99 of its own delay above 10 % of service p50, at least 1 us', (t) => {
  const config = resolveLatency({ rate: 1000, run: () => undefined });
  const events = Array.from({ length: 2000 }, (_, i) => [i * 1e6, i * 1e6, i * 1e6 + 50_000] as const);
  const found = (delay: number) => findingsOf(recorded(events, 2e9, delay), config).map((f) => f.id);
  t.deepEqual(found(4000), []);
  t.deepEqual(found(6000), ['driver-limited']);
  t.is(driverLimit(recorded(events, 2e9, 6000))!.limit, 5000);
  const quick = events.map(([planned, start]) => [planned, start, start + 500] as const);
  t.deepEqual(
    findingsOf(recorded(quick, 2e9, 900), config).map((f) => f.id),
    [],
  );
});

test('intervals, best interval and a clock that goes backwards', (t) => {
  const events = Array.from({ length: 2500 }, (_, i) => [i * 1e6, i * 1e6, i * 1e6 + 1000] as const);
  const run = recorded(events, 2.499e9);
  t.deepEqual(
    run.intervals.map((i) => [i.startNs, i.response.total]),
    [
      [0, 1000],
      [1e9, 1000],
      [2e9, 500],
    ],
  );
  t.is(run.bestPerSec, 1000);
  t.is(run.achievedPerSec, 1000);
  const backwards = recorded([[0, 100, 50]]);
  t.is(backwards.clockBackwards, 1);
  t.is(backwards.service.max, 0);
  const config = resolveLatency({ rate: 1000, run: () => undefined });
  t.true(findingsOf(backwards, config).some((f) => f.id === 'clock-backwards'));
});

test('a long run has wider intervals instead of more', (t) => {
  const recorder = new RunRecorder({ probes: [], events: 2, plannedNs: 3600e9, keepSamples: false });
  recorder.event.set([3599e9, 3599e9, 0, 3599e9 + 5, 5, 5]);
  recorder.started();
  recorder.ended(0);
  const { intervals } = recorder.finish(true);
  t.is(intervals[0]!.lengthNs, 30e9);
  t.is(intervals.length, 120);
});

test('the worst events are kept, slowest first', (t) => {
  const worst = new Worst();
  for (let i = 0; i < 1000; i++) {
    const response = (i * 7919) % 1000;
    if (response > worst.floor) worst.offer(i, i, i, i, response);
  }
  t.deepEqual(
    worst.entries().map((e) => e.responseNs),
    Array.from({ length: 16 }, (_, i) => 999 - i),
  );
});

test('causes are the gaps and collections that overlap an event', (t) => {
  const event = { seq: 1, plannedNs: 1000e6, startNs: 1005e6, endNs: 1010e6, responseNs: 10e6 };
  const jitter = (atNs: number, gapNs: number) => ({
    cpu: 3,
    when: 'run' as const,
    thresholdNs: 1,
    elapsedNs: 1,
    lostNs: 1,
    gaps: { unit: 'ns' as const, buckets: [], min: 0, max: 0, total: 0 },
    worst: [{ atNs, gapNs, cause: 'preempted' }],
  }); // prettier-ignore
  const seen = {
    ...NOTHING_OBSERVED,
    gc: [
      { atNs: 1001e6, ns: 2e6 },
      { atNs: 900e6, ns: 50e6 },
    ],
    jitter: [jitter(999e6, 6e6), jitter(1010e6, 9e6), jitter(990e6, 10e6)],
  }; // prettier-ignore
  t.deepEqual(causesOf(event, seen), ['a gap of 6.00 ms on CPU 3 (preempted)', 'a GC pause of 2.00 ms']);
});

test('of many causes the three longest, whatever they are; times below 1 ms in us; an unknown CPU', (t) => {
  const event = { seq: 1, plannedNs: 1000e6, startNs: 1000e6, endNs: 1100e6, responseNs: 100e6 };
  const floor = { cpu: null, when: 'run' as const, thresholdNs: 1, elapsedNs: 1, lostNs: 1 };
  const gaps = { unit: 'ns' as const, buckets: [], min: 0, max: 0, total: 0 };
  const worst = [
    { atNs: 1001e6, gapNs: 999_949, cause: 'a' },
    { atNs: 1002e6, gapNs: 1_000_000, cause: 'b' },
    { atNs: 1100e6, gapNs: 9e6, cause: 'after' },
    { atNs: 990e6, gapNs: 10e6, cause: 'before' },
  ]; // prettier-ignore
  const gc = [
    { atNs: 1050e6, ns: 3e6 },
    { atNs: 1060e6, ns: 500 },
    { atNs: 1100e6, ns: 50e6 },
    { atNs: 900e6, ns: 100e6 },
  ]; // prettier-ignore
  t.deepEqual(causesOf(event, { ...NOTHING_OBSERVED, gc, jitter: [{ ...floor, gaps, worst }] }), [
    'a GC pause of 3.00 ms',
    'a gap of 1.00 ms on CPU ? (b)',
    'a gap of 999.9 us on CPU ? (a)',
  ]);
});

test('what was seen beside the events is told in the interval in which it was, readings in the one they tell of', (t) => {
  const events = Array.from({ length: 2500 }, (_, i) => [i * 1e6, i * 1e6, i * 1e6 + 1000] as const);
  const run = recorder(events, 2.499e9).finish(true);
  const seen = {
    ...NOTHING_OBSERVED,
    gc: [
      { atNs: 0, ns: 5 },
      { atNs: 1e9 - 1, ns: 6 },
      { atNs: 1e9, ns: 7 },
      { atNs: 9e9, ns: 8 },
    ],
    // Read just after each second, as the driver does, and once more when the run is over.
    switches: [
      { atNs: 1.001e9, count: 3 },
      { atNs: 2.002e9, count: 4 },
      { atNs: 9e9, count: 5 },
    ],
    loopDelay: [
      { atNs: 0.5e9, maxNs: 2 },
      { atNs: 1.001e9, maxNs: 9 },
      // The loop was blocked over a whole second: what was read then began in the second interval, and nothing tells of the third.
      { atNs: 9e9, maxNs: 1 },
    ],
  };
  const told = intervalsOf(run, seen).map((of) => [of.gc, of.involuntarySwitches, of.loopDelayMaxNs]);
  t.deepEqual(told, [
    [{ count: 2, ns: 11 }, 3, 9],
    [{ count: 1, ns: 7 }, 4, 1],
    [{ count: 1, ns: 8 }, 5, null],
  ]);
  const unknown = intervalsOf(run, NOTHING_OBSERVED);
  t.true(unknown.length === 3 && unknown.every((of) => of.involuntarySwitches === null && of.loopDelayMaxNs === null));
});

test('gaps of the waiting loop: counted, the longest kept, told from preemption', (t) => {
  let switches = 0;
  const gaps = new LoopGaps(1000, () => switches);
  gaps.add(10, 1500);
  switches = 1;
  gaps.add(100, 50_000);
  gaps.add(200, 60_000);
  for (let i = 0; i < 100; i++) gaps.add(1000 + i, 30_000 + i);
  gaps.watched[0] = 1e9;
  const summary = gaps.summary(1);
  t.is(summary.gaps.total, 103);
  t.is(summary.worst.length, 64);
  t.deepEqual(
    summary.worst.slice(0, 2).map((w) => [w.gapNs, w.cause]),
    [
      [60_000, 'not preempted: interrupt, hypervisor or firmware'],
      [50_000, 'preempted'],
    ],
  );
  t.deepEqual(
    summary.worst.slice(2).map((w) => w.gapNs),
    Array.from({ length: 62 }, (_, i) => 30_099 - i),
  );
  t.deepEqual([summary.cpu, summary.thresholdNs, summary.elapsedNs], [1, 1000, 1e9]);
  t.is(summary.lostNs, 1500 + 50_000 + 60_000 + 100 * 30_000 + 4950);
  t.is(new LoopGaps(1, () => Number.NaN).summary(null).worst.length, 0);
  // The shortest kept gives way, wherever it stands; gaps below 20 us have no row.
  const blind = new LoopGaps(1, () => Number.NaN);
  for (let i = 0; i < 200; i++) blind.add(i, 20_000 + ((i * 77) % 200));
  blind.add(0, 19_999);
  const { worst, gaps: counted } = blind.summary(null);
  t.deepEqual(
    worst.map(({ gapNs, cause }) => [gapNs, cause]),
    Array.from({ length: 64 }, (_, i) => [20_199 - i, 'cause unknown']),
  );
  t.is(counted.total, 201);
  const edge = new LoopGaps(1, () => 0);
  edge.add(7, 20_000);
  edge.add(8, 19_999);
  t.deepEqual(
    edge.summary(0).worst.map(({ atNs }) => atNs),
    [7],
  );
});
