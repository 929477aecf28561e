/** The driver for tasks that end on a later tick: events come from a source, any number may be in flight, lost ones are given up. */
import { type LateGate, SKIP } from './late.js';
import { DELAY, END, PLANNED, RESPONSE, type RunRecorder, SERVICE, START } from './recorder.js';
import type { EventSource } from './source.js';
import { checkNs, type DriverContext, type ProbeFunctions, type RunEnd, type RunFailure } from './task.js';

export interface AsyncRun {
  readonly source: EventSource;
  readonly gate: LateGate;
  readonly recorder: RunRecorder;
  readonly probe: ProbeFunctions;
  readonly t0: number;
  readonly timeoutNs: number;
  readonly done: 'return' | 'sample';
  readonly coordinatedOmission: boolean;
  readonly warmup: boolean;
  /** Called about ten times a second while the run lasts; null without. */
  readonly tick: ((now: number) => void) | null;
  /** Gets the largest time from release to start. */
  readonly loopDelay: { maxNs: number };
}

export interface AsyncContext extends DriverContext {
  /** Calls back about every `ms` until the returned function is called. */
  readonly every: (ms: number, callback: () => void) => () => void;
  /** Lets the event loop run once. */
  readonly turn: () => Promise<void>;
}

const TICK_MS = 100;

const OPEN = 0;
const DONE = 1;
const LOST = 2;

/** One event in flight; the list of those is ordered by start, so that the oldest are found without a search. */
export class AsyncEvent {
  readonly startNs: number;
  readonly seq: number;
  readonly input: unknown;
  readonly warmup: boolean;
  readonly probe: ProbeFunctions;
  /** @internal ns after t0. */ readonly planned: number;
  /** @internal */ readonly begun: number;
  /** @internal */ status = OPEN;
  /** @internal */ before: AsyncEvent | null = null;
  /** @internal */ after: AsyncEvent | null = null;
  private readonly flight: Flight;

  constructor(flight: Flight, seq: number, input: unknown, planned: number, begun: number) {
    const { t0, coordinatedOmission, warmup, probe } = flight.plan;
    this.flight = flight;
    this.seq = seq;
    this.input = input;
    this.planned = planned;
    this.begun = begun;
    this.startNs = (coordinatedOmission ? planned : begun) + t0;
    this.warmup = warmup;
    this.probe = probe;
  }

  now(): number {
    return this.flight.context.clock.now();
  }

  sample(ns?: number): void {
    this.flight.finish(this, ns === undefined ? Number.NaN : checkNs('sample(ns)', ns), false);
  }
}

/** Everything between issue and end. */
class Flight {
  readonly context: AsyncContext;
  readonly plan: AsyncRun;
  failure: RunFailure | null = null;
  /** The run is over: what ends from now on is not recorded. */
  closed = false;
  private first: AsyncEvent | null = null;
  private last: AsyncEvent | null = null;
  /** Called when an event ends, so that the wait for the last ones ends with them. */
  settled: () => void = () => undefined;

  constructor(context: AsyncContext, plan: AsyncRun) {
    this.context = context;
    this.plan = plan;
  }

  add(event: AsyncEvent): void {
    event.before = this.last;
    if (this.last) this.last.after = event;
    else this.first = event;
    this.last = event;
  }

  private remove(event: AsyncEvent): void {
    if (event.before) event.before.after = event.after;
    else this.first = event.after;
    if (event.after) event.after.before = event.before;
    else this.last = event.before;
    event.before = event.after = null;
  }

  /** @param implicit The end is the return or the settling of run(), which says nothing after a sample(). */
  finish(event: AsyncEvent, own: number, implicit: boolean): void {
    const { recorder, t0, coordinatedOmission } = this.plan;
    if (this.closed) return;
    if (event.status === DONE) {
      if (!implicit) recorder.sampledTwice++;
      return;
    }
    if (event.status === LOST) {
      recorder.afterTimeout++;
      event.status = DONE;
      return;
    }
    const end = this.context.clock.now() - t0;
    event.status = DONE;
    this.remove(event);
    const { seq, planned, begun } = event;
    const from = coordinatedOmission ? planned : begun;
    const times = recorder.event;
    times[PLANNED] = planned;
    times[START] = begun;
    times[END] = end;
    times[RESPONSE] = Number.isNaN(own) ? end - from : own;
    times[SERVICE] = Number.isNaN(own) ? end - begun : Math.max(0, own - (begun - from));
    recorder.ended(seq);
    this.settled();
  }

