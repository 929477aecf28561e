import test from 'ava';
import { openAddonClock } from '#lib/clock/addon.js';
import { checkAnchor, takeAnchor } from '#lib/clock/anchor.js';
import type { ClockSurface } from '#lib/native/surface/clock.js';

/** A surface whose counter is cheap and forward but no straight line against the kernel clock. */
function crooked(): { surface: ClockSurface; fits: () => number } {
  let now = 0;
  let fits = 0;
  const surface = {
    open: (slot: Float64Array, kernel: boolean) => {
      const read = () => {
        slot[0] = now += 30;
      };
      return {
        read,
        readOrdered: read,
        source: kernel ? 'monotonic-raw' : 'tsc',
        kernelClock: 'monotonic-raw',
        counting: kernel ? 'ns' : 'ticks',
        reason: null,
        counterReadNs: 10,
        kernelReadNs: 30,
      };
    },
    steps: () => ({ granularity: 10, gcd: 10, smallest: 10, backward: 0 }),
    point: (out: Float64Array, index: number) => {
      now += 50_000;
      out.set([now, now * 2, 40, 0], index);
    },
    fit: () => {
      fits++;
      return {
        valid: true,
        hz: 2e9,
        sePpm: 400,
        sdPpm: 900,
        residualNs: 70_000,
        maxResidualNs: 1e5,
        used: 41,
        dropped: 0,
      };
    },
  } as unknown as ClockSurface;
  return { surface, fits: () => fits };
}

test('a counter that is no straight line gives way to the kernel clock after three fits, with the numbers', (t) => {
  const { surface, fits } = crooked();
  const clock = openAddonClock(surface, null, 20);
  t.is(fits(), 3);
  t.is(clock.info.source, 'monotonic-raw');
  t.is(clock.nsPerTick, 1);
  t.is(clock.info.hzPpm, null);
  t.regex(clock.info.reason!, /constant frequency .*70000 ns, 400\.0 ppm after 3 fits/);
  const check = checkAnchor(clock, takeAnchor(clock));
  t.is(check.driftNs, null, 'nothing to compare with');
  t.false(check.discontinuity);
});
