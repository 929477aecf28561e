/** One benchmark in one fork: learns what it returns, holds its loop, and measures with it. */
import type { Histogram } from '../histogram/histogram.js';
import { isThenable } from '../native/thenable.js';
import type { Finding, Mode } from '../result/model.js';
import { builtinsFinding } from './builtins.js';
import { type ChunkRun, idle, type RunSpan, runChunks, runLanes } from './chunk-run.js';
import { withTimer } from './deadline.js';
import { describeThrown, PhaseError } from './failure.js';
import { type EngineHarness, hasConsumed } from './harness.js';
import { lazyResult } from './lazy-result.js';
import type { LoadedDefinition, LoadedFunction } from './load.js';
import { type LoopOptions, type LoopShape, type ResultKind, resultKindOf } from './loop-source.js';
import {
  type LaneLoop,
  type LoopCells,
  type LoopSurroundings,
  type LoopTarget,
  loopCells,
  makeLaneLoop,
  makeShotLoop,
  makeSyncLoop,
  NotAPromiseError,
  type ShotLoop,
  type SyncLoop,
} from './loops.js';
import { SampleRecorder } from './samples.js';
import { TierWatch } from './tier-watch.js';
import { DeadlineError, type Machine } from './types.js';

export interface SessionPlan {
  readonly suite: string;
  readonly benchmark: string;
  readonly mode: Mode;
  readonly params: unknown;
  readonly timeoutMs: number;
  readonly inflight: number;
  readonly batchSize: number;
  readonly opaque: boolean;
  readonly seed: number;
}

