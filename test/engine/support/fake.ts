/** A machine whose time only passes when a test says so. */
import type { EngineClock, Machine, TierState } from '#lib/engine/types.js';
import type { ForkMessage, ForkPlan } from '#lib/protocol/messages.js';
import { FORK } from '../../support/trial-plan.js';

export interface FakeMachine extends Machine {
  readonly messages: ForkMessage[];
  /** Lets ns pass. */
  readonly pass: (ns: number) => void;
  readonly nowNs: () => number;
  /** Pauses that the next question for GC will find. */
  readonly pauses: { at: number; ms: number }[];
}

/** Each clock read costs `readNs`. Tiers are whatever `tier` answers; null = the VM does not tell. */
export function fakeMachine(tier: ((fn: unknown) => TierState) | null = null, readNs = 0): FakeMachine {
  let now = 1000;
  const slot = new Float64Array(1);
  const messages: ForkMessage[] = [];
  const pauses: { at: number; ms: number }[] = [];
  const read = () => {
    now += readNs;
    slot[0] = now / 2;
  };
  const clock: EngineClock = {
    read,
    readOrdered: read,
    slot,
    nsPerTick: 2,
    info: {
      backend: 'hrtime',
      source: 'fake',
      hz: 5e8,
      hzPpm: null,
      granularityNs: 2,
      readNs,
      floorNs: readNs,
      reason: null,
    },
    settle: () => {},
    early: () => clock.info,
    anchor: () => now,
    check: () => ({ driftNs: 0, discontinuity: false }),
  };
  return {
    clock,
    gc: {
      now: () => now / 1e6,
      between: async (from, to) => {
        const inside = pauses.filter(({ at }) => at >= from && at <= to);
        return { count: inside.length, ns: inside.reduce((sum, { ms }) => sum + ms * 1e6, 0) };
      },
      collect: () => true,
    },
    tiers: { of: tier, why: tier ? null : 'it is a fake' },
    usage: null,
    waited: null,
    emit: (message) => messages.push(message),
    deadline: (_, run) => run(),
    // Asking takes time, so that a wait for a compiler that a fake does not have ends.
    wallMs: () => {
      now += 1e6;
      return now / 1e6;
    },
    pin: async () => ({ cpu: null, refused: null }),
    messages,
    pauses,
    pass: (ns) => {
      now += ns;
    },
    nowNs: () => now,
  };
}

/** A plan with everything filled in. */
export function planOf(overrides: Partial<ForkPlan> = {}): ForkPlan {
  return {
    kind: 'fork',
    protocol: 1,
    token: 'token',
    file: 'none',
    suite: 'S',
    benchmark: 'b',
    params: {},
    mode: 'avgt',
    ...FORK,
    warmupIterations: 2,
    warmupMinMs: 200,
    warmupMaxMs: 1500,
    iterations: 2,
    pinCpus: null,
    helperCpus: null,
    blackholeCost: false,
    seed: 1,
    spawnedAtMs: 0,
    loader: { cacheDir: '', mode: 'none' },
    ...overrides,
  };
}
