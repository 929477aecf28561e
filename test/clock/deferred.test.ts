import test from 'ava';
import { deferredClock, hotClock } from '#lib/clock/index.js';

test.serial('a deferred clock reads before its frequency is fitted, and says what is known so far', (t) => {
  const clock = deferredClock({ calibrateMs: 23 });
  if (clock.fitted) return t.not(clock.fit().info.source, 'tsc', 'complete at once: nothing has to be fitted');
  clock.read();
  const before = clock.slot[0]!;
  const early = clock.early();
  t.false(clock.fitted, 'asking early does not fit');
  t.true(early.hzPpm! > 0 && Number.isFinite(early.hz) && early.granularityNs > 0 && early.readNs > 0);
  const hot = clock.fit();
  t.true(clock.fitted);
  t.is(hot, hotClock({ calibrateMs: 23 }), 'it is the blocking clock, later');
  t.is(clock.early(), hot.info);
  // A bound, not an estimate: the fitted value lies inside, whose own uncertainty is added (1 ppm: as between any two fits).
  t.true(Math.abs(early.hz / hot.info.hz - 1) * 1e6 <= early.hzPpm! + 3 * hot.info.hzPpm! + 1);
  hot.read();
  t.true(hot.slot[0]! - before > 22e6 / hot.nsPerTick, 'ticks from before and after the fit are on one scale');
});

test.serial('a deferred fit agrees with the one that blocks', (t) => {
  const deferred = deferredClock({ calibrateMs: 24 });
  const blocking = hotClock({ calibrateMs: 25 });
  const { info } = deferred.fit();
  if (info.hzPpm === null) return t.is(info.hz, blocking.info.hz);
  const ppm = Math.abs(info.hz / blocking.info.hz - 1) * 1e6;
  t.true(ppm <= Math.max(1, 4 * (info.hzPpm + blocking.info.hzPpm!)), `${ppm} ppm`);
});

test('options are checked when the fit is made', (t) => {
  t.throws(() => deferredClock({ calibrateMs: 0 }).fit(), { instanceOf: RangeError, message: /calibrateMs/ });
});