/** Name of a result's kind, as recorded. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export class Session {
  readonly #machine: Machine;
  readonly #plan: SessionPlan;
  readonly cells: LoopCells;
  readonly target: LoopTarget;
  readonly harness: EngineHarness;
  readonly shape: LoopShape;
  /** `benchmark "b" of suite "s"`. */
  readonly where: string;
  readonly samples: SampleRecorder | null;
  resultKind: string | null = null;
  async = false;
  kind: ResultKind = 'other';
  sync: SyncLoop | null = null;
  tiers: TierWatch;
  #lanes: LaneLoop | null = null;
  #shot: ShotLoop | null = null;
  #oddBefore = 0;
  #strict = true;
  /** What the first result gave rise to say. */
  #lazy: Finding | null = null;

  constructor(
    machine: Machine,
    plan: SessionPlan,
    fn: LoadedFunction,
    definition: Pick<LoadedDefinition, 'setupInvocation' | 'teardownInvocation'>,
    state: unknown,
    inputs: readonly unknown[] | null,
    harness: EngineHarness,
    histogram: Histogram | null = null,
  ) {
    this.#machine = machine;
    this.#plan = plan;
    this.harness = harness;
    this.cells = loopCells(plan.seed);
    this.target = {
      fn: fn as LoopTarget['fn'],
      state,
      harness,
      inputs,
      params: plan.params,
      before: this.#fixture('setupInvocation', definition.setupInvocation as LoopTarget['before']),
      after: this.#fixture('teardownInvocation', definition.teardownInvocation as LoopTarget['before']),
    };
    this.where = `benchmark "${plan.benchmark}" of suite "${plan.suite}"`;
    const fixtures = this.target.before !== null || this.target.after !== null;
    this.shape = plan.mode === 'sample' ? 'sample' : fixtures ? 'timed' : 'plain';
    this.samples = plan.mode === 'sample' ? new SampleRecorder(histogram!, this.cells, machine.clock) : null;
    this.tiers = new TierWatch({ of: null, why: null }, null, null);
  }

  /** The fixture with its failures told apart from the benchmark's. */
  #fixture(phase: string, fn: LoopTarget['before'] | undefined): LoopTarget['before'] {
    if (!fn) return null;
    const fail = (error: unknown) => {
      const message = `${phase} of suite "${this.#plan.suite}" failed: ${describeThrown(error)}`;
      return new PhaseError(phase, message, error);
    };
    return (state, params) => {
      try {
        const result = fn(state, params);
        return isThenable(result) ? result.then(undefined, (error) => Promise.reject(fail(error))) : result;
      } catch (error) {
        throw fail(error);
      }
    };
  }

  /** Nothing of what the benchmark computes leaves it: it returns nothing, and hands nothing to the black hole. */
  get givesNothing(): boolean {
    return this.resultKind === 'undefined' && !hasConsumed(this.harness.blackhole);
  }

  /** Has the first invocation been made? */
  get learned(): boolean {
    return this.resultKind !== null;
  }

  options(kind: ResultKind = this.kind): LoopOptions {
    return {
      shape: this.shape,
      kind,
      inputs: this.target.inputs !== null,
      batch: this.shape === 'sample' ? this.#plan.batchSize : 1,
      before: this.target.before !== null,
      after: this.target.after !== null,
      opaque: this.#plan.opaque,
    };
  }

  get surroundings(): LoopSurroundings {
    return { cells: this.cells, clock: this.#machine.clock, histogram: this.samples?.histogram ?? null };
  }

  /** The first invocation: what it returns chooses the sink, a promise chooses the awaited loop. */
  async learn(): Promise<void> {
    const { fn, state, harness, inputs, params, before, after } = this.target;
    const { timeoutMs } = this.#plan;
    const call = fn as unknown as LoadedFunction;
    const settled = async <T>(run: () => T): Promise<[value: Awaited<T>, promised: boolean]> => {
      const result = this.#machine.deadline(timeoutMs, run);
      return isThenable(result)
        ? [(await withTimer(timeoutMs, result)) as Awaited<T>, true]
        : [result as Awaited<T>, false];
    };
    let result: unknown;
    try {
      const [, beforeAsync] = await settled(() => before?.(state, params));
      const [value, promised] = await settled(() => call(state, harness as never, inputs?.[0]));
      const [, afterAsync] = await settled(() => after?.(state, params));
      result = value;
      this.async = promised || beforeAsync || afterAsync;
      this.#strict = promised;
    } catch (error) {
      throw this.failed(error);
    }
    this.resultKind = kindOf(result);
    this.#lazy = lazyResult(result);
    // The first input has been seen; the loops go on with the next.
    if (inputs) this.cells.walk[0] = 1 % inputs.length;
    // The fit of the clock's frequency has waited for the first invocation; the loops made now read the clock that it settles on.
    this.#machine.clock.settle();
    const kind = resultKindOf(result);
    if (!this.async) return this.#make(kind);
    this.kind = kind;
    this.#lanes = await makeLaneLoop(this.target, this.options(), this.surroundings, this.#strict);
    this.tiers = new TierWatch(this.#machine.tiers, this.#lanes.lane, this.target.fn);
  }

  #make(kind: ResultKind): void {
    this.kind = kind;
    this.sync = makeSyncLoop(this.target, this.options(), this.surroundings);
    // An opaque call site has seen strangers, whose results do not count.
    this.#oddBefore = this.sync.odd();
    this.sync.clear();
    this.tiers = new TierWatch(this.#machine.tiers, this.sync.loop, this.target.fn);
  }

  /** Runs chunks; failures of user code become a {@link PhaseError}. */
  run(run: Pick<ChunkRun, 'recorder' | 'size' | 'limitNs' | 'look' | 'meet' | 'watch'>): Promise<RunSpan> {
    const { batch } = this.options();
    const whole: ChunkRun = {
      ...run,
      clock: this.#machine.clock,
      spent: this.shape === 'timed' ? this.cells.spent : null,
      perTurn: batch,
      quiet: (quiet) => {
        this.cells.spent[4] = quiet ? 1 : 0;
      },
    };
    const limitMs = this.#plan.timeoutMs + run.limitNs / 1e6;
    return this.#controlled(run.meet === null, async () => {
      if (!this.#lanes) return this.#runSync(whole, limitMs);
      let waiting = false;
      const running = runLanes(whole, this.#lanes, this.#plan.inflight, (now) => {
        waiting = now;
      });
      for (let seen = run.meet?.pulse ?? 0; ; ) {
        try {
          return await withTimer(limitMs, running);
        } catch (error) {
          // One that waits for others has no limit as long as its calls end; the thread that conducts has one for all.
          const pulse = run.meet?.pulse ?? seen;
          if (!(error instanceof DeadlineError) || !waiting || pulse === seen) throw error;
          seen = pulse;
        }
      }
    });
  }

  /** Waiting for others has no limit here, calls have one all the time, so that the stuck thread is the one that is told. */
  #runSync(run: ChunkRun, limitMs: number): RunSpan {
    const { loop } = this.sync!;
    const { deadline } = this.#machine;
    if (!run.meet) return deadline(limitMs, () => runChunks(run, loop));
    const { meet } = run;
    const wait = (waits: () => boolean) => {
      while (deadline(limitMs, () => idle(run, loop, waits)));
    };
    meet.arrive();
    wait(() => meet.waiting);
    const span = deadline(limitMs, () => runChunks(run, loop));
    wait(() => meet.draining);
    return span;
  }

  /** What a single shot needs before it, so that nothing is left to do between the call being announced and made. */
  async prepareShot(): Promise<ShotLoop> {
    this.#shot ??= await makeShotLoop(this.target, this.options(), this.surroundings);
    return this.#shot;
  }

  /** `n` invocations in a row, awaited where they return promises; start and duration in ns. */
  async shoot(n: number): Promise<{ readonly startNs: number; readonly tookNs: number }> {
    const { nsPerTick } = this.#machine.clock;
    const made = await this.prepareShot();
    const { shot, promises, others } = made;
    const { timeoutMs } = this.#plan;
    const { start, took } = await this.#controlled(true, () =>
      withTimer(
        timeoutMs,
        this.#machine.deadline(timeoutMs, () => shot(n)),
      ),
    );
    if (promises() > 0 && others() > 0)
      throw this.failed(new NotAPromiseError('it returned promises and other values'));
    this.async = promises() > 0;
    this.resultKind = kindOf(made.last());
    this.#lazy = lazyResult(made.last());
    made.clear();
    this.tiers = new TierWatch(this.#machine.tiers, shot, this.target.fn);
    return { startNs: start * nsPerTick, tookNs: took * nsPerTick };
  }

  /** Runs with control.start set and control.stop not; where threads meet, the rendezvous sets them. */
  async #controlled<T>(own: boolean, run: () => T | Promise<T>): Promise<T> {
    const { control } = this.harness;
    if (own) control.set(true, false);
    try {
      return await run();
    } catch (error) {
      throw this.failed(error);
    } finally {
      if (own) control.set(false, true);
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
    if (this.kind === 'other' || odd === this.#oddBefore) return null;
    const seen = kindOf(last);
    const first = this.resultKind;
    const numeric = this.kind === 'number';
    this.resultKind = 'mixed';
    this.#make('other');
    const cost = numeric ? ', where numbers that are no small integers have to be boxed (some ns each)' : '';
    const message =
      `${this.where} returned ${seen} after it had returned ${first}; ` +
      `its results now go to a variable${cost}. Return one kind of value.`;
    return { id: 'mixed-results', severity: numeric ? 'warning' : 'info', message, data: { results: odd, kind: seen } };
  }

  /** What is worth telling of the benchmark once it was called. */
  remarks(): readonly Finding[] {
    const changed = builtinsFinding();
    // Without methods of arrays: they may be what was changed.
    if (changed === null) return this.#lazy === null ? [] : [this.#lazy];
    return this.#lazy === null ? [changed] : [this.#lazy, changed];
  }

  failed(error: unknown): PhaseError {
    if (error instanceof PhaseError) return error;
    if (error instanceof DeadlineError) {
      const hint = error.waiting
        ? 'a promise that never settles, or one that needs a longer timeout'
        : 'an endless loop, or an invocation that needs a longer timeout';
      // Their calls share one limit with the benchmark's: which of them it was cannot be told from outside.
      const around = [this.target.before && 'setupInvocation', this.target.after && 'teardownInvocation'];
      const or = around.filter((name) => name !== null).map((name) => ` or ${name}`);
      return new PhaseError('timeout', `${this.where}${or.join('')} ${error.message}: ${hint}`);
    }
    if (error instanceof NotAPromiseError) {
      const message = `${this.where} is asynchronous, but ${error.message}: a benchmark is awaited always or never. Make it an async function.`;
      return new PhaseError('benchmark', message);
    }
    return new PhaseError('benchmark', `${this.where} failed: ${describeThrown(error)}`, error);
  }
}
