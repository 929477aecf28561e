/** One fork's work in JLBH's order: setup, warm-up, runs, teardown. Time, threads and the machine are passed in. */
import type { Params } from '../result/model.js';
import type { AnyLatencyDefinition } from '../suite/latency.js';
import type { LatencyConfig } from '../suite/latency-options.js';
import { type AsyncContext, runAsync } from './async.js';
import { type Cursor, cursorOf, lengthOf } from './cursor.js';
import { LateGate } from './late.js';
import type { LoopGaps } from './loop-gaps.js';
import type { LatencyMessage } from './messages.js';
import type { DriverInfo, JitterSummary } from './model.js';
import { intervalsOf, type Observed, worstOf } from './observed.js';
import { type PlanInput, peakRate, seedOfRun } from './plan.js';
import { RunRecorder } from './recorder.js';
import { type EventSource, TimerSource } from './source.js';
import { PROMISE_IN_SPIN, type SpinContext, spin } from './spin.js';
import { probeFunctions, type RunEnd, type Task } from './task.js';
import { type WarmupBlock, warmUp } from './warmup.js';

/** Watches the machine beside one run. */
export interface RunObserver {
  begin(t0: number): void;
  /** About ten times a second under the async drivers, at each interval under the spin driver. `now` is ns after t0. */
  tick(now: number): void;
  /** Where the spin driver puts the gaps it sees; null = not wanted. */
  readonly gaps: LoopGaps | null;
  /** Largest event-loop delay since the last tick; the async driver writes it. */
  readonly loopDelay: { maxNs: number };
  end(): Promise<Observed>;
}

export interface SessionDeps
  extends Pick<AsyncContext, 'clock' | 'every' | 'turn' | 'stopped'>,
    Pick<SpinContext, 'sleep'> {
  readonly emit: (message: LatencyMessage) => void;
  /** A native pacer for that plan, or why there is none. */
  readonly pacer: (plan: PlanInput) => EventSource | { readonly reason: string };
  readonly observer: (driver: DriverInfo['kind']) => RunObserver;
  /** Jitter of the CPU under test before anything runs; null when it cannot be sampled or is not wanted. */
  readonly floor: () => Promise<JitterSummary | null>;
  /** Collects garbage, so that what one run left is not collected in the next. */
  readonly collect: () => void;
  readonly pause: (ms: number) => Promise<void>;
  /** Wall clock, ISO 8601. */
  readonly wall: () => string;
  readonly timers?: ConstructorParameters<typeof TimerSource>[1];
}

/** A step of the lifecycle that threw. */
class StepError extends Error {
  readonly phase: string;
  readonly error: unknown;
  constructor(phase: string, error: unknown) {
    super(phase);
    this.phase = phase;
    this.error = error;
  }
}

/** Time between the decision to start and the plan's zero, ns: nothing is late at event 0 already. */
const LEAD_NS = 5e6;

async function step<T>(phase: string, call: () => T): Promise<Awaited<T>> {
  try {
    return await call();
  } catch (error) {
    throw new StepError(phase, error);
  }
}

/**
 * Runs everything. Sends what is measured as it is done; on a throw what was measured before it has been sent.
 * @returns Whether it was stopped, and the failure if there was one. Never rejects because of user code.
 */
export async function runSession(
  definition: AnyLatencyDefinition,
  config: LatencyConfig,
  params: Params,
  deps: SessionDeps,
): Promise<{ readonly stopped: boolean; readonly failure: { phase: string; error: unknown } | null }> {
  let failure: { phase: string; error: unknown } | null = null;
  const note = (error: unknown) => {
    failure ??= error instanceof StepError ? { phase: error.phase, error: error.error } : { phase: 'driver', error };
  };
  let state: unknown;
  let ready = false;
  try {
    state = await step('setup', () => (definition.setup ? definition.setup(params) : params));
    ready = true;
    const inputs = definition.inputs ? await step('inputs', () => definition.inputs!(params, state)) : null;
    if (inputs !== null && (!Array.isArray(inputs) || inputs.length === 0)) {
      throw new StepError('inputs', new TypeError('inputs: must return a list with at least one input'));
    }
    await new Session(definition, config, state, inputs, deps).measure();
  } catch (error) {
    note(error);
  }
  if (ready && definition.teardown) await step('teardown', () => definition.teardown!(state, params)).catch(note);
  return { stopped: deps.stopped(), failure };
}

