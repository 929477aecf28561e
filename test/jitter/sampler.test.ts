import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { allowedCpus } from '#lib/cpu/index.js';
import { CAUSES, type JitterResult, type SamplerOptions, start } from '#lib/jitter/index.js';
import { loadAddon } from '#lib/native/load.js';

const { addon } = loadAddon();
const withAddon = addon ? test.serial : test.serial.skip;
const onLinux = addon && process.platform === 'linux' ? test.serial : test.serial.skip;
const cpus = allowedCpus() ?? [];

async function run(options: SamplerOptions): Promise<JitterResult> {
  const sampler = start(options);
  if (!sampler.ok) throw new Error(`${sampler.message}: ${sampler.hint}`);
  return sampler.result();
}

for (const kind of ['spin', 'sleep'] as const) {
  withAddon(`${kind}: the parts of a result agree with each other`, async (t) => {
    const result = await run({ kind, durationMs: 150, capacity: 16 });
    const { gaps } = result;
    t.is(result.kind, kind);
    t.is(result.cpu, null);
    t.false(result.stopped);
    t.true(result.durationNs >= 149.9e6);
    t.is(gaps.atNs.length + result.dropped, result.gapCount);
    t.is(gaps.lenNs.length, gaps.atNs.length);
    t.is(gaps.wallMs.length, gaps.atNs.length);
    t.true(gaps.atNs.length <= 16);
    let last = result.startNs;
    for (const at of gaps.atNs) {
      t.true(at >= last);
      last = at;
    }
    const causes = Object.values(result.causes);
    t.is(
      causes.reduce((sum, cause) => sum + cause.gaps, 0),
      result.gapCount,
    );
    t.is(
      causes.reduce((sum, cause) => sum + cause.lostNs, 0),
      result.lostNs,
    );
    const seconds = result.lostPerSecond.reduce((sum, ns) => sum + ns, 0);
    t.true(Math.abs(seconds - result.lostNs) <= 1 + result.gapCount);
    t.true(Math.abs(result.share - result.lostNs / result.durationNs) < 1e-12);
    t.deepEqual(Object.keys(result.causes), [...CAUSES]);
    if (kind === 'spin') t.is(result.histogram.count, result.gapCount);
    else t.true(result.histogram.count >= result.turns);
    t.is(result.histogram.correction, kind === 'spin' ? 'none' : 'expected-interval');
    for (const len of gaps.lenNs) t.true(len <= result.histogram.max + 1);
  });
}

withAddon('the event loop goes on while a sampler runs, and stop() ends it', async (t) => {
  const sampler = start({ kind: 'spin' });
  if (!sampler.ok) return t.fail(sampler.message);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await sleep(60);
  clearInterval(timer);
  sampler.stop();
  sampler.stop();
  const result = await sampler.result();
  t.true(result.stopped);
  t.true(turns > 3);
  t.is(await sampler.result(), result);
  sampler.stop();
});

onLinux('wall clock and monotonic clock of a run are those of the process', async (t) => {
  const before = Date.now();
  const result = await run({ durationMs: 20 });
  const after = Date.now();
  t.true(result.startWallMs >= before - 1 && result.startWallMs <= after + 1);
});

onLinux('several CPUs at once; a second sampler on one of them is refused with a hint', async (t) => {
  const samplers = cpus.map((cpu) => start({ cpu, durationMs: 100 }));
  t.true(samplers.every((sampler) => sampler.ok));
  for (const cpu of cpus) {
    for (const kind of ['spin', 'sleep'] as const) {
      const second = start({ cpu, kind });
      t.false(second.ok);
      if (!second.ok) {
        t.is(second.code, 'EBUSY');
        t.regex(second.hint, /another CPU/);
      }
    }
  }
  const results = await Promise.all(samplers.map((sampler) => (sampler.ok ? sampler.result() : null)));
  t.deepEqual(
    results.map((result) => result?.cpu),
    cpus,
  );
  for (const result of results) t.not(result!.counters.interrupts, null);
  // Free again.
  const again = await run({ cpu: cpus[0]!, durationMs: 1 });
  t.is(again.cpu, cpus[0]!);
});

onLinux('a CPU that does not exist is refused, and the hint names those that may be used', (t) => {
  const refusal = start({ cpu: 4000 });
  if (refusal.ok) return t.fail('started');
  t.is(refusal.code, 'EINVAL');
  t.regex(refusal.message, /CPU 4000/);
  t.true(refusal.hint.includes(cpus.join(', ')));
});

test('misuse throws and says what is wanted', (t) => {
  const bad: [unknown, RegExp][] = [
    [{ durationMs: Number.NaN }, /durationMs must be ms, from 0 to 86400000, not NaN/],
    [{ durationMs: -1 }, /durationMs/],
    [{ durationMs: 0 }, /above 0/],
    [{ durationMs: Number.POSITIVE_INFINITY }, /durationMs/],
    [{ capacity: 15 }, /capacity must be a number of gaps, a whole number from 16/],
    [{ capacity: 1e9 }, /capacity/],
    [{ capacity: 16.5 }, /whole number/],
    [{ cpu: -1 }, /cpu must be a CPU number/],
    [{ cpu: 1.5 }, /cpu/],
    [{ cpu: Number.NaN }, /cpu/],
    [{ thresholdNs: 0 }, /thresholdNs/],
    [{ thresholdNs: Number.NaN }, /thresholdNs/],
    [{ kind: 'sleep', intervalMs: 0 }, /intervalMs/],
  ];
  for (const [options, message] of bad) {
    t.throws(() => start(options as SamplerOptions), { instanceOf: RangeError, message }, JSON.stringify(options));
  }
  const wrong: [unknown, RegExp][] = [
    [null, /object of options/],
    [{ durationMs: '5s' }, /not a string/],
    [{ kind: 'both' }, /'spin' or 'sleep'/],
    [{ fifo: 1 }, /true or false/],
    [{ intervalMs: 1 }, /belongs to kind 'sleep'/],
    [{ duration: 5 }, /no option "duration"/],
  ];
  for (const [options, message] of wrong) {
    t.throws(() => start(options as SamplerOptions), { instanceOf: TypeError, message }, JSON.stringify(options));
  }
});

withAddon('a long list keeps the longest gaps', async (t) => {
  // A threshold below two turns of the loop is raised to it; enough ordinary turns exceed that to fill a small list.
  const result = await run({ durationMs: 100, thresholdNs: 1, capacity: 16 });
  t.true(result.thresholdNs + 1 >= 2 * result.loopNs);
  if (result.dropped === 0) return t.pass('no more than 16 gaps');
  const shortest = Math.min(...result.gaps.lenNs);
  const longer = result.histogram.count - result.histogram.countAtOrBelow(shortest);
  t.true(longer <= 16, `${longer} gaps are longer than the shortest one kept`);
});
