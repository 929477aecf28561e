/** What a fork can tell about its own measurement: one function per finding; null when there is nothing to say. */
import type { ClockInfo, Finding, HistogramData, Iteration } from '../result/model.js';
import type { TierProbe } from './types.js';

/** A sample should be at least this many times the clock's floor. */
const FLOORS = 5;
/** JMH's advice for fixtures of invocation level. */
const FIXTURE_MATTERS_BELOW_NS = 1e6;

/** Says so when the tiers cannot be seen. That they were low is told by the analysis, which has them in each iteration and knows the flags already used. */
export function tierFinding(tiers: TierProbe): Finding | null {
  if (tiers.of !== null) return null;
  const message = `The optimisation tier could not be seen (${tiers.why}); warm-up went by equal speed alone.`;
  return { id: 'tier-unknown', severity: 'info', message };
}

/** Middle of a histogram, ns: lower edge of the bucket that holds it. */
export function histogramMedian(histogram: HistogramData): number {
  let seen = 0;
  for (const [edge, count] of histogram.buckets) {
    seen += count;
    if (seen * 2 >= histogram.total) return edge;
  }
  return histogram.max;
}

/** Samples so short that the clock is what they show. */
export function shortSamples(
  clock: Pick<ClockInfo, 'granularityNs'>,
  floorNs: number,
  last: Iteration | null,
): Finding | null {
  if (!last?.histogram) return null;
  const median = histogramMedian(last.histogram);
  if (median >= FLOORS * floorNs) return null;
  const message =
    `A sample takes about ${median.toFixed(0)} ns, but a sample of nothing takes ${floorNs.toFixed(0)} ns, ` +
    `and the clock moves in steps of ${clock.granularityNs.toFixed(0)} ns: a good part of the percentiles is the clock. ` +
    'Use avgt for ops this short, or time several with batchSize.';
  const data = { medianNs: median, floorNs, granularityNs: clock.granularityNs };
  return { id: 'short-samples', severity: 'warning', message, data };
}

/** What invocation fixtures cost, and whether the op is long enough for them. */
export function slowFixtures(floorNs: number, last: Iteration | null): Finding | null {
  if (!last?.chunks) return null;
  const invocations = last.chunks.count * last.chunks.invocations;
  const opNs = last.elapsedNs / invocations;
  if (opNs >= FIXTURE_MATTERS_BELOW_NS) return null;
  const fixtureNs = (last.wallNs - last.elapsedNs) / invocations;
  const message =
    `Fixtures of invocation level need two clock reads around every invocation: of the ${opNs.toFixed(0)} ns measured, about ` +
    `${floorNs.toFixed(0)} ns are the clock, and ${fixtureNs.toFixed(0)} ns per invocation went into fixtures and are not counted. ` +
    'They are meant for ops of 1 ms and more; prepare many states once (inputs, setupIteration) instead.';
  return {
    id: 'invocation-fixtures',
    severity: 'warning',
    message,
    data: { opNs, floorNs, fixtureNs },
  };
}
