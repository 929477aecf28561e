/** The driver for tasks that are done when they return: the JS thread itself waits for each planned start, as JLBH does. */
import { isThenable } from '../native/thenable.js';
import type { Cursor } from './cursor.js';
import { type LateGate, SKIP } from './late.js';
import type { LoopGaps } from './loop-gaps.js';
import { DELAY, END, PLANNED, RESPONSE, type RunRecorder, SERVICE, START } from './recorder.js';
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
  /** @internal In typed arrays, so that nothing is allocated per event. */
  private readonly start = new Float64Array(1);
  seq = 0;
  input: unknown = undefined;
  warmup: boolean;
  readonly probe: ProbeFunctions;
  readonly now: () => number;
  /** @internal */ status = CLOSED;
  /** @internal Clock time at sample(). */ readonly end = new Float64Array(1);
  /** @internal What the task measured itself; NaN = nothing. */ readonly own = new Float64Array(1);
  private readonly recorder: RunRecorder;

  constructor(now: () => number, probe: ProbeFunctions, warmup: boolean, recorder: RunRecorder) {
    this.now = now;
    this.probe = probe;
    this.warmup = warmup;
    this.recorder = recorder;
  }

  get startNs(): number {
    return this.start[0]!;
  }
  set startNs(ns: number) {
    this.start[0] = ns;
  }

  sample(ns?: number): void {
    if (this.status !== OPEN) {
      this.recorder.sampledTwice++;
      return;
    }
    this.own[0] = ns === undefined ? Number.NaN : checkNs('sample(ns)', ns);
    this.end[0] = this.now();
    this.status = SAMPLED;
  }
}

export const PROMISE_IN_SPIN =
  "the task returned a promise, which the spin driver cannot wait for; declare driver: 'pacer' (or 'timer'), or make the task synchronous";

/** Spins until `times[AT]`; `times[NOW]` is the reading that ended it. Times stay in typed arrays: nothing is allocated. */
function wait(clock: DriverClock, times: Float64Array, gaps: LoopGaps | null): void {
  const { read, slot, nsPerTick } = clock;
  const [t0, at, begun] = [times[ZERO]!, times[AT]!, times[NOW]!];
  const threshold = gaps === null ? Number.POSITIVE_INFINITY : gaps.thresholdNs;
  let now = begun;
  while (now < at) {
    const before = now;
    read();
    now = slot[0]! * nsPerTick - t0;
    if (now - before > threshold) gaps!.add(before, now - before);
  }
  times[NOW] = now;
  if (gaps !== null) gaps.watched[0]! += now - begun;
}

/** Sleeps until shortly before `times[AT]`; false when stopped meanwhile. */
function doze(clock: DriverClock, times: Float64Array, sleep: (ns: number) => void, stopped: () => boolean): boolean {
  while (times[AT]! - times[NOW]! > SLEEP_ABOVE_NS) {
    if (stopped()) return false;
    // At most 100 ms at a time, so that a stop is seen.
    sleep(Math.min(times[AT]! - times[NOW]! - WAKE_EARLY_NS, 100e6));
    times[NOW] = clock.now() - times[ZERO]!;
  }
  return true;
}

const NOW = 0;
const AT = 1;
const ZERO = 2;
const FOLLOWING = 3;

/** Runs a plan to its end, a stop or the first throw. Ends in between are recorded up to there. */
export function spin(context: SpinContext, plan: SpinRun): RunEnd {
  const { clock, state, inputs, run, stopped, sleep } = context;
  const { cursor, events, gate, recorder, probe, coordinatedOmission, warmup, gaps } = plan;
  const { read, slot, nsPerTick } = clock;
  const event = new SpinEvent(() => clock.now(), probe, warmup, recorder);
  const inputCount = inputs?.length ?? 0;
  const times = new Float64Array(8);
  const t0 = plan.t0;
  times[ZERO] = t0;
  const { event: record } = recorder;
  let input = 0;
  let slide = 0;
  let free = Number.NEGATIVE_INFINITY;
  cursor.load(times, FOLLOWING);
  for (let seq = 0; seq < events; seq++) {
    const planned = times[FOLLOWING]! + slide;
    cursor.load(times, FOLLOWING);
    if (stopped()) return { complete: false, failure: null };
    read();
    times[NOW] = slot[0]! * nsPerTick - t0;
    times[AT] = planned;
    if (!gate.plain) {
      const at = gate.at(times[NOW]!, planned, times[FOLLOWING]! + slide);
      if (at === SKIP) {
        recorder.skipped++;
        continue;
      }
      times[AT] = at;
    }
    if (times[NOW]! < times[AT]!) {
      if (sleep !== null && times[AT]! - times[NOW]! > SLEEP_ABOVE_NS && !doze(clock, times, sleep, stopped)) {
        return { complete: false, failure: null };
      }
      wait(clock, times, gaps);
    }
    const start = times[NOW]!;
    record[PLANNED] = planned;
    record[START] = start;
    // The driver could have started it when it was allowed to and the thread had come back from the task before.
    record[DELAY] = start - Math.max(times[AT]!, free);
    recorder.started();
    if (!gate.plain) gate.started(start);
    if (!coordinatedOmission) slide += start - planned;
    event.seq = seq;
    event.startNs = (coordinatedOmission ? planned : start) + t0;
    if (inputCount > 0) {
      event.input = inputs![input];
      input = input + 1 === inputCount ? 0 : input + 1;
    }
    event.status = OPEN;
    let result: unknown;
    let back: number;
    let pending: boolean;
    try {
      result = run(state, event as never);
      read();
      back = slot[0]! * nsPerTick - t0;
      // Asking a result for its `then` may be the task's own code again (a getter, a Proxy).
      pending = isThenable(result);
      if (pending) (result as Promise<unknown>).then(undefined, () => undefined);
    } catch (error) {
      event.status = CLOSED;
      recorder.failed++;
      return { complete: false, failure: { seq, error } };
    }
    if (pending) {
      event.status = CLOSED;
      recorder.failed++;
      return { complete: false, failure: { seq, error: new TypeError(PROMISE_IN_SPIN), promise: result } };
    }
    const from = coordinatedOmission ? planned : start;
    // A task measures from the start it was given; what it waited before that is not service.
    const own = event.status === SAMPLED ? event.own[0]! : Number.NaN;
    const end = event.status === SAMPLED && Number.isNaN(own) ? event.end[0]! - t0 : back;
    event.status = CLOSED;
    record[END] = end;
    record[RESPONSE] = Number.isNaN(own) ? end - from : own;
    record[SERVICE] = Number.isNaN(own) ? end - start : Math.max(0, own - (start - from));
    recorder.ended(seq);
    free = back;
  }
  return { complete: true, failure: null };
}
