/** The driver for tasks that are done when they return: the JS thread itself waits for each planned start, as JLBH does. */
import type { Cursor } from './cursor.js';
import { type LateGate, SKIP } from './late.js';
import type { LoopGaps } from './loop-gaps.js';
import type { RunRecorder } from './recorder.js';
import { checkNs, type DriverClock, type DriverContext, type ProbeFunctions, type RunEnd } from './task.js';

export interface SpinContext extends DriverContext {
  /** Blocks the thread for about `ns`; may return late. null = never sleep, only spin. */
  readonly sleep: ((ns: number) => void) | null;
}

export interface SpinRun {
  readonly cursor: Cursor;
  readonly events: number;
  readonly gate: LateGate;
  readonly recorder: RunRecorder;
  readonly probe: ProbeFunctions;
  /** Clock time of the plan's zero. */
  readonly t0: number;
  readonly coordinatedOmission: boolean;
  readonly warmup: boolean;
  /** Gets the gaps seen while waiting; null = none are wanted. */
  readonly gaps: LoopGaps | null;
}

/** Gaps longer than this are slept through in part; what is left is spun, since a sleep ends late by up to the timer slack. */
export const SLEEP_ABOVE_NS = 3e6;
const WAKE_EARLY_NS = 1.5e6;

const OPEN = 0;
const SAMPLED = 1;
const CLOSED = 2;

/** The one event object of a run: it is filled anew for each event, so that a run allocates nothing. */
export class SpinEvent {
  startNs = 0;
  seq = 0;
  input: unknown = undefined;
  warmup: boolean;
  readonly probe: ProbeFunctions;
  readonly now: () => number;
  /** @internal */ status = CLOSED;
  /** @internal Clock time at sample(). */ endNs = 0;
  /** @internal What the task measured itself; NaN = nothing. */ own = Number.NaN;
  private readonly recorder: RunRecorder;

  constructor(now: () => number, probe: ProbeFunctions, warmup: boolean, recorder: RunRecorder) {
    this.now = now;
    this.probe = probe;
    this.warmup = warmup;
    this.recorder = recorder;
  }

  sample(ns?: number): void {
    if (this.status !== OPEN) {
      this.recorder.sampledTwice++;
      return;
    }
    this.own = ns === undefined ? Number.NaN : checkNs('sample(ns)', ns);
    this.endNs = this.now();
    this.status = SAMPLED;
  }
}

export const PROMISE_IN_SPIN =
  "the task returned a promise, which the spin driver cannot wait for; declare driver: 'pacer' (or 'timer'), or make the task synchronous";

function waitPlain(clock: DriverClock, t0: number, at: number, begun: number): number {
  let now = begun;
  while (now < at) now = clock.now() - t0;
  return now;
}

function waitWatching(clock: DriverClock, t0: number, at: number, begun: number, gaps: LoopGaps): number {
  const threshold = gaps.thresholdNs;
  let now = begun;
  while (now < at) {
    const before = now;
    now = clock.now() - t0;
    if (now - before > threshold) gaps.add(before, now - before);
  }
  gaps.watchedNs += now - begun;
  return now;
}

/** Runs a plan to its end, a stop or the first throw. Ends in between are recorded up to there. */
export function spin(context: SpinContext, plan: SpinRun): RunEnd {
  const { clock, state, inputs, run, stopped, sleep } = context;
  const { cursor, events, gate, recorder, probe, t0, coordinatedOmission, warmup, gaps } = plan;
  const event = new SpinEvent(() => clock.now(), probe, warmup, recorder);
  const inputCount = inputs?.length ?? 0;
  let input = 0;
  let slide = 0;
  let free = Number.NEGATIVE_INFINITY;
  let following = cursor.next();
  for (let seq = 0; seq < events; seq++) {
    const planned = following + slide;
    following = cursor.next();
    if (stopped()) return { complete: false, failure: null };
    let now = clock.now() - t0;
    const at = gate.at(now, planned, following + slide);
    if (at === SKIP) {
      recorder.skipped++;
      continue;
    }
    if (now < at) {
      while (sleep !== null && at - now > SLEEP_ABOVE_NS) {
        if (stopped()) return { complete: false, failure: null };
        // At most 100 ms at a time, so that a stop is seen.
        sleep(Math.min(at - now - WAKE_EARLY_NS, 100e6));
        now = clock.now() - t0;
      }
      now = gaps === null ? waitPlain(clock, t0, at, now) : waitWatching(clock, t0, at, now, gaps);
    }
    const start = now;
    // The driver could have started it when it was allowed to and the thread had come back from the task before.
    recorder.started(planned, start, start - Math.max(at, free));
    gate.started(start);
    if (!coordinatedOmission) slide += start - planned;
    event.seq = seq;
    event.startNs = (coordinatedOmission ? planned : start) + t0;
    if (inputCount > 0) {
      event.input = inputs![input];
      input = input + 1 === inputCount ? 0 : input + 1;
    }
    event.status = OPEN;
    let result: unknown;
    try {
      result = run(state, event as never);
    } catch (error) {
      event.status = CLOSED;
      recorder.failed++;
      return { complete: false, failure: { seq, error } };
    }
    const back = clock.now() - t0;
    const sampled = event.status === SAMPLED;
    event.status = CLOSED;
    if (result !== undefined && result !== null && typeof (result as { then?: unknown }).then === 'function') {
      (result as Promise<unknown>).then(undefined, () => undefined);
      recorder.failed++;
      return { complete: false, failure: { seq, error: new TypeError(PROMISE_IN_SPIN), promise: result } };
    }
    if (!sampled)
      recorder.ended(seq, planned, start, back, back - (coordinatedOmission ? planned : start), back - start);
    else if (Number.isNaN(event.own)) {
      const end = event.endNs - t0;
      recorder.ended(seq, planned, start, end, end - (coordinatedOmission ? planned : start), end - start);
    } else {
      // The task measured from the start it was given; what it waited before that is not service.
      const waited = coordinatedOmission ? start - planned : 0;
      recorder.ended(seq, planned, start, back, event.own, event.own > waited ? event.own - waited : 0);
    }
    free = back;
  }
  return { complete: true, failure: null };
}
