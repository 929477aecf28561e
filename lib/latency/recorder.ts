import { Histogram } from '../histogram/index.js';
import type { LatencyRun } from './model.js';
import { Worst, type WorstEntry } from './worst.js';

export interface RecorderOptions {
  readonly probes: readonly string[];
  readonly events: number;
  /** Planned start of the last event, ns after t0. */
  readonly plannedNs: number;
  readonly keepSamples: boolean;
  /** Events over mean rate, ns: longer than the plan when that ends before a pause of its last burst. Default 0. */
  readonly nominalNs?: number;
}

/** What a recorder knows of a run; the rest (jitter, GC, switches, findings) is put beside it afterwards. */
export type RecordedRun = Omit<
  LatencyRun,
  'intervals' | 'worst' | 'jitter' | 'findings' | 'run' | 'startedAt' | 'overflow'
> & {
  readonly intervals: readonly { readonly startNs: number; readonly lengthNs: number; readonly response: Histogram }[];
  readonly worst: readonly WorstEntry[];
};

const SECOND = 1e9;
const MAX_INTERVALS = 120;

/** Places in {@link RunRecorder.event}. */
export const PLANNED = 0;
export const START = 1;
/** Part of the lateness that is the driver's own. */
export const DELAY = 2;
/** When it ended, for rates and intervals. */
export const END = 3;
/** What it took as it counts: end - planned, or what the task measured itself. */
export const RESPONSE = 4;
export const SERVICE = 5;
const LATENESS = 6;
const LAST_END = 0;
const LAST_DONE = 1;

/**
 * Takes what happened to each event of one run; every histogram exists before the run, so that recording allocates nothing.
 * Times are ns after t0. Order per event: {@link started}, then {@link ended} or {@link gaveUp}.
 */
export class RunRecorder {
  /** Times of the event at hand, ns after t0; written by the driver before each call, since arguments would be allocated. */
  readonly event = new Float64Array(7);
  readonly response = new Histogram({ correction: 'planned-start' });
  readonly service = new Histogram();
  readonly lateness = new Histogram({ correction: 'planned-start' });
  readonly driverDelay = new Histogram({ correction: 'planned-start' });
  readonly probes: Readonly<Record<string, Histogram>>;
  issued = 0;
  done = 0;
  lost = 0;
  /** Started, then threw or rejected: in no response histogram. */
  failed = 0;
  skipped = 0;
  sampledTwice = 0;
  afterTimeout = 0;
  /** Times that the clock went backwards by; recorded as 0. */
  backwards = 0;
  maxInFlight = 0;
  /** Called with the time when events move on to another interval: once a second while events end. */
  onInterval: ((now: number) => void) | null = null;
  private readonly times = new Float64Array(2);
  private readonly backlogs = new Float64Array(4).fill(Number.POSITIVE_INFINITY);
  private quarter = 0;
  private quarterEnd: number;
  private readonly perNs: number;
  private readonly options: RecorderOptions;
  private readonly intervalNs: number;
  private readonly intervals: Histogram[] = [];
  /** Events given up in each interval: they are samples of its histogram, and nothing that was achieved. */
  private readonly lostIn: number[] = [];
  private interval: Histogram;
  private intervalStart = 0;
  private intervalEnd: number;
  private readonly worst = new Worst();
  private readonly samples: Float64Array | null;
  private kept = 0;

  constructor(options: RecorderOptions) {
    this.options = options;
    this.probes = Object.fromEntries(options.probes.map((name) => [name, new Histogram()]));
    this.quarterEnd = options.events / 4;
    this.perNs = options.plannedNs > 0 ? options.events / options.plannedNs : 0;
    this.intervalNs = SECOND * Math.max(1, Math.ceil(options.plannedNs / SECOND / MAX_INTERVALS));
    for (let at = 0; at <= options.plannedNs + this.intervalNs; at += this.intervalNs)
      this.intervals.push(newInterval());
    this.interval = this.intervals[0]!;
    this.intervalEnd = this.intervalNs;
    this.samples = options.keepSamples ? new Float64Array(3 * options.events) : null;
    // Fresh memory costs a page fault at its first touch; that shall not be during the run.
    for (const h of [
      this.response,
      this.service,
      this.lateness,
      this.driverDelay,
      ...Object.values(this.probes),
      ...this.intervals,
    ])
      h.reset();
    this.samples?.fill(0);
  }

  /** An event starts: {@link PLANNED}, {@link START} and {@link DELAY} are set. */
  started(): void {
    const { event } = this;
    event[LATENESS] = event[START]! - event[PLANNED]!;
    if (event[LATENESS]! < 0) this.backward(LATENESS);
    if (event[DELAY]! < 0) this.backward(DELAY);
    this.lateness.recordFrom(event, LATENESS);
    this.driverDelay.recordFrom(event, DELAY);
    const backlog = this.inFlight + event[LATENESS]! * this.perNs;
    if (backlog < this.backlogs[this.quarter]!) this.backlogs[this.quarter] = backlog;
    if (++this.issued >= this.quarterEnd && this.quarter < 3) {
      this.quarter++;
      this.quarterEnd += this.options.events / 4;
    }
  }

