/** What a group counted in one section. */
export interface Section {
  /** Count by event; scaled where the group shared the PMU, null where it was never on it. */
  counts: Readonly<Record<string, number | null>>;
  /** How long the group was enabled, ns. */
  enabledNs: number;
  /** How long it was really on the PMU, ns. */
  runningNs: number;
  /** Shared the PMU with other groups: counts are estimates (scaled by enabledNs / runningNs). */
  multiplexed: boolean;
  /** What an empty section counts; not taken off `counts`. */
  overhead: Readonly<Record<string, number>> | null;
}

/** A section from what `end` wrote: counts in the order of `names`, enabled ns, running ns. Pure. */
export function sectionOf(
  names: readonly string[],
  values: Float64Array,
  overhead: Readonly<Record<string, number>> | null,
): Section {
  const [enabledNs, runningNs] = [values[names.length]!, values[names.length + 1]!];
  const counts = Object.fromEntries(names.map((name, i) => [name, Number.isNaN(values[i]!) ? null : values[i]!]));
  return { counts, enabledNs, runningNs, multiplexed: runningNs < enabledNs, overhead };
}

/**
 * Counts per op with the overhead of the section taken off, never below 0; null where there is no count. It is worth having
 * only when `ops` is large: what a bracket adds varies from one to the next.
 * @throws RangeError when `ops` is not above 0.
 */
export function perOp(section: Section, ops: number): Readonly<Record<string, number | null>> {
  if (!(ops > 0 && Number.isFinite(ops))) throw new RangeError(`perOp: ops is ${ops}; it must be above 0`);
  const net = ([name, count]: [string, number | null]): [string, number | null] => [
    name,
    count === null ? null : Math.max(0, count - (section.overhead?.[name] ?? 0)) / ops,
  ];
  return Object.fromEntries(Object.entries(section.counts).map(net));
}
