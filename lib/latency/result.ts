import { Histogram } from '../histogram/index.js';
import type { JitterSummary, LatencyData, LatencyRun } from './model.js';
import { histogramOf, type RunSummary, summaryOf } from './summary.js';

/** The runs of one table: end to end, or one probe. */
export interface ProbeResult {
  /** The last run of the last fork. @throws Error when no run was measured. */
  summaryOfLastRun(): RunSummary;
  /** Every run, fork by fork. */
  eachRunSummary(): readonly RunSummary[];
}

/** A finished (or stopped) measurement as code reads it; {@link data} is the plain JSON behind it. */
export interface LatencyResult {
  readonly data: LatencyData;
  /** Response times: end - planned start. */
  endToEnd(): ProbeResult;
  service(): ProbeResult;
  lateness(): ProbeResult;
  /** A declared probe; undefined for a name that is none. A probe that was never fed has summaries with count 0. */
  probe(name: string): ProbeResult | undefined;
  probeNames(): readonly string[];
  /** Gaps of the machine beside the runs, all samplers merged; undefined when jitter was not sampled. */
  osJitter(): RunSummary | undefined;
}

function probeResult(runs: readonly LatencyRun[], table: string): ProbeResult {
  const each = () => runs.map((run) => summaryOf(histogramOf(run, table)!));
  return {
    eachRunSummary: each,
    summaryOfLastRun() {
      const last = runs.at(-1);
      if (!last) throw new Error('latency: no run was measured');
      return summaryOf(histogramOf(last, table)!);
    },
  };
}

/** Gaps of several samplers as one; null for none. */
export function mergedJitter(samplers: readonly JitterSummary[]): RunSummary | null {
  if (samplers.length === 0) return null;
  // Two digits, as the native sampler records.
  const all = new Histogram({ digits: 2, correction: 'planned-start' });
  for (const { gaps } of samplers) all.add(Histogram.from(gaps, { digits: 2, correction: 'planned-start' }));
  return summaryOf(all.toJSON(), 2);
}

/** Wraps result data with JLBH's result methods. */
export function resultOf(data: LatencyData): LatencyResult {
  const runs = data.forks.flatMap((fork) => fork.runs);
  return {
    data,
    endToEnd: () => probeResult(runs, 'endToEnd'),
    service: () => probeResult(runs, 'service'),
    lateness: () => probeResult(runs, 'lateness'),
    probe: (name) => (data.config.probes.includes(name) ? probeResult(runs, name) : undefined),
    probeNames: () => data.config.probes,
    osJitter: () => mergedJitter(runs.flatMap((run) => run.jitter)) ?? undefined,
  };
}
