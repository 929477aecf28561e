import test from 'ava';
import { checkAnchor, hotClock, takeAnchor } from '#lib/clock/index.js';
import { loadAddon } from '#lib/native/load.js';

const { addon } = loadAddon();
const withAddon = addon ? test : test.skip;

test('a million reads never go back', (t) => {
  const { read, slot } = hotClock();
  let last = -Infinity;
  let back = 0;
  for (let i = 0; i < 1_000_000; i++) {
    read();
    if (slot[0]! < last) back++;
    last = slot[0]!;
  }
  t.is(back, 0);
});

test('one clock per thread and calibration time', (t) => {
  t.is(hotClock(), hotClock({ calibrateMs: 20 }));
  t.not(hotClock(), hotClock({ calibrateMs: 5 }));
});

test('bad calibration times are refused with the value in the message', (t) => {
  for (const bad of [Number.NaN, -1, 0, Infinity, 60_001]) {
    t.throws(() => hotClock({ calibrateMs: bad }), { instanceOf: RangeError, message: /calibrateMs.*1 to 60000/ });
  }
  t.throws(() => hotClock({ calibrateMs: '20' as never }), {
    instanceOf: TypeError,
    message: /must be a number from 1/,
  });
});

test('what info says is what the clock does', (t) => {
  const { read, slot, nsPerTick, info } = hotClock();
  t.is(info.backend, addon ? 'addon' : 'hrtime');
  t.is(info.reason === null, /^(tsc|cntvct)/.test(info.source));
  t.true(Math.abs((nsPerTick * info.hz) / 1e9 - 1) < 1e-12);
  t.true(info.readNs > 0 && info.floorNs > 0 && info.granularityNs > 0);
  // Differences are multiples of the granularity, off by one tick where the counter is rounded.
  const step = info.granularityNs / nsPerTick;
  let fit = 0;
  read();
  let last = slot[0]!;
  for (let i = 0; i < 2000; i++) {
    read();
    const over = (slot[0]! - last) % step;
    if (Math.min(over, step - over) < 1.01) fit++;
    last = slot[0]!;
  }
  t.true(fit > 1000, `${fit} of 2000 differences are multiples of ${step} ticks`);
});

withAddon('an anchor whose ticks jumped is a discontinuity', (t) => {
  const clock = hotClock();
  if (clock.info.hzPpm === null) return t.pass('the clock is the kernel clock: nothing to compare with');
  const start = takeAnchor(clock);
  const jumped = { ...start, ticks: start.ticks - 5000 / clock.nsPerTick };
  const check = checkAnchor(clock, jumped);
  t.true(check.discontinuity);
  t.true(Math.abs(check.driftNs! - 5000) < 500, `${check.driftNs} ns`);
});