class Session {
  private readonly definition: AnyLatencyDefinition;
  private readonly config: LatencyConfig;
  private readonly state: unknown;
  private readonly inputs: readonly unknown[] | null;
  private readonly deps: SessionDeps;
  private driver: DriverInfo = { kind: 'spin', fallback: null };
  private readonly target: { recorder: RunRecorder };
  private readonly probe: ReturnType<typeof probeFunctions>;

  constructor(
    definition: AnyLatencyDefinition,
    config: LatencyConfig,
    state: unknown,
    inputs: readonly unknown[] | null,
    deps: SessionDeps,
  ) {
    this.definition = definition;
    this.config = config;
    this.state = state;
    this.inputs = inputs;
    this.deps = deps;
    this.target = { recorder: this.recorder(1, 0, false) };
    this.probe = probeFunctions(config.probes, this.target);
  }

  async measure(): Promise<void> {
    const { config, deps, definition, state } = this;
    this.choose(config.driver ?? (this.looksAsync() ? 'pacer' : 'spin'));
    if (config.jitter) {
      const floor = await deps.floor();
      if (floor) deps.emit({ type: 'floor', floor });
    }
    const { info, end } = await warmUp(config.warmup, (events) => this.warmupBlock(events));
    this.check('warm-up', end);
    if (this.driver.kind === 'spin') this.rehearse();
    deps.emit({ type: 'warm', warmup: info });
    deps.emit({ type: 'driver', driver: this.driver });
    if (deps.stopped()) return;
    if (config.pauseAfterWarmupMs > 0) await deps.pause(config.pauseAfterWarmupMs);
    await step('warmedUp', () => definition.warmedUp?.(state));
    for (let run = 1; run <= config.runs && !deps.stopped(); run++) {
      const done = await this.run(run);
      await step('runComplete', () => definition.runComplete?.(state, { run, runs: config.runs, done }));
    }
  }

  /**
   * Lets the waiting loop itself be compiled, with a task that does nothing: warm-up runs back to back and never waits, and the first
   * thousands of waits would be made by slow code that allocates.
   */
  private rehearse(): void {
    const { deps, config } = this;
    const recorder = this.recorder(REHEARSED, 0, false);
    const observer = deps.observer('spin');
    const gate = new LateGate('catch-up', config.ratePerSec, config.cap);
    const context = {
      clock: deps.clock,
      state: null,
      inputs: null,
      run: () => undefined,
      stopped: deps.stopped,
      sleep: null,
    };
    const cursor = cursorOf({ arrivals: { kind: 'constant' }, ratePerSec: 50_000, events: REHEARSED, seed: 1 });
    const { probe } = this;
    const t0 = deps.clock.now();
    const shared = { recorder, gate, probe, t0, cursor, coordinatedOmission: true, warmup: true };
    spin(context, { ...shared, events: REHEARSED, gaps: observer.gaps });
  }

  private looksAsync(): boolean {
    return this.config.done === 'sample' || this.definition.run.constructor.name === 'AsyncFunction';
  }

  private choose(kind: DriverInfo['kind']): void {
    this.driver = { kind, fallback: null };
    if (kind !== 'pacer') return;
    const found = this.deps.pacer(this.planInput(1, 1));
    if ('reason' in found)
      this.driver = { kind: 'timer', fallback: `the event loop polls for due events, because ${found.reason}` };
    else found.end();
  }

  private planInput(run: number, events = this.config.events): PlanInput {
    const { arrivals, ratePerSec, seed } = this.config;
    return { arrivals, ratePerSec, events, seed: seedOfRun(seed, run) };
  }

  private recorder(events: number, plannedNs: number, keepSamples: boolean): RunRecorder {
    const { probes, ratePerSec } = this.config;
    return new RunRecorder({ probes, events, plannedNs, keepSamples, nominalNs: (1e9 * events) / ratePerSec });
  }

  private check(where: string, end: RunEnd): void {
    if (end.failure) throw new StepError(`run, event ${end.failure.seq} of ${where}`, end.failure.error);
  }

