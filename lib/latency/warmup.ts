import type { WarmupPlan } from '../suite/latency-options.js';
import type { WarmupInfo } from './model.js';
import type { RunEnd } from './task.js';

/** One stretch of warm-up events: how it ended, how long it took, and its median service time, ns. */
export interface WarmupBlock {
  readonly end: RunEnd;
  readonly events: number;
  readonly ns: number;
  readonly medianNs: number;
}

const BLOCK_NS = 250e6;
/** Blocks grow at most so much: the first event may be a thousand times slower than the rest. */
const GROWTH = 10;

/**
 * Runs blocks of events until the plan is fulfilled: a count exactly; a time; or until the medians of three blocks in a row lie within 5 %.
 * The first block is one event; later ones are about 250 ms long.
 * @param block Runs that many events.
 * @returns What was done, and the end of the last block (to see a throw or a stop).
 */
export async function warmUp(
  plan: WarmupPlan,
  block: (events: number) => Promise<WarmupBlock>,
): Promise<{ readonly info: WarmupInfo; readonly end: RunEnd }> {
  let [events, ns] = [0, 0];
  let end: RunEnd = { complete: true, failure: null };
  const medians: number[] = [];
  const limit = plan.kind === 'count' ? Number.POSITIVE_INFINITY : plan.kind === 'time' ? plan.ns : plan.maxNs;
  let why: WarmupInfo['end'] = plan.kind === 'steady' ? 'cap' : plan.kind;
  if (plan.kind === 'count' && plan.events === 0) why = 'none';
  while (ns < limit && !(plan.kind === 'count' && events >= plan.events)) {
    const wanted = Math.max(1, Math.floor((Math.min(BLOCK_NS, limit - ns) * events) / Math.max(1, ns)));
    const size = Math.min(wanted, Math.max(1, GROWTH * events));
    // The first event alone shows whether the task is async; the rest of a count needs no blocks.
    const done = await block(plan.kind !== 'count' ? size : events === 0 ? 1 : plan.events - events);
    events += done.events;
    ns += done.ns;
    end = done.end;
    if (!end.complete) break;
    // Blocks that still grow are there to learn how long an event takes.
    if (size === wanted && events > 1) medians.push(done.medianNs);
    if (plan.kind === 'steady' && settled(medians)) {
      why = 'steady';
      break;
    }
  }
  return { info: { events, ns, end: why }, end };
}

/** Do the last three medians lie within 5 % of each other, or within 2 ns, where a clock's grain is a larger share? */
export function settled(medians: readonly number[]): boolean {
  if (medians.length < 3) return false;
  const last = medians.slice(-3);
  const [low, high] = [Math.min(...last), Math.max(...last)];
  return high - low <= Math.max(2, 0.05 * low);
}
