/** Events released by the native pacer thread. GC and long ticks of the task delay their start, never their release. */
import { ENTRY, type Pacer, type Ring, start } from '../../pacer/index.js';
import { offsetsOf, type PlanInput } from '../plan.js';
import type { EventSource } from '../source.js';

/** Longest plan handed to the pacer: 16 bytes per event here and there. */
const MAX_EVENTS = 16_777_216;
const BATCH = 256;

/** Room for two seconds of events at the planned rate, so that only a longer stall overflows. */
export function ringCapacity(ratePerSec: number, events: number): number {
  const wanted = Math.min(Math.max(2 * ratePerSec, 4096), Math.max(events, 16));
  return 2 ** Math.min(22, Math.max(4, Math.ceil(Math.log2(wanted))));
}

export class PacerSource implements EventSource {
  seq = -1;
  planned = 0;
  following: number;
  released = 0;
  private readonly offsets: Float64Array;
  private readonly capacity: number;
  private readonly cpu: number | null;
  private pacer: Pacer | null = null;
  private ring: Ring | null = null;
  private t0 = 0;
  private readonly batch = new Float64Array(ENTRY * BATCH);
  private count = 0;
  private at = 0;
  private waiting: Promise<unknown> | null = null;
  private resolve: () => void = () => undefined;

  /** @param capacity Entries of the ring, a power of two. Default {@link ringCapacity}. */
  constructor(plan: PlanInput, cpu: number | null, capacity?: number) {
    this.offsets = offsetsOf(plan);
    this.following = this.offsets[0]!;
    this.capacity = capacity ?? ringCapacity(plan.ratePerSec, plan.events);
    this.cpu = cpu;
  }

  /** @throws Error when the system refuses the thread. */
  begin(t0: number): void {
    this.t0 = t0;
    const started = start({
      plan: this.offsets,
      t0Ns: t0,
      ringCapacity: this.capacity,
      ...(this.cpu === null ? {} : { cpu: this.cpu }),
    });
    if (!started.ok) throw new Error(`${started.message}. ${started.hint}`);
    this.pacer = started;
    this.ring = started.ring;
  }

  poll(): void {}

  next(): boolean {
    if (this.at === this.count) {
      this.count = this.ring!.read(this.batch);
      this.at = 0;
      if (this.count === 0) return false;
    }
    const from = this.at++ * ENTRY;
    this.seq = this.batch[from]!;
    this.planned = this.offsets[this.seq]!;
    this.released = Math.max(this.planned, this.batch[from + 2]! - this.t0);
    this.following = this.seq + 1 < this.offsets.length ? this.offsets[this.seq + 1]! : Number.POSITIVE_INFINITY;
    return true;
  }

  get finished(): boolean {
    return this.at === this.count && this.ring!.ended;
  }

  wait(): Promise<void> {
    // One wait at the ring at a time: it goes on when we were woken by something else.
    this.waiting ??= this.ring!.wait().finally(() => {
      this.waiting = null;
      this.resolve();
    });
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  wake(): void {
    this.resolve();
  }

  /** Events that found the ring full so far. */
  get overflow(): number {
    return this.ring?.overflow ?? 0;
  }

  end(): { overflow: number } {
    this.pacer?.stop();
    return { overflow: this.overflow };
  }
}

/** A pacer for `plan`, or why there is none. */
export function pacerSource(plan: PlanInput, cpu: number | null): EventSource | { readonly reason: string } {
  if (plan.events > MAX_EVENTS)
    return { reason: `a plan of ${plan.events} events is too long for the pacer (at most ${MAX_EVENTS})` };
  return new PacerSource(plan, cpu);
}

/** Can this process have a pacer at all? Starts one with an empty plan. */
export function pacerRefusal(cpu: number | null): string | null {
  const started = start({ plan: new Float64Array(0), ringCapacity: 16, ...(cpu === null ? {} : { cpu }) });
  if (!started.ok) return `${started.message} (${started.hint})`;
  started.stop();
  return null;
}
