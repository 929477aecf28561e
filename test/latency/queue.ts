/** An independent simulation of what an open-loop driver with one server must measure; shares no code with lib/. */
export interface SimulatedEvent {
  readonly planned: number;
  readonly start: number;
  readonly end: number;
}

/**
 * @param planned Planned starts, ns, ascending.
 * @param service ns per event.
 * @param stalls Times during which nothing runs: [from, to), ascending, not overlapping.
 */
export function simulateQueue(
  planned: readonly number[],
  service: (i: number) => number,
  stalls: readonly (readonly [number, number])[] = [],
): SimulatedEvent[] {
  const events: SimulatedEvent[] = [];
  let free = Number.NEGATIVE_INFINITY;
  /** Instant at which `work` ns that begin at `from` are done, with stalls in between. */
  const after = (from: number, work: number): number => {
    let at = from;
    let left = work;
    for (const [stall, resume] of stalls) {
      if (resume <= at) continue;
      if (at >= stall) {
        at = resume;
        continue;
      }
      if (at + left <= stall) break;
      left -= stall - at;
      at = resume;
    }
    return at + left;
  };
  for (const [i, plan] of planned.entries()) {
    const start = after(Math.max(plan, free), 0);
    const end = after(start, service(i));
    free = end;
    events.push({ planned: plan, start, end });
  }
  return events;
}

/** Nearest rank. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length - 1e-9) - 1)]!;
}
