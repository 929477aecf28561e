/** Watches GC, involuntary switches, the event loop and the machine's jitter beside one run. */
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { usage } from '../../cpu/index.js';
import { type Sampler, start } from '../../jitter/index.js';
import { LoopGaps } from '../loop-gaps.js';
import type { DriverInfo, JitterSummary } from '../model.js';
import type { Observed } from '../observed.js';
import type { RunObserver } from '../session.js';
import type { DriverClock } from '../task.js';
import { jitterSummary } from './jitter.js';

/** Turns of the event loop after which every GC pause has been reported (two on Node 20 to 26, one for safety). */
const TURNS = 3;
const SECOND = 1e9;
const INVOLUNTARY = 0;

export interface ObserverPlace {
  /** CPU of the measuring thread; null = not pinned. */
  readonly cpu: number | null;
  /** CPU of the driver's native thread, which a sleeping sampler watches; null = not pinned. */
  readonly driverCpu: number | null;
  /** Read cost of the clock, ns. */
  readonly readNs: number;
  readonly jitter: boolean;
}

/** Longer than twenty reads of the clock, at least 1 us: below that it is the loop itself. */
export const gapThreshold = (readNs: number) => Math.max(1000, 20 * readNs);

export function runObserver(clock: DriverClock, kind: DriverInfo['kind'], place: ObserverPlace): RunObserver {
  const used = new Float64Array(5);
  const involuntary = () => {
    usage(used);
    return used[INVOLUNTARY]!;
  };
  const gc: { atNs: number; ns: number }[] = [];
  const switches: { atNs: number; count: number }[] = [];
  const delays: { atNs: number; maxNs: number }[] = [];
  const loopDelay = { maxNs: 0 };
  const gaps = kind === 'spin' && place.jitter ? new LoopGaps(gapThreshold(place.readNs), involuntary) : null;
  let [t0, last, lastTick] = [0, 0, 0];
  // performance.now() counts on another line; one pair of readings per run puts GC pauses on ours.
  let performanceZero = 0;
  let sampler: Sampler | null = null;
  const hear = (entries: readonly { readonly startTime: number; readonly duration: number }[]) => {
    for (const { startTime, duration } of entries)
      gc.push({ atNs: startTime * 1e6 - performanceZero, ns: duration * 1e6 });
  };
  const watch = new PerformanceObserver((list) => hear(list.getEntries()));

  const read = (now: number) => {
    const count = involuntary();
    if (!Number.isNaN(count)) switches.push({ atNs: now, count: count - last });
    last = count;
    if (kind !== 'spin') delays.push({ atNs: now, maxNs: loopDelay.maxNs });
    loopDelay.maxNs = 0;
    lastTick = now;
  };

  return {
    gaps,
    loopDelay,
    begin(zero) {
      t0 = zero;
      performanceZero = performance.now() * 1e6 - (clock.now() - t0);
      watch.observe({ entryTypes: ['gc'] });
      if (kind !== 'spin' && place.jitter) {
        const started = start({ kind: 'sleep', ...(place.driverCpu === null ? {} : { cpu: place.driverCpu }) });
        if (started.ok) sampler = started;
      }
      last = involuntary();
      lastTick = 0;
    },
    tick(now) {
      // At each full second rather than a second after the last: readings must not drift out of the intervals they tell of.
      if (kind === 'spin' || Math.floor(now / SECOND) > Math.floor(lastTick / SECOND)) read(now);
    },
    async end(): Promise<Observed> {
      read(clock.now() - t0);
      for (let i = 0; i < TURNS; i++) await new Promise<void>((resolve) => setImmediate(resolve));
      hear(watch.takeRecords() as never);
      watch.disconnect();
      const jitter: JitterSummary[] = gaps ? [gaps.summary(place.cpu)] : [];
      if (sampler) {
        sampler.stop();
        jitter.push(jitterSummary(await sampler.result(), 'run', t0));
      }
      return {
        gc: gc.filter(({ atNs }) => atNs >= 0),
        switches: switches.length > 0 ? switches : null,
        loopDelay: kind === 'spin' ? null : delays,
        jitter,
      };
    },
  };
}
