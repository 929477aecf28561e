/** The real machine under a fork: clock, tiers, GC, usage, pinning. */
// The files themselves, not the entry points: each module that a fork need not load saves 0.5 ms of its start.
import { checkAnchor, takeAnchor } from '../clock/anchor.js';
import { deferredClock } from '../clock/deferred.js';
import * as cpu from '../cpu/affinity.js';
import { openRunDelay } from '../cpu/run-delay.js';
import type { ForkMessage } from '../protocol/messages.js';
import { withDeadline } from './deadline.js';
import { watchGc } from './gc-watch.js';
import { nowMs } from './own-time.js';
import { tierProbe } from './tiers.js';
import type { EngineClock, Machine } from './types.js';

/** The process's clock in the engine's shape: readable at once, its frequency fitted when it is settled. */
export function engineClock(): EngineClock {
  const deferred = deferredClock();
  const { fit } = deferred;
  const clock = {
    read: deferred.read,
    readOrdered: deferred.readOrdered,
    slot: deferred.slot,
    get nsPerTick() {
      return fit().nsPerTick;
    },
    get info() {
      return fit().info;
    },
    settle() {
      const hot = fit();
      clock.read = hot.read;
      clock.readOrdered = hot.readOrdered;
    },
    early: deferred.early,
    anchor: () => takeAnchor(fit()),
    check: (anchor: unknown) => checkAnchor(fit(), anchor as ReturnType<typeof takeAnchor>),
  };
  return clock;
}

/** The calling thread stays on `cpus[0]`; every other thread of the process moves to `helpers`. Refusals are told, not thrown. */
export async function pin(
  cpus: readonly number[] | null,
  helpers: readonly number[] | null,
): Promise<{ readonly cpu: number | null; readonly refused: string | null }> {
  const refused: string[] = [];
  let pinned: number | null = null;
  if (helpers) {
    await cpu.ensurePool(); // threads made later would inherit the mask of the thread that makes them
    const outcome = cpu.pinOthers([...helpers]);
    if (!outcome.ok) refused.push(`moving V8's and libuv's threads to CPU ${helpers.join(',')}: ${outcome.hint}`);
  }
  if (cpus?.[0] !== undefined) {
    const outcome = cpu.pinSelf([cpus[0]]);
    if (outcome.ok) pinned = cpus[0];
    else refused.push(`pinning to CPU ${cpus[0]}: ${outcome.hint}`);
  }
  return { cpu: pinned, refused: refused.length > 0 ? refused.join('; ') : null };
}

/** Everything a fork's main thread needs. */
export function realMachine(emit: (message: ForkMessage) => void): Machine {
  const known = new Float64Array(5);
  cpu.usage(known);
  return {
    clock: engineClock(),
    gc: watchGc(),
    tiers: tierProbe(),
    usage: Number.isNaN(known[0]) ? null : cpu.usage,
    waited: openRunDelay(),
    emit,
    deadline: withDeadline,
    wallMs: nowMs,
    pin,
  };
}
