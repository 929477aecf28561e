/** What measures: one session on this thread, or several threads. The sequence in measure.ts does not care which. */
import type { CanaryTimes } from '../protocol/canary.js';
import type { Finding } from '../result/model.js';
import { Canaries } from './canary.js';
import { ChunkRecorder } from './chunks.js';
import type { Fixtures } from './fixtures.js';
import { InterferenceWatch } from './interference.js';
import { type IterationOutcome, type IterationPlan, runIteration } from './iteration.js';
import type { Rendezvous } from './rendezvous.js';
import type { Session } from './session.js';
import { ChunkSizer } from './sizing.js';
import type { Machine } from './types.js';
import { type Checked, callsBenchmark, warmChecks } from './warm-checks.js';

/** What is asked of a performer for one iteration. */
export interface IterationRequest {
  readonly index: number;
  readonly limitMs: number;
  readonly warmup: boolean;
}

/** What is known after the first invocation. */
export interface Learned {
  readonly resultKind: string;
  readonly async: boolean;
  /** Fixtures of invocation level. */
  readonly invocationFixtures: boolean;
  /** What is worth telling of the benchmark as it was called first. */
  readonly remarks: readonly Finding[];
}

/** Times of the canaries, and whether one was slower than the quickest of its thread so far. */
export interface Canary {
  readonly times: CanaryTimes;
  readonly strays: boolean;
}

/** Canaries are timed after the iteration, so that they neither warm nor cool the caches of one that has not begun, and no first call. */
export function withCanary(outcome: IterationOutcome, canary: Canary | null): IterationOutcome {
  if (canary === null) return outcome;
  const { iteration } = outcome;
  const tags = canary.strays ? [...iteration.tags, 'canary'] : iteration.tags;
  return { ...outcome, iteration: { ...iteration, canary: canary.times, tags } };
}

export interface Performer {
  readonly iterate: (request: IterationRequest, onFirst: () => void) => Promise<IterationOutcome>;
  /** Valid after the first iteration. */
  readonly learned: () => Learned;
  readonly check: () => Promise<Checked>;
}

export interface PerformerPlan {
  readonly common: Omit<IterationPlan, 'index' | 'limitMs' | 'size' | 'usualNs' | 'shots' | 'counters'>;
  readonly batchSize: number;
  readonly warmupBatchSize: number;
  readonly linearityCheck: boolean;
  readonly timeoutMs: number;
  readonly canaries: boolean;
}

export class LocalPerformer implements Performer {
  readonly #machine: Machine;
  readonly #session: Session;
  readonly #fixtures: Fixtures;
  readonly #plan: PerformerPlan;
  readonly #meet: Rendezvous | null;
  readonly #watch: InterferenceWatch;
  readonly #canaries: Canaries | null;
  readonly #recorder = new ChunkRecorder();
  readonly #sizer = new ChunkSizer();
  /** Plain chunks keep their size once warm; the others' length varies with what is between them. */
  readonly #fixedSize: boolean;
  /** As declared: nothing has been called yet. */
  readonly #counters: readonly string[];
  #settled = false;
  #remarks: readonly Finding[] | null = null;
  usualNs: number | null = null;
  /** Fastest iteration so far, ns per invocation. */
  leastNs: number | null = null;

  constructor(
    machine: Machine,
    session: Session,
    fixtures: Fixtures,
    plan: PerformerPlan,
    meet: Rendezvous | null = null,
  ) {
    this.#machine = machine;
    this.#session = session;
    this.#fixtures = fixtures;
    this.#plan = plan;
    this.#meet = meet;
    this.#watch = new InterferenceWatch(machine, machine.clock);
    // A single shot meets the caches as the process left them.
    this.#canaries = plan.canaries && plan.common.mode !== 'ss' ? new Canaries(machine.clock) : null;
    this.#fixedSize = session.shape === 'plain';
    this.#counters = Object.keys(session.harness.counters);
  }

  async iterate({ index, limitMs, warmup }: IterationRequest, onFirst: () => void): Promise<IterationOutcome> {
    const session = this.#session;
    // Without warm-up the first iteration is the one that finds the size.
    const size = this.#fixedSize && !warmup && this.#settled ? this.#sizer.size : this.#sizer;
    const iteration: IterationPlan = {
      ...this.#plan.common,
      index,
      limitMs,
      size,
      shots: warmup ? this.#plan.warmupBatchSize : this.#plan.batchSize,
      usualNs: this.usualNs,
      counters: this.#counters,
    };
    const outcome = await runIteration(
      this.#machine,
      session,
      this.#fixtures,
      this.#recorder,
      iteration,
      onFirst,
      this.#meet,
      this.#watch,
    );
    if (outcome.nsPerInvocation !== null) {
      this.usualNs = outcome.nsPerInvocation;
      this.leastNs = Math.min(this.leastNs ?? Number.POSITIVE_INFINITY, this.usualNs);
      if (this.#fixedSize && size === this.#sizer) {
        this.#sizer.settle(this.usualNs);
        this.#settled = true;
      }
      session.samples?.aim(this.usualNs * this.#plan.batchSize);
    }
    return this.#meet === null ? withCanary(outcome, this.canary()) : outcome;
  }

  /** Times the canaries; null when the plan has none. Where threads meet, main asks one of them when all have stopped. */
  canary(): Canary | null {
    if (this.#canaries === null) return null;
    const times = this.#canaries.run();
    return { times, strays: this.#canaries.strays(times) };
  }

  learned(): Learned {
    const { resultKind, async, target } = this.#session;
    return {
      resultKind: resultKind === 'undefined' && !this.#session.givesNothing ? 'blackhole' : resultKind!,
      async,
      invocationFixtures: target.before !== null || target.after !== null,
      // Asked once: it makes garbage.
      remarks: (this.#remarks ??= this.#session.remarks()),
    };
  }

  async check(): Promise<Checked> {
    const check = () => warmChecks(this.#machine, this.#plan, this.#session, this.leastNs);
    if (!callsBenchmark(this.#plan, this.#session, this.leastNs)) return check();
    // The benchmark may need what setupIteration prepares: to the fixtures, the check is one more iteration.
    await this.#fixtures.beginIteration();
    const checked = check();
    await this.#fixtures.endIteration();
    return checked;
  }
}
