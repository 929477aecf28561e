import test from 'ava';
import { cursorOf, lengthOf } from '#lib/latency/cursor.js';
import { offsetsOf, planOf, seedOfRun } from '#lib/latency/plan.js';
import { xoshiro128 } from '#lib/stats/index.js';
import type { ArrivalPlan } from '#lib/suite/latency-options.js';

const DRAWS = 1_000_000;
const kinds: Record<string, { arrivals: ArrivalPlan; rate: number }> = {
  constant: { arrivals: { kind: 'constant' }, rate: 20_000 },
  poisson: { arrivals: { kind: 'poisson' }, rate: 20_000 },
  uniform: { arrivals: { kind: 'uniform' }, rate: 20_000 },
  burst: { arrivals: { kind: 'burst', onNs: 7e6, offNs: 23e6 }, rate: 20_000 },
  ramp: { arrivals: { kind: 'ramp', from: 5_000, to: 35_000 }, rate: 20_000 },
  trace: { arrivals: { kind: 'trace', gaps: [10_000, 90_000, 0.5, 99_999.5] }, rate: 20_000 },
};

for (const [name, { arrivals, rate }] of Object.entries(kinds)) {
  test(`${name}: ascending whole ns whose mean rate over 1e6 draws is the planned one within 1 %`, (t) => {
    const offsets = offsetsOf({ arrivals, ratePerSec: rate, events: DRAWS, seed: 42 });
    t.is(offsets[0], 0);
    for (let i = 1; i < DRAWS; i++) {
      if (!Number.isInteger(offsets[i]) || offsets[i]! < offsets[i - 1]!) t.fail(`offset ${i} is ${offsets[i]}`);
    }
    const mean = (1e9 * (DRAWS - 1)) / offsets[DRAWS - 1]!;
    t.true(Math.abs(mean / rate - 1) < 0.01, `mean rate ${mean}`);
  });

  test(`${name}: the same seed gives the same plan, in one piece or in many`, (t) => {
    const input = { arrivals, ratePerSec: rate, events: 5000, seed: 7 };
    const whole = offsetsOf(input);
    t.deepEqual(offsetsOf(input), whole);
    const plan = planOf(input);
    const pieces = new Float64Array(5000);
    for (let at = 0; at < 5000; ) {
      const end = Math.min(5000, at + 1 + (at % 17));
      plan.fill(pieces.subarray(at, end));
      at = end;
    }
    t.deepEqual(pieces, whole);
    const cursor = cursorOf(input);
    t.deepEqual(
      Float64Array.from({ length: 5000 }, () => cursor.next()),
      whole,
    );
    t.is(cursor.next(), Number.POSITIVE_INFINITY);
    t.is(lengthOf(input), whole[4999]!);
  });
}

test('another seed gives another plan, where there is chance; runs differ from each other', (t) => {
  for (const arrivals of [{ kind: 'poisson' }, { kind: 'uniform' }] as const) {
    const plan = (seed: number) => offsetsOf({ arrivals, ratePerSec: 1000, events: 100, seed });
    t.notDeepEqual(plan(1), plan(2));
    t.notDeepEqual(plan(seedOfRun(1, 1)), plan(seedOfRun(1, 2)));
  }
});

test('300,000/s does not drift: event 1e6 is planned at exactly 3,333,333,333 ns', (t) => {
  const offsets = offsetsOf({ arrivals: { kind: 'constant' }, ratePerSec: 300_000, events: 1_000_001, seed: 1 });
  // Against exact whole-number arithmetic.
  for (const i of [1, 2, 3, 299_999, 300_000, 999_999, 1_000_000]) {
    const exact = (BigInt(i) * 1_000_000_000n) / 300_000n;
    t.true(Math.abs(offsets[i]! - Number(exact)) <= 1, `event ${i}: ${offsets[i]} instead of ${exact}`);
  }
  t.is(offsets[1_000_000], 3_333_333_333);
});

test('odd rates stay exact to 1 ns after 1e7 events', (t) => {
  for (const rate of [7, 3, 999_983, 1e9, 123_457]) {
    const events = 10_000_000;
    const end = lengthOf({ arrivals: { kind: 'constant' }, ratePerSec: rate, events, seed: 1 });
    const exact = (BigInt(events - 1) * 1_000_000_000n) / BigInt(rate);
    t.true(Math.abs(end - Number(exact)) <= 1, `${rate}/s: ${end} instead of ${exact}`);
  }
});

test('a trace of thirds of a ns adds up without drift', (t) => {
  const gaps = [1000 / 3, 1000 / 3, 1000 / 3];
  const end = lengthOf({ arrivals: { kind: 'trace', gaps }, ratePerSec: 3e6, events: 3_000_001, seed: 1 });
  t.true(Math.abs(end - 1e9) <= 1, `${end}`);
});

test('poisson gaps are exponential: share above the mean is 1/e, above five means is e^-5', (t) => {
  const offsets = offsetsOf({ arrivals: { kind: 'poisson' }, ratePerSec: 1000, events: DRAWS, seed: 3 });
  const above = (means: number) => {
    let n = 0;
    for (let i = 1; i < DRAWS; i++) if (offsets[i]! - offsets[i - 1]! > means * 1e6) n++;
    return n / DRAWS;
  };
  t.true(Math.abs(above(1) / Math.exp(-1) - 1) < 0.01);
  t.true(Math.abs(above(5) / Math.exp(-5) - 1) < 0.05);
});

test('chance has 53 bits: two draws make one number, the second its last 21', (t) => {
  const random = xoshiro128(9);
  const uniform = () => Number((BigInt(random.u32()) << 21n) + (BigInt(random.u32()) >> 11n)) / 2 ** 53;
  const draws = Array.from({ length: 50 }, uniform);
  const plan = (kind: 'uniform' | 'poisson') =>
    [...offsetsOf({ arrivals: { kind }, ratePerSec: 1e-4, events: 51, seed: 9 })].slice(1);
  const sums = (gap: (u: number) => number) => {
    let at = 0;
    return draws.map((u) => (at += gap(u)));
  };
  // At one event in 10,000 s the second draw moves a gap by up to 4.7 us.
  for (const [kind, gap] of [
    ['uniform', (u: number) => 2e13 * u],
    ['poisson', (u: number) => -Math.log(1 - u) * 1e13],
  ] as const) {
    const expected = sums(gap);
    for (const [i, offset] of plan(kind).entries()) t.true(Math.abs(offset - expected[i]!) <= 2, `${kind} ${i}`);
  }
});

test('bursts leave the off time empty; a ramp starts at one rate and ends at the other', (t) => {
  const burst = offsetsOf({
    arrivals: { kind: 'burst', onNs: 1e6, offNs: 9e6 },
    ratePerSec: 10_000,
    events: 10_000,
    seed: 1,
  });
  t.true(burst.every((offset) => offset % 10e6 < 1e6));
  const ramp = offsetsOf({
    arrivals: { kind: 'ramp', from: 1000, to: 9000 },
    ratePerSec: 5000,
    events: 50_000,
    seed: 1,
  });
  const perSec = (from: number, to: number) =>
    ramp.filter((offset) => offset >= from && offset < to).length / ((to - from) / 1e9);
  // The run is 10 s long; the rate at t is 1000 + 800 t.
  t.true(Math.abs(perSec(0, 1e9) / 1400 - 1) < 0.01);
  t.true(Math.abs(perSec(4e9, 5e9) / 4600 - 1) < 0.01);
  t.true(Math.abs(perSec(9e9, 10e9) / 8600 - 1) < 0.01);
});
