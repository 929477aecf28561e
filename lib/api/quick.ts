/** Single-process runs: a first number, and no more than that. Time and the function are passed in. */
import { isThenable } from '../native/thenable.js';

/** What a function gets to time only a part of itself. */
export interface QuickTimer {
  /** Begins a span. @throws Error when one is running. */
  start(): void;
  /** Ends it. @throws Error when none is running. */
  stop(): void;
  /** ns in all finished spans of this run. */
  readonly time: number;
}

/** `(steps, timer) => anything`: does its work `steps` times; may return a promise. */
export type QuickFunction = (steps: number, timer: QuickTimer) => unknown;

export interface QuickOptions {
  readonly warmups: number;
  readonly runs: number;
  /** Handed to the function; times are divided by it. */
  readonly steps: number;
  /** Monotonic, ns. */
  readonly now: () => number;
  readonly onRun?: (run: QuickRun) => void;
  /** Looked at between runs. */
  readonly signal?: AbortSignal;
}

export interface QuickRun {
  readonly kind: 'warm-up' | 'run';
  /** From 1, within its kind. */
  readonly index: number;
  /** ns. */
  readonly time: number;
  /** What was timed: the spans between the timer's start and stop, or the whole call. */
  readonly timed: 'timer' | 'call';
  readonly returned: unknown;
}

/** A call that failed; the message says in which run. */
export class QuickError extends Error {}

class Spans implements QuickTimer {
  readonly #now: () => number;
  #started: number | null = null;
  time = 0;
  used = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  start(): void {
    if (this.#started !== null) throw new Error('timer.start() was called while the timer runs; stop() it first');
    this.used = true;
    this.#started = this.#now();
  }

  stop(): void {
    const now = this.#now();
    if (this.#started === null) throw new Error('timer.stop() was called before start()');
    this.time += now - this.#started;
    this.#started = null;
  }

  get running(): boolean {
    return this.#started !== null;
  }
}

const words = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;

async function once(
  fn: QuickFunction,
  kind: QuickRun['kind'],
  index: number,
  options: QuickOptions,
): Promise<QuickRun> {
  const timer = new Spans(options.now);
  let returned: unknown;
  let time: number;
  try {
    const start = options.now();
    const value = fn(options.steps, timer);
    // Awaiting what is no promise would add a turn of the queue to every call.
    returned = isThenable(value) ? await value : value;
    time = options.now() - start;
  } catch (error) {
    throw new QuickError(`${kind} ${index} failed: ${words(error)}`, { cause: error });
  }
  if (timer.running) throw new QuickError(`${kind} ${index} failed: the timer was started and not stopped`);
  return { kind, index, time: timer.used ? timer.time : time, timed: timer.used ? 'timer' : 'call', returned };
}

/**
 * Calls `fn` once per warm-up and run, one after the other.
 *
 * @returns The runs, without warm-ups; fewer when the signal was aborted.
 * @throws QuickError when the function throws or misuses its timer.
 */
export async function quickRuns(fn: QuickFunction, options: QuickOptions): Promise<QuickRun[]> {
  const runs: QuickRun[] = [];
  const total = options.warmups + options.runs;
  for (let i = 0; i < total && options.signal?.aborted !== true; i++) {
    const warmup = i < options.warmups;
    const run = await once(fn, warmup ? 'warm-up' : 'run', warmup ? i + 1 : i - options.warmups + 1, options);
    options.onRun?.(run);
    if (!warmup) runs.push(run);
    // Lets a signal in: a synchronous function leaves no other gap.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return runs;
}

export interface QuickSummary {
  readonly average: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Average, least and greatest time of a run, ns; null without runs. */
export function quickSummary(runs: readonly QuickRun[]): QuickSummary | null {
  if (runs.length === 0) return null;
  const times = runs.map(({ time }) => time);
  return {
    average: times.reduce((sum, time) => sum + time, 0) / times.length,
    minimum: Math.min(...times),
    maximum: Math.max(...times),
  };
}