  /** An event ended: all times but {@link DELAY} are set. */
  ended(seq: number): void {
    const { event } = this;
    this.done++;
    if (event[RESPONSE]! < 0) this.backward(RESPONSE);
    if (event[SERVICE]! < 0) this.backward(SERVICE);
    this.response.recordFrom(event, RESPONSE);
    this.service.recordFrom(event, SERVICE);
    const end = event[END]!;
    if (end >= this.intervalEnd || end < this.intervalStart) this.moveTo(end);
    this.interval.recordFrom(event, RESPONSE);
    if (end > this.times[LAST_END]!) this.times[LAST_END] = end;
    if (end > this.times[LAST_DONE]!) this.times[LAST_DONE] = end;
    if (event[RESPONSE]! > this.worst.floor) {
      this.worst.offer(seq, event[PLANNED]!, event[START]!, end, event[RESPONSE]!);
    }
    if (this.samples !== null) this.keep();
  }

  /** An event that did not end: it enters as what it waited since `from`, which is at least the timeout. */
  gaveUp(seq: number, planned: number, start: number, from: number, now: number): void {
    this.lost++;
    const waited = now - from;
    this.response.record(waited);
    this.service.record(now - start);
    if (now >= this.intervalEnd || now < this.intervalStart) this.moveTo(now);
    this.interval.record(waited);
    const index = this.intervalStart / this.intervalNs;
    this.lostIn[index] = (this.lostIn[index] ?? 0) + 1;
    if (now > this.times[LAST_END]!) this.times[LAST_END] = now;
    if (waited > this.worst.floor) this.worst.offer(seq, planned, start, now, waited);
  }

  private keep(): void {
    const samples = this.samples!;
    samples[this.kept++] = this.event[PLANNED]!;
    samples[this.kept++] = this.event[START]!;
    samples[this.kept++] = this.event[END]!;
  }

  private backward(index: number): void {
    this.backwards++;
    this.event[index] = 0;
  }

  private moveTo(end: number): void {
    const index = Math.max(0, Math.floor(end / this.intervalNs));
    while (this.intervals.length <= index) this.intervals.push(newInterval());
    this.interval = this.intervals[index]!;
    this.intervalStart = index * this.intervalNs;
    this.intervalEnd = this.intervalStart + this.intervalNs;
    this.onInterval?.(end);
  }

  /** Events started and not yet ended or given up. */
  get inFlight(): number {
    return this.issued - this.done - this.lost - this.failed;
  }

  /** @param complete Did every event of the plan get its turn? */
  finish(complete: boolean): RecordedRun {
    const { events, plannedNs } = this.options;
    const backlog = (quarter: number) =>
      this.backlogs[quarter]! < Number.POSITIVE_INFINITY ? this.backlogs[quarter]! : 0;
    const perSec = (count: number, ns: number) => (ns > 0 ? (count * 1e9) / ns : 0);
    // n events span n gaps: the plan ends where the next event would start, not at the start of the last.
    const gapsNs = events > 1 ? (plannedNs * events) / (events - 1) : 0;
    const spanNs = complete ? Math.max(gapsNs, this.options.nominalNs ?? 0) : 0;
    // To the last event that ended: the wait for lost ones says nothing about the rate of the others.
    const achievedPerSec = perSec(this.done, Math.max(this.times[LAST_DONE]!, spanNs));
    const full = this.intervals.filter((h, i) => h.count > 0 && (i + 1) * this.intervalNs <= this.times[LAST_END]!);
    const doneIn = (h: Histogram) => h.count - (this.lostIn[this.intervals.indexOf(h)] ?? 0);
    const best = Math.max(0, ...full.map((h) => perSec(doneIn(h), this.intervalNs)));
    const used = this.intervals.slice(0, this.intervals.findLastIndex((h) => h.count > 0) + 1);
    return {
      complete,
      plannedEvents: events,
      plannedNs,
      elapsedNs: this.times[LAST_END]!,
      issued: this.issued,
      done: this.done,
      lost: this.lost,
      failed: this.failed,
      skipped: this.skipped,
      sampledTwice: this.sampledTwice,
      afterTimeout: this.afterTimeout,
      clockBackwards: this.backwards,
      maxInFlight: this.maxInFlight,
      achievedPerSec,
      bestPerSec: full.length === 0 ? achievedPerSec : best,
      minBacklog: [backlog(0), backlog(1), backlog(2), backlog(3)],
      response: this.response.toJSON(),
      service: this.service.toJSON(),
      lateness: this.lateness.toJSON(),
      driverDelay: this.driverDelay.toJSON(),
      probes: Object.fromEntries(Object.entries(this.probes).map(([name, h]) => [name, h.toJSON()])),
      intervals: used.map((response, i) => ({ startNs: i * this.intervalNs, lengthNs: this.intervalNs, response })),
      worst: this.worst.entries(),
      samples: this.samples === null ? null : Array.from(this.samples.subarray(0, this.kept)),
    };
  }
}

/** Two digits: an interval histogram is for its p99 and its line in a log, and there may be 120 of them. */
function newInterval(): Histogram {
  return new Histogram({ digits: 2, highest: 2 ** 31, correction: 'planned-start' });
}
