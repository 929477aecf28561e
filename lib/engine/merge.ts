/** Iterations of several threads as one, with JMH's rules: thrpt is the sum over threads, other modes their mean, histograms are added. */
import type { HistogramData, Iteration, Mode, Tier, TierInfo } from '../result/model.js';

export interface ThreadIteration {
  readonly iteration: Iteration;
  /** Name of the group method; null outside of groups. */
  readonly label: string | null;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

function mergeHistograms(all: readonly HistogramData[]): HistogramData {
  const counts = new Map<number, number>();
  for (const { buckets } of all) {
    for (const [edge, count] of buckets) counts.set(edge, (counts.get(edge) ?? 0) + count);
  }
  return {
    unit: 'ns',
    buckets: [...counts].sort(([a], [b]) => a - b),
    min: Math.min(...all.map(({ min }) => min)),
    max: Math.max(...all.map(({ max }) => max)),
    total: sum(all.map(({ total }) => total)),
  };
}

const ORDER: readonly Tier[] = ['unknown', 'interpreter', 'baseline', 'maglev', 'optimized', 'inlined', 'turbofan'];
const lowest = (tiers: readonly Tier[]): Tier => tiers.reduce((a, b) => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b));

function mergeTiers(all: readonly (TierInfo | null)[]): TierInfo | null {
  const known = all.filter((tier) => tier !== null);
  if (known.length < all.length || known.length === 0) return null;
  const deopts = known.map((tier) => tier.deopts);
  return {
    loop: lowest(known.map(({ loop }) => loop)),
    body: lowest(known.map(({ body }) => body)),
    changed: known.some(({ changed }) => changed),
    deopts: deopts.some((count) => count === null) ? null : sum(deopts as number[]),
  };
}

/** Score over threads; null when any thread has none: half a sum would be a lie. */
export function mergeScores(mode: Mode, scores: readonly (number | null)[]): number | null {
  if (scores.some((score) => score === null)) return null;
  const total = sum(scores as number[]);
  // A sample's score is the mean of all samples, which the caller computes from the sums.
  return mode === 'thrpt' ? total : total / scores.length;
}

export function mergeIterations(mode: Mode, threads: readonly ThreadIteration[]): Iteration {
  const all = threads.map(({ iteration }) => iteration);
  const first = all[0]!;
  const histograms = all.map(({ histogram }) => histogram).filter((histogram) => histogram !== null);
  const ops = sum(all.map((each) => each.ops));
  const elapsedNs = sum(all.map((each) => each.elapsedNs));
  const startNs = Math.min(...all.map((each) => each.startNs));
  const switches = all.map((each) => each.involuntarySwitches);
  const drifts = all.map((each) => each.clock.driftNs).filter((drift) => drift !== null);
  const perOp = first.score !== null && first.ops > 0 ? first.score / (first.elapsedNs / first.ops) : null;
  const score =
    mode === 'sample'
      ? perOp !== null && ops > 0
        ? (elapsedNs / ops) * perOp
        : null
      : mergeScores(
          mode,
          all.map((each) => each.score),
        );
  const aware = all.map((each) => each.aware);
  return {
    index: first.index,
    startNs,
    ops,
    elapsedNs,
    wallNs: Math.max(...all.map((each) => each.startNs + each.wallNs)) - startNs,
    score,
    // Chunks of different threads are different series; what each thread did is under `threads`.
    chunks: null,
    histogram: histograms.length > 0 ? mergeHistograms(histograms) : null,
    gc: { count: sum(all.map((each) => each.gc.count)), ns: sum(all.map((each) => each.gc.ns)) },
    involuntarySwitches: switches.some((count) => count === null) ? null : sum(switches as number[]),
    gaps: {
      count: sum(all.map((each) => each.gaps.count)),
      lostNs: sum(all.map((each) => each.gaps.lostNs)),
      worstNs: Math.max(...all.map((each) => each.gaps.worstNs)),
    },
    clock: {
      driftNs: drifts.length > 0 ? drifts.reduce((a, b) => (Math.abs(a) >= Math.abs(b) ? a : b)) : null,
      discontinuity: all.some((each) => each.clock.discontinuity),
    },
    tier: mergeTiers(all.map((each) => each.tier)),
    tags: [...new Set(all.flatMap((each) => each.tags))],
    threads: threads.map(({ iteration: { ops, elapsedNs, counters }, label }) => ({
      ops,
      elapsedNs,
      label,
      ...(counters ? { counters } : {}),
    })),
    counters: first.counters ? mergeCounters(all.map((each) => each.counters!)) : null,
    // Timed when all threads have stopped, and added then.
    canary: null,
    aware: aware.some((each) => each === null)
      ? null
      : {
          score: mergeScores(
            mode,
            aware.map((each) => each!.score),
          ),
          excludedNs: sum(aware.map((each) => each!.excludedNs)),
          excludedChunks: sum(aware.map((each) => each!.excludedChunks)),
        },
  };
}

function mergeCounters(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  return Object.fromEntries(Object.keys(all[0]!).map((name) => [name, sum(all.map((each) => each[name]!))]));
}