  fail(event: AsyncEvent, error: unknown): void {
    if (this.closed) return;
    if (event.status === OPEN) {
      event.status = DONE;
      this.remove(event);
      this.plan.recorder.failed++;
    }
    this.failure ??= { seq: event.seq, error };
    this.settled();
    this.plan.source.wake();
  }

  /** Gives up what is older than the timeout. */
  expire(): void {
    const { recorder, t0, timeoutNs, coordinatedOmission } = this.plan;
    const now = this.context.clock.now() - t0;
    for (let event = this.first; event; event = this.first) {
      const from = coordinatedOmission ? event.planned : event.begun;
      if (now - from < timeoutNs) break;
      event.status = LOST;
      this.remove(event);
      recorder.gaveUp(event.seq, event.planned, event.begun, from, now);
      this.settled();
    }
  }

  /** True when nothing is in flight. */
  get empty(): boolean {
    return this.first === null;
  }
}

/** Runs a plan until every event is done or lost, to a stop, or to the first failure. */
export async function runAsync(context: AsyncContext, plan: AsyncRun): Promise<RunEnd> {
  const flight = new Flight(context, plan);
  const { source } = plan;
  const stopTicks = context.every(TICK_MS, () => {
    flight.expire();
    plan.tick?.(context.clock.now() - plan.t0);
    source.wake();
    flight.settled();
  });
  try {
    source.begin(plan.t0);
    const complete = await issueAll(context, plan, flight);
    while (complete && !flight.empty && flight.failure === null && !context.stopped()) {
      await new Promise<void>((resolve) => {
        flight.settled = resolve;
      });
    }
    return { complete: complete && flight.empty && flight.failure === null, failure: flight.failure };
  } finally {
    flight.closed = true;
    stopTicks();
  }
}

async function issueAll(context: AsyncContext, plan: AsyncRun, flight: Flight): Promise<boolean> {
  const { clock, stopped } = context;
  const { source, gate, recorder, t0 } = plan;
  const now = () => clock.now() - t0;
  let slide = 0;
  let held = false;
  let input = 0;
  while (held || !source.finished) {
    if (stopped() || flight.failure) return false;
    // Only what is due at this look: the loop must turn between looks, or nothing in flight could ever end.
    const look = now();
    source.poll(look - slide);
    while (flight.failure === null && (held || source.next(look - slide))) {
      const planned = source.planned + slide;
      const start = now();
      const at = gate.at(start, planned, source.following + slide);
      if (at === SKIP) {
        recorder.skipped++;
        held = false;
        continue;
      }
      held = at > start;
      if (held) break;
      recorder.event[PLANNED] = planned;
      recorder.event[START] = start;
      recorder.event[DELAY] = source.released + slide - planned;
      recorder.started();
      gate.started(start);
      const delay = start - (source.released + slide);
      if (delay > plan.loopDelay.maxNs) plan.loopDelay.maxNs = delay;
      if (!plan.coordinatedOmission) slide += start - planned;
      const inputs = context.inputs;
      issue(
        context,
        plan,
        flight,
        new AsyncEvent(flight, source.seq, inputs ? inputs[input] : undefined, planned, start),
      );
      if (inputs) input = input + 1 === inputs.length ? 0 : input + 1;
    }
    if (held) await context.turn();
    else if (!source.finished) await source.wait(now() - slide);
  }
  return flight.failure === null;
}

function issue(context: AsyncContext, plan: AsyncRun, flight: Flight, event: AsyncEvent): void {
  const { recorder } = plan;
  flight.add(event);
  if (recorder.inFlight > recorder.maxInFlight) recorder.maxInFlight = recorder.inFlight;
  let result: unknown;
  try {
    result = context.run(context.state, event as never);
  } catch (error) {
    flight.fail(event, error);
    return;
  }
  const settled = () => {
    if (plan.done === 'return') flight.finish(event, Number.NaN, true);
  };
  try {
    // Asking a result for its `then`, and calling it, is the task's own code again.
    const { then } = (result ?? {}) as { then?: unknown };
    if (typeof then === 'function') then.call(result, settled, (error: unknown) => flight.fail(event, error));
    else settled();
  } catch (error) {
    flight.fail(event, error);
  }
}
