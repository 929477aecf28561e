/** What measures: one session on this thread, or several threads. The sequence in measure.ts does not care which. */
import { Canary } from './canary.js';
import { ChunkRecorder } from './chunks.js';
import type { Fixtures } from './fixtures.js';
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
  readonly mentionsBlackhole: boolean;
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
  readonly #recorder = new ChunkRecorder();
  readonly #sizer = new ChunkSizer();
  /** Plain chunks keep their size once warm; the others' length varies with what is between them. */
  readonly #fixedSize: boolean;
  #settled = false;
  #canary: Canary | null = null;
  usualNs: number | null = null;
  /** Fastest iteration so far, ns per invocation. */
  leastNs = Number.POSITIVE_INFINITY;

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
    this.#fixedSize = session.shape === 'plain';
  }

  async iterate({ index, limitMs, warmup }: IterationRequest, onFirst: () => void): Promise<IterationOutcome> {
    const session = this.#session;
    // Outside of fixtures and timing; a single shot starts with the caches as they are, and threads have no canary.
    if (this.#plan.canaries && this.#meet === null && this.#plan.common.mode !== 'ss') {
      this.#canary ??= new Canary(this.#machine.clock);
    }
    const canary = this.#canary?.run() ?? null;
    // Without warm-up the first iteration is the one that finds the size.
    const size = this.#fixedSize && !warmup && this.#settled ? this.#sizer.size : this.#sizer;
    const iteration: IterationPlan = {
      ...this.#plan.common,
      index,
      limitMs,
      size,
      shots: warmup ? this.#plan.warmupBatchSize : this.#plan.batchSize,
      usualNs: this.usualNs,
      counters: Object.keys(session.harness.counters),
    };
    const outcome = await runIteration(
      this.#machine,
      session,
      this.#fixtures,
      this.#recorder,
      iteration,
      onFirst,
      this.#meet,
    );
    if (outcome.nsPerInvocation !== null) {
      this.usualNs = outcome.nsPerInvocation;
      this.leastNs = Math.min(this.leastNs, this.usualNs);
      if (this.#fixedSize && size === this.#sizer) {
        this.#sizer.settle(this.usualNs);
        this.#settled = true;
      }
      session.samples?.aim(this.usualNs * this.#plan.batchSize);
    }
    if (!canary) return outcome;
    const { iteration: told } = outcome;
    const tags = canary.slow ? [...told.tags, 'canary'] : told.tags;
    return { ...outcome, iteration: { ...told, canary: canary.times, tags } };
  }

  learned(): Learned {
    const { resultKind, async, target } = this.#session;
    return {
      resultKind: resultKind!,
      async,
      invocationFixtures: target.before !== null || target.after !== null,
      mentionsBlackhole: /\bblackhole\b/.test(String(target.fn)),
    };
  }

  async check(): Promise<Checked> {
    const check = () => warmChecks(this.#machine, this.#plan, this.#session, this.usualNs, this.leastNs);
    if (!callsBenchmark(this.#plan, this.#session, this.usualNs)) return check();
    // The benchmark may need what setupIteration prepares: to the fixtures, the check is one more iteration.
    await this.#fixtures.beginIteration();
    const checked = check();
    await this.#fixtures.endIteration();
    return checked;
  }
}
