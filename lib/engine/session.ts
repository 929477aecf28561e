/** One benchmark in one fork: learns what it returns, holds its loop, and runs chunks of it. */
import type { Finding } from '../result/model.js';
import { type ChunkRun, type RunSpan, runChunks, runLanes } from './chunk-run.js';
import { withTimer } from './deadline.js';
import { describeThrown, PhaseError } from './failure.js';
import type { EngineHarness } from './harness.js';
import { isThenable, type LaneLoop, makeLaneLoop } from './lanes.js';
import type { LoadedFunction } from './load.js';
import { type LoopCells, type LoopTarget, loopCells, makeSyncLoop, type ResultKind, type SyncLoop } from './loops.js';
import { TierWatch } from './tier-watch.js';
import { DeadlineError, type Machine } from './types.js';

export interface SessionPlan {
  readonly suite: string;
  readonly benchmark: string;
  readonly timeoutMs: number;
  readonly inflight: number;
}

/** Name of a result's kind, as recorded. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export class Session {
  readonly #machine: Machine;
  readonly #plan: SessionPlan;
  readonly cells: LoopCells = loopCells();
  readonly target: LoopTarget;
  readonly harness: EngineHarness;
  /** `benchmark "b" of suite "s"`. */
  readonly where: string;
  resultKind: string | null = null;
  async = false;
  kind: ResultKind = 'other';
  sync: SyncLoop | null = null;
  #lanes: LaneLoop | null = null;
  #oddBefore = 0;
  tiers: TierWatch;

  constructor(
    machine: Machine,
    plan: SessionPlan,
    fn: LoadedFunction,
    state: unknown,
    inputs: readonly unknown[] | null,
    harness: EngineHarness,
  ) {
    this.#machine = machine;
    this.#plan = plan;
    this.harness = harness;
    this.target = { fn: fn as LoopTarget['fn'], state, harness, inputs };
    this.where = `benchmark "${plan.benchmark}" of suite "${plan.suite}"`;
    this.tiers = new TierWatch({ of: null, why: null }, null, null);
  }

  /** Has the first invocation been made? */
  get learned(): boolean {
    return this.resultKind !== null;
  }

  /** The first invocation: what it returns chooses the sink, a promise chooses the awaited loop. */
  async learn(): Promise<void> {
    const { fn, state, harness, inputs } = this.target;
    const call = fn as unknown as LoadedFunction;
    let result: unknown;
    try {
      result = this.#machine.deadline(this.#plan.timeoutMs, () => call(state, harness as never, inputs?.[0]));
      if (isThenable(result)) {
        this.async = true;
        result = await withTimer(this.#plan.timeoutMs, result);
      }
    } catch (error) {
      throw this.failed(error);
    }
    this.resultKind = kindOf(result);
    this.#make(typeof result === 'number' ? 'number' : 'other');
  }

  #make(kind: ResultKind): void {
    this.kind = kind;
    this.#oddBefore = 0;
    if (this.async) this.#lanes = makeLaneLoop(this.target, this.cells);
    else this.sync = makeSyncLoop(this.target, kind, this.cells);
    // The lanes' own tier cannot be asked for (the function that runs is an async one made inside); the body's can.
    this.tiers = new TierWatch(this.#machine.tiers, this.sync?.loop ?? this.target.fn, this.target.fn);
  }

  /** Runs chunks; failures of user code become a {@link PhaseError}. */
  async run(run: ChunkRun): Promise<RunSpan> {
    const limitMs = this.#plan.timeoutMs + run.limitNs / 1e6;
    const { control } = this.harness;
    control.set(true, false);
    try {
      if (!this.#lanes) return this.#machine.deadline(limitMs, () => runChunks(run, this.sync!.loop));
      return await withTimer(limitMs, runLanes(run, this.#lanes, this.#plan.inflight));
    } catch (error) {
      throw this.failed(error);
    } finally {
      control.set(false, true);
    }
  }

  /** After an iteration: did the results stay what they were? Returns a finding when the sink had to change. */
  settle(): Finding | null {
    if (!this.sync) {
      this.#lanes?.clear();
      return null;
    }
    const last = this.sync.last();
    const odd = this.sync.odd();
    this.sync.clear();
    if (isThenable(last)) {
      last.then(undefined, () => {}); // it must not end the fork as an unhandled rejection before the reason is told
      const message =
        `${this.where} returned a promise after it had returned ${this.resultKind}: ` +
        'a benchmark is awaited always or never. Make it an async function, or return no promise.';
      throw new PhaseError('benchmark', message);
    }
    if (this.kind !== 'number' || odd === this.#oddBefore) return null;
    const seen = kindOf(last);
    this.resultKind = 'mixed';
    this.#make('other');
    const message =
      `${this.where} returned ${seen} after it had returned numbers; its results now go to a variable, ` +
      'where numbers that are no small integers have to be boxed (some ns each). Return one kind of value.';
    return { id: 'mixed-results', severity: 'warning', message, data: { results: odd, kind: seen } };
  }

  failed(error: unknown): PhaseError {
    if (error instanceof PhaseError) return error;
    if (error instanceof DeadlineError) {
      const hint = this.async
        ? 'a promise that never settles, or an endless loop'
        : 'an endless loop, or an invocation that needs a longer timeout';
      return new PhaseError('timeout', `${this.where} ${error.message}: ${hint}`);
    }
    if (error instanceof Error && error.name === 'NotAPromiseError') {
      const message = `${this.where} is asynchronous, but ${error.message}: a benchmark is awaited always or never. Make it an async function.`;
      return new PhaseError('benchmark', message);
    }
    return new PhaseError('benchmark', `${this.where} failed: ${describeThrown(error)}`, error);
  }
}
