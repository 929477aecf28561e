/** The engine inside a process that is not a fork: the same loops, warm-up and checks, without processes. */
import { runFork } from '../../engine/fork.js';
import { pickSuite } from '../../engine/load.js';
import { realMachine } from '../../engine/machine.js';
import type { Machine } from '../../engine/types.js';
import { type ForkPlan, PROTOCOL_VERSION } from '../../protocol/messages.js';
import type { ClockInfo, Finding, Iteration } from '../../result/model.js';

type Hook = ((mode: 'run' | 'warmup') => unknown) | undefined;

/** A benchmark as vitest registers it. */
export interface Registration {
  readonly name: string;
  readonly fn: () => unknown;
  readonly fnOpts?: {
    readonly beforeAll?: Hook;
    readonly afterAll?: Hook;
    readonly beforeEach?: Hook;
    readonly afterEach?: Hook;
    readonly retainSamples?: boolean;
  };
}

/** What rounds brought. */
export interface Measured {
  /** Iterations of each round, in order. */
  readonly rounds: readonly (readonly Iteration[])[];
  readonly findings: readonly Finding[];
}

const ROUNDS = 5;
const ITERATIONS = 2;

function planOf(name: string, round: number, iterationTimeMs: number): ForkPlan {
  return {
    kind: 'fork',
    protocol: PROTOCOL_VERSION,
    token: '',
    file: '',
    suite: 'vitest',
    benchmark: name,
    params: {},
    mode: 'avgt',
    unit: 'ns',
    // Until steady the first time; later the code is compiled, and only caches have to be refilled.
    warmupIterations: round === 0 ? null : 1,
    warmupTimeMs: 10,
    warmupMinMs: 100,
    warmupMaxMs: 1000,
    iterations: ITERATIONS,
    iterationTimeMs,
    batchSize: 1,
    warmupBatchSize: 1,
    opsPerInvocation: 1,
    threads: 1,
    group: null,
    inflight: 1,
    timeoutMs: 60_000,
    pinCpus: null,
    helperCpus: null,
    blackholeCost: false,
    opaque: false,
    gcBeforeIteration: false,
    syncIterations: true,
    pollute: [],
    polluteLast: [],
    keepChunks: true,
    canaries: false,
    linearityCheck: round === 0,
    seed: round + 1,
    spawnedAtMs: 0,
    loader: { cacheDir: '', mode: 'none' },
  };
}

async function measureRound(machine: Machine, registration: Registration, plan: ForkPlan): Promise<void> {
  const { fn, fnOpts = {} } = registration;
  const { beforeEach, afterEach } = fnOpts;
  await runFork({
    machine,
    plan,
    load: async () =>
      pickSuite({
        kind: 'suite',
        name: 'vitest',
        definition: {
          ...(beforeEach ? { setupInvocation: () => beforeEach('run') } : {}),
          ...(afterEach ? { teardownInvocation: () => afterEach('run') } : {}),
          benchmarks: { [registration.name]: () => fn() },
        },
      }),
    sinceSpawnMs: () => performance.now(),
    onPinned: () => {},
    onReady: () => {},
  });
}

/**
 * Measures every registration in turns: rounds of all of them, in a rotating order, so that drift falls on all alike.
 *
 * @param timeMs Measured time of each registration.
 */
export async function measureInTurns(
  registrations: readonly Registration[],
  timeMs: number,
): Promise<{ readonly measured: readonly Measured[]; readonly clock: ClockInfo }> {
  const measured = registrations.map(() => ({ rounds: [] as Iteration[][], findings: [] as Finding[] }));
  let current: { rounds: Iteration[][]; findings: Finding[] } | null = null;
  const machine = realMachine((message) => {
    if (message.type === 'iteration') current!.rounds.at(-1)!.push(message.iteration);
    if (message.type === 'finding') current!.findings.push(message.finding);
    if (message.type === 'warm' && message.linearity?.eliminated) {
      const text =
        'the optimiser removed the work, so the time is that of an empty loop: return the result, and compute it from inputs rather than constants';
      current!.findings.push({ id: 'eliminated', severity: 'error', message: text });
    }
  });
  for (const { fnOpts } of registrations) await fnOpts?.beforeAll?.('run');
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < registrations.length; i++) {
        const which = (i + round) % registrations.length;
        const registration = registrations[which]!;
        current = measured[which]!;
        current.rounds.push([]);
        await measureRound(machine, registration, planOf(registration.name, round, timeMs / ROUNDS / ITERATIONS));
      }
    }
  } finally {
    for (const { fnOpts } of registrations) await fnOpts?.afterAll?.('run');
  }
  return { measured, clock: machine.clock.info };
}
