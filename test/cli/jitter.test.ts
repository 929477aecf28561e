import test from 'ava';
import { type JitterFlags, runJitter } from '#lib/cli/commands/jitter.js';
import { bands, jitterText } from '#lib/cli/commands/jitter-text.js';
import { allowedCpus } from '#lib/cpu/index.js';
import { Histogram } from '#lib/histogram/index.js';
import type { JitterResult } from '#lib/jitter/index.js';
import { loadAddon } from '#lib/native/load.js';

const onLinux = loadAddon().addon && process.platform === 'linux' ? test.serial : test.serial.skip;

async function run(flags: JitterFlags, signal?: AbortSignal) {
  let [out, err] = ['', ''];
  const io = { out: (text: string) => (out += text), err: (text: string) => (err += text), columns: 80 };
  const code = await runJitter(flags, signal ? { ...io, signal } : io);
  return { code, out, err };
}

function made(lengths: readonly number[]): JitterResult {
  const histogram = new Histogram({ digits: 2 });
  for (const len of lengths) histogram.record(len);
  const lostNs = lengths.reduce((sum, len) => sum + len, 0);
  const none = { gaps: 0, lostNs: 0 };
  return {
    kind: 'spin',
    cpu: 3,
    fifo: false,
    gaps: {
      atNs: Float64Array.from(lengths, (_, i) => i),
      wallMs: Float64Array.from(lengths, (_, i) => 1_700_000_000_000 + i),
      lenNs: Float64Array.from(lengths),
      evidence: new Uint8Array(lengths.length),
    },
    evidence: ['nothing'],
    gapCount: lengths.length,
    dropped: 0,
    histogram,
    lostNs,
    lostPerSecond: Float64Array.of(lostNs / 2, lostNs / 2, 0),
    share: lostNs / 2e9,
    causes: {
      scheduler: { gaps: 1, lostNs: 1e6 },
      interrupt: none,
      throttling: none,
      steal: none,
      realTimeThrottle: none,
      vcpuMoved: none,
      unexplained: { gaps: lengths.length - 1, lostNs: lostNs - 1e6 },
    },
    counters: {
      voluntarySwitches: null,
      involuntarySwitches: null,
      runDelayNs: null,
      interrupts: null,
      softirqs: null,
      throttled: null,
      throttledNs: null,
      stealNs: null,
      vcpuMoves: null,
    },
    windows: 20,
    loopNs: 20,
    thresholdNs: 200,
    turns: 1e8,
    blindNs: 0,
    startNs: 0,
    startWallMs: 1_700_000_000_000,
    durationNs: 2e9,
    stopped: false,
  };
}

const REPORT = `Jitter: CPU 3, spin, 2 s
  threshold 200 ns; a turn of the loop takes 20 ns
  lost 1.05 % (21.1 ms) in 5 gaps
  longest 20 ms at 2023-11-14T22:13:20.004Z
  gap length: p50 30.1 us, p90 20 ms, p99 20 ms, p99.9 20 ms, max 20 ms

      from        count       time
    200 ns            1     200 ns  #
     20 us            2      60 us  #
    500 us            1       1 ms  ###
     10 ms            1      20 ms  ############################################

  cause                               count       time  of all time
  unexplained (host, firmware)            4    20.1 ms       1.00 %
  scheduler (other threads)               1       1 ms     0.0500 %

  lost per second: 1.05 %, 1.05 %
`;

const NOTHING = `Jitter: CPU 3, spin, 2 s
  threshold 200 ns; a turn of the loop takes 20 ns
  lost 0.00 % (0 ns) in 0 gaps
`;

test('bands are steps of 1-2-5 and hold every gap once', (t) => {
  const rows = bands(made([200, 200, 499, 500, 1000, 1999, 1_000_000, 40_000_000]));
  t.deepEqual(
    rows.map(({ from, count }) => [from, count]),
    [
      [200, 3],
      [500, 1],
      [1000, 2],
      [500_000, 1],
      [20_000_000, 1],
    ],
  );
});

test('the report of a known result', (t) => {
  t.is(jitterText(made([200, 30_000, 30_000, 1_000_000, 20_000_000]), 80), REPORT);
  t.is(jitterText({ ...made([]), share: 0 }, 80), NOTHING);
});

onLinux('several CPUs, as text and as JSON', async (t) => {
  const cpu = allowedCpus()!;
  const text = await run({ cpu, durationMs: 100 });
  t.is(text.code, 0);
  for (const n of cpu) t.regex(text.out, new RegExp(`Jitter: CPU ${n}, spin, [\\d.]+ m?s`));
  const json = await run({ cpu: [...cpu, cpu[0]!], durationMs: 100, json: true, thresholdNs: 5000 });
  t.is(json.code, 0);
  const { samplers } = JSON.parse(json.out);
  t.deepEqual(
    samplers.map((sampler: { cpu: number }) => sampler.cpu),
    cpu,
  );
  for (const { gaps, gapCount, dropped, histogram, thresholdNs } of samplers) {
    t.is(gaps.length + dropped, gapCount);
    t.is(histogram.total, gapCount);
    t.is(thresholdNs, 5000);
    for (const gap of gaps) t.true(gap.lenNs > 0 && gap.wallMs > 1.6e12 && typeof gap.evidence === 'string');
  }
});

onLinux('a sleeping sampler; without a CPU the highest one is taken', async (t) => {
  const { code, out } = await run({ sleep: true, durationMs: 50 });
  t.is(code, 0);
  t.regex(out, new RegExp(`CPU ${allowedCpus()!.at(-1)}, sleep`));
});

onLinux('a refusal ends with 3, says what to do, and leaves no sampler behind', async (t) => {
  const cpu = allowedCpus()!;
  const { code, out, err } = await run({ cpu: [cpu[0]!, 4000], durationMs: 60_000 });
  t.is(code, 3);
  t.is(out, '');
  t.regex(err, /CPU 4000 does not exist/);
  t.is((await run({ cpu: [cpu[0]!], durationMs: 1 })).code, 0);
});

onLinux('ctrl-C ends early and prints what was found', async (t) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort('SIGINT'), 50);
  const { code, out } = await run({ durationMs: 600_000 }, controller.signal);
  t.is(code, 130);
  t.regex(out, /^Jitter: CPU/);
});

test('flags out of range throw', async (t) => {
  await t.throwsAsync(run({ durationMs: -5 }), { instanceOf: RangeError });
  await t.throwsAsync(run({ cpu: [-1] }), { instanceOf: RangeError });
});