  private async warmupBlock(events: number): Promise<WarmupBlock> {
    const { clock } = this.deps;
    const { recorder } = this.target;
    recorder.service.reset();
    const begun = clock.now();
    let end = await this.drive(recorder, events, this.driver.kind === 'spin' ? null : this.planInput(0, events), true);
    const { failure } = end;
    if (failure && this.config.driver === null && isPromiseInSpin(failure.error)) {
      // Only calling it shows that a plain function returns a promise.
      const settled = Promise.resolve(failure.promise).catch((error) => {
        throw new StepError(`run, event ${failure.seq} of warm-up`, error);
      });
      // It may never settle: then it is lost, as any other event.
      await Promise.race([settled, this.deps.pause(this.config.timeoutNs / 1e6)]);
      this.choose('pacer');
      end = await this.drive(recorder, events, this.planInput(0, events), true);
    }
    const ns = Math.max(1, clock.now() - begun);
    return { end, events, ns, medianNs: recorder.service.count > 0 ? recorder.service.percentile(50) : 0 };
  }

  /** @param plan null = back to back. */
  private async drive(recorder: RunRecorder, events: number, plan: PlanInput | null, warmup: boolean): Promise<RunEnd> {
    const { config, deps, state, inputs, probe } = this;
    const context = { clock: deps.clock, state, inputs, run: this.definition.run as Task, stopped: deps.stopped };
    const gate = new LateGate(warmup ? 'catch-up' : config.late, peakRate(config), config.cap);
    const { coordinatedOmission, timeoutNs, done } = config;
    const shared = { recorder, gate, probe, coordinatedOmission, warmup };
    if (this.driver.kind === 'spin') {
      const cursor = plan === null ? AT_ONCE : cursorOf(plan);
      const t0 = deps.clock.now() + (warmup ? 0 : LEAD_NS);
      const observer = this.observe(warmup, t0);
      recorder.onInterval = observer ? (now) => observer.tick(now) : null;
      const gaps = observer?.gaps ?? null;
      const end = spin({ ...context, sleep: deps.sleep }, { ...shared, cursor, events, t0, gaps });
      await this.observed(observer);
      return end;
    }
    const source = this.source(plan!);
    const t0 = deps.clock.now() + LEAD_NS;
    const observer = this.observe(warmup, t0);
    const end = await runAsync(
      { ...context, every: deps.every, turn: deps.turn },
      {
        ...shared,
        source,
        t0,
        timeoutNs,
        done,
        tick: observer ? (now) => observer.tick(now) : null,
        loopDelay: observer?.loopDelay ?? { maxNs: 0 },
      },
    ); // prettier-ignore
    this.overflow = source.end().overflow;
    await this.observed(observer);
    return end;
  }

  private source(plan: PlanInput): EventSource {
    if (this.driver.kind === 'pacer') {
      const found = this.deps.pacer(plan);
      if (!('reason' in found)) return found;
      throw new Error(`the pacer could be started before and now cannot: ${found.reason}`);
    }
    return new TimerSource(cursorOf(plan), this.deps.timers);
  }

  private overflow = 0;
  private startedAt = '';
  private seen: Observed | null = null;

  private observe(warmup: boolean, t0: number): RunObserver | null {
    if (warmup) return null;
    const observer = this.deps.observer(this.driver.kind);
    this.startedAt = this.deps.wall();
    observer.begin(t0);
    return observer;
  }

  private async observed(observer: RunObserver | null): Promise<void> {
    this.seen = observer === null ? null : await observer.end();
  }

  private async run(run: number): Promise<number> {
    const { config, deps } = this;
    const plan = this.planInput(run);
    const plannedNs = lengthOf(plan);
    const recorder = this.recorder(config.events, plannedNs, config.keepSamples);
    this.target.recorder = recorder;
    deps.collect();
    deps.emit({ type: 'running', run, plannedNs, events: config.events });
    this.overflow = 0;
    const end = await this.drive(recorder, config.events, plan, false);
    const recorded = recorder.finish(end.complete);
    const seen = this.seen!;
    deps.emit({
      type: 'run',
      run: {
        ...recorded,
        run,
        startedAt: this.startedAt,
        overflow: this.overflow,
        intervals: intervalsOf(recorded, seen),
        worst: worstOf(recorded, seen),
        jitter: seen.jitter,
      },
    });
    this.check(`run ${run}`, end);
    return recorded.done;
  }
}

/** Events of the driver's rehearsal, 20 us apart: 200 ms. */
const REHEARSED = 10_000;

/** Every event is due already. */
const AT_ONCE: Cursor = {
  next: () => 0,
  load(into, index) {
    into[index] = 0;
  },
};

const isPromiseInSpin = (error: unknown) => error instanceof TypeError && error.message === PROMISE_IN_SPIN;
