import test from 'ava';
import { type CycleReading, type Cycles, measureGhz, openCycles } from '#lib/counters/index.js';

const probe = openCycles();
const cycles = probe.ok ? test.serial : test.serial.skip;
if (probe.ok) probe.cycles.close();

const spin = (turns: number) => {
  let x = 1;
  for (let i = 0; i < turns; i++) x = Math.imul(x, 1_664_525) + 1_013_904_223;
  return x;
};

/** The fastest of many short runs, valid ones first: what is longer was disturbed. */
function best(counter: Cycles, turns: number): CycleReading {
  const readings: CycleReading[] = [];
  for (let i = 0; i < 100 && readings.filter(({ valid }) => valid).length < 15; i++) {
    counter.begin();
    spin(turns);
    readings.push(counter.end());
  }
  readings.sort((a, b) => Number(b.valid) - Number(a.valid) || a.cycles! - b.cycles!);
  return readings[0]!;
}

cycles('the source is named, and each better one that is not used has a reason', (t) => {
  const outcome = openCycles();
  if (!outcome.ok) return t.fail(outcome.message);
  const order = ['perf', 'rdpru', 'estimated'];
  t.deepEqual(
    outcome.skipped.map(({ source }) => source as string),
    order.slice(0, order.indexOf(outcome.cycles.source)),
  );
  for (const { reason } of outcome.skipped) t.true(reason.length > 10, reason);
  t.log(outcome.cycles.source, outcome.skipped);
  outcome.cycles.close();
});

cycles('eight times the work takes about eight times the cycles', (t) => {
  const outcome = openCycles();
  if (!outcome.ok) return t.fail(outcome.message);
  spin(1e6);
  const one = best(outcome.cycles, 20_000);
  const eight = best(outcome.cycles, 160_000);
  const ratio = eight.cycles! / one.cycles!;
  t.true(ratio > 5 && ratio < 13, `ratio ${ratio}`);
  // A dependent multiplication and addition take at least 3 cycles; the loop cannot be faster.
  if (one.source === 'estimated') t.true(one.cycles! / 20_000 > 2.5, `${one.cycles! / 20_000} cycles per turn`);
  outcome.cycles.close();
});

cycles('rdpru after the probe and the estimate see the same frequency', (t) => {
  const rdpru = openCycles({ source: 'rdpru', probe: true });
  if (!rdpru.ok) return t.regex(rdpru.message, /rdpru/);
  const estimate = openCycles({ source: 'estimated' });
  if (!estimate.ok) return t.pass();
  const ratios: number[] = [];
  for (let i = 0; i < 9; i++) ratios.push(best(rdpru.cycles, 20_000).ghz! / best(estimate.cycles, 20_000).ghz!);
  const median = ratios.sort((a, b) => a - b)[4]!;
  t.log(`rdpru / estimated = ${median}`);
  t.true(median > 0.8 && median < 1.25, `${ratios}`);
  rdpru.cycles.close();
  estimate.cycles.close();
});

cycles('a section in which the thread slept is not valid, unless the PMU counted it', (t) => {
  const outcome = openCycles({ source: 'estimated' });
  if (!outcome.ok) return t.pass();
  outcome.cycles.begin();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  t.false(outcome.cycles.end().valid);
  outcome.cycles.close();
});

cycles('a closed counter says so', (t) => {
  const outcome = openCycles();
  if (!outcome.ok) return t.fail(outcome.message);
  outcome.cycles.close();
  outcome.cycles[Symbol.dispose]();
  t.throws(() => outcome.cycles.begin(), { instanceOf: TypeError, message: /closed/ });
  t.throws(() => outcome.cycles.end(), { instanceOf: TypeError, message: /closed/ });
});

cycles('a source that cannot be had is a refusal with its reason; an unknown one is misuse', (t) => {
  for (const source of ['perf', 'rdpru'] as const) {
    const outcome = openCycles({ source });
    if (outcome.ok) outcome.cycles.close();
    else t.true(outcome.message.includes(`${source}: `) && outcome.hint.length > 20);
  }
  t.throws(() => openCycles({ source: 'tsc' as 'perf' }), { instanceOf: TypeError, message: /perf, rdpru, estimated/ });
});

test('frequency is a plausible number or null', (t) => {
  const ghz = measureGhz();
  t.true(ghz === null || (ghz > 0.05 && ghz < 20), String(ghz));
});

cycles('a section has to be begun before it is ended', (t) => {
  const outcome = openCycles();
  if (!outcome.ok) return t.fail(outcome.message);
  t.throws(() => outcome.cycles.end(), { message: 'cycles: end() before begin()' });
  outcome.cycles.begin();
  outcome.cycles.end();
  t.throws(() => outcome.cycles.end(), { message: 'cycles: end() before begin()' });
  outcome.cycles.close();
  t.throws(() => openCycles({ sources: 'perf' } as object), { instanceOf: TypeError, message: /no option "sources"/ });
});
