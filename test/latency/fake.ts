/** A world without time: the clock moves when it is read and when somebody sleeps. */
import type { LatencyMessage } from '#lib/latency/messages.js';
import { LATENCY_VERSION, type LatencyData, type LatencyFork } from '#lib/latency/model.js';
import { NOTHING_OBSERVED } from '#lib/latency/observed.js';
import { runSession, type SessionDeps } from '#lib/latency/session.js';
import { findingsOf } from '#lib/latency/verdict.js';
import type { AnyLatencyDefinition } from '#lib/suite/latency.js';
import { type LatencyConfig, resolveLatency } from '#lib/suite/latency-options.js';

export class FakeClock {
  t = 1000;
  readonly tick: number;
  constructor(tick = 50) {
    this.tick = tick;
  }
  readonly slot = new Float64Array(1);
  readonly nsPerTick = 1;
  readonly read = (): void => {
    this.t += this.tick;
    this.slot[0] = this.t;
  };
  now(): number {
    this.read();
    return this.t;
  }
}

export function fakeDeps(
  clock: FakeClock,
  overrides: Partial<SessionDeps> = {},
): { deps: SessionDeps; messages: LatencyMessage[] } {
  const messages: LatencyMessage[] = [];
  const repeated = new Set<{ at: number; ns: number; callback: () => void }>();
  const fire = () => {
    for (const entry of repeated) {
      if (clock.t < entry.at) continue;
      entry.at = clock.t + entry.ns;
      entry.callback();
    }
  };
  const deps: SessionDeps = {
    clock,
    sleep: (ns) => {
      clock.t += ns;
    },
    stopped: () => false,
    every: (ms, callback) => {
      const entry = { at: clock.t + ms * 1e6, ns: ms * 1e6, callback };
      repeated.add(entry);
      // While nothing else moves the clock (waiting for the last events), time passes here.
      const idle = setInterval(() => {
        clock.t += ms * 1e6;
        fire();
      }, 1);
      return () => {
        clearInterval(idle);
        repeated.delete(entry);
      };
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    timers: {
      immediate: (callback) => queueMicrotask(callback),
      timeout: (callback, ms) => {
        clock.t += ms * 1e6;
        fire();
        queueMicrotask(callback);
      },
    },
    emit: (message) => void messages.push(message),
    pacer: () => ({ reason: 'this is a test' }),
    observer: () => ({
      begin: () => undefined,
      tick: () => undefined,
      gaps: null,
      loopDelay: { maxNs: 0 },
      end: async () => NOTHING_OBSERVED,
    }),
    floor: async () => null,
    collect: () => undefined,
    pause: async (ms) => {
      clock.t += ms * 1e6;
    },
    wall: () => '2026-01-01T00:00:00.000Z',
    ...overrides,
  };
  return { deps, messages };
}

/** What the host would make of a fork's messages. */
export function assemble(config: LatencyConfig, name: string, messages: readonly LatencyMessage[]): LatencyData {
  let fork: LatencyFork = {
    index: 0,
    status: 'ok',
    failure: null,
    runtime: null,
    clock: null,
    driver: null,
    warmup: null,
    floor: null,
    runs: [],
    findings: [],
    output: { stdout: '', stderr: '' },
  }; // prettier-ignore
  for (const message of messages) {
    if (message.type === 'warm') fork = { ...fork, warmup: message.warmup };
    if (message.type === 'driver') fork = { ...fork, driver: message.driver };
    if (message.type === 'run') {
      fork = { ...fork, runs: [...fork.runs, { ...message.run, findings: findingsOf(message.run, config) }] };
    }
  }
  return {
    format: 'tscope-latency',
    version: LATENCY_VERSION,
    createdAt: '2026-01-01T00:00:00.000Z',
    tool: { name: 'tscope', version: '0' },
    file: 'fixture.ts',
    environment: null,
    name,
    params: {},
    config,
    status: 'ok',
    forks: [fork],
  }; // prettier-ignore
}

export async function measure(
  name: string,
  definition: AnyLatencyDefinition,
  clock = new FakeClock(),
  overrides: Partial<SessionDeps> = {},
) {
  const config = resolveLatency(definition);
  const { deps, messages } = fakeDeps(clock, overrides);
  const end = await runSession(definition, config, {}, deps);
  return { end, messages, data: assemble(config, name, messages), config };
}
