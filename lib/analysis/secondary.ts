/** Scores beside the headline: declared counters, the methods of a group, percentiles of samples. */
import type { Fork, HistogramData, Iteration, Score, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import { betterOf, DEFAULT_CONFIDENCE, scoreOf, scoreUnit } from './score.js';
import { goodForks } from './trial-series.js';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const unitOf = (trial: Trial) => trial.options.unit?.value as TimeUnit;

/** A rate or a time per op from a count and the time it took, as the mode says; null when it cannot be had (0 in avgt). */
function rate(trial: Trial, count: number, ns: number): number | null {
  const unit = NS_PER[unitOf(trial)];
  if (trial.mode === 'thrpt') return ns > 0 ? (count * unit) / ns : null;
  return count > 0 ? ns / count / unit : null;
}

/** A score over forks; null as soon as one fork has none: the others would stand for it silently. */
function overForks(trial: Trial, of: (fork: Fork) => number | null): Score | null {
  const values = goodForks(trial).map(of);
  if (values.some((value) => value === null)) return null;
  return scoreOf(values as number[], scoreUnit(trial.mode, unitOf(trial)), betterOf(trial.mode));
}

/** Over threads as in JMH: their sum in thrpt, their mean otherwise; null when one has none. */
function overThreads(trial: Trial, rates: readonly (number | null)[]): number | null {
  if (rates.length === 0 || rates.some((value) => value === null)) return null;
  return sum(rates as number[]) / (trial.mode === 'thrpt' ? 1 : rates.length);
}

/** The mean of iterations; null when one has none. */
function overIterations(values: readonly (number | null)[]): number | null {
  if (values.length === 0 || values.some((value) => value === null)) return null;
  return sum(values as number[]) / values.length;
}

/** `operations`: like the headline, so that dividing the two says how often: with one thread a total over the iterations. */
function operations(trial: Trial, name: string): Score | null {
  return overForks(trial, ({ iterations }) => {
    const counted = (counters: Iteration['counters'] | undefined) => counters?.[name] ?? 0;
    if (iterations.every(({ threads }) => threads === null)) {
      const count = sum(iterations.map(({ counters }) => counted(counters)));
      return rate(trial, count, sum(iterations.map(({ elapsedNs }) => elapsedNs)));
    }
    return overIterations(
      iterations.map(({ threads }) =>
        overThreads(
          trial,
          threads!.map((thread) => rate(trial, counted(thread.counters), thread.elapsedNs)),
        ),
      ),
    );
  });
}

/** `events`: JMH's sum over threads, iterations and forks; a sum has no interval. */
function events(trial: Trial, name: string): Score | null {
  const sums = goodForks(trial).map(({ iterations }) => sum(iterations.map(({ counters }) => counters?.[name] ?? 0)));
  if (sums.length === 0) return null;
  return {
    value: sum(sums),
    unit: '#',
    better: 'higher',
    error: null,
    interval: null,
    confidence: DEFAULT_CONFIDENCE,
    method: 'sum over threads, iterations and forks',
    level: 'fork',
    n: sums.length,
    min: Math.min(...sums),
    max: Math.max(...sums),
    status: 'ok',
  };
}

/** One method of a group: its threads alone, summed in thrpt and averaged otherwise, then the mean of the iterations. */
function groupMethod(trial: Trial, label: string): Score | null {
  return overForks(trial, ({ iterations }) =>
    overIterations(
      iterations.map(({ threads }) => {
        const own = threads!.filter((thread) => thread.label === label);
        return overThreads(
          trial,
          own.map(({ ops, elapsedNs }) => rate(trial, ops, elapsedNs)),
        );
      }),
    ),
  );
}

/** JMH's list and names. */
const PERCENTILES: readonly (readonly [name: string, p: number])[] = [
  ['p0.00', 0],
  ['p0.50', 0.5],
  ['p0.90', 0.9],
  ['p0.95', 0.95],
  ['p0.99', 0.99],
  ['p0.999', 0.999],
  ['p0.9999', 0.9999],
  ['p1.00', 1],
];

/** Value of the sample with rank ceil(p x total), as the lower edge of its bucket (0.1 % wide); ends are exact. */
function percentile(buckets: readonly (readonly [number, number])[], total: number, p: number): number {
  const rank = Math.max(1, Math.ceil(p * total));
  let seen = 0;
  for (const [edge, count] of buckets) {
    seen += count;
    if (seen >= rank) return edge;
  }
  return buckets[buckets.length - 1]![0];
}

function percentiles(trial: Trial): Record<string, Score> {
  const histograms = goodForks(trial)
    .flatMap(({ iterations }) => iterations.map(({ histogram }) => histogram))
    .filter((histogram): histogram is HistogramData => histogram !== null);
  const total = sum(histograms.map((histogram) => histogram.total));
  if (total === 0) return {};
  const buckets = histograms.flatMap((histogram) => histogram.buckets).sort(([a], [b]) => a - b);
  const scale = 1 / NS_PER[unitOf(trial)];
  const min = Math.min(...histograms.map((histogram) => histogram.min)) * scale;
  const max = Math.max(...histograms.map((histogram) => histogram.max)) * scale;
  const score = (value: number): Score => ({
    value,
    unit: scoreUnit(trial.mode, unitOf(trial)),
    better: 'lower',
    error: null,
    interval: null,
    confidence: DEFAULT_CONFIDENCE,
    method: 'percentile of all samples',
    level: 'sample',
    n: total,
    min,
    max,
    status: 'ok',
  });
  return Object.fromEntries(
    PERCENTILES.map(([name, p]) => {
      const inside = Math.min(max, Math.max(min, percentile(buckets, total, p) * scale));
      return [name, score(p === 0 ? min : p === 1 ? max : inside)];
    }),
  );
}

/**
 * Secondary scores of a trial by name, in JMH's naming. Empty for a trial without a headline: what is wrong with the trial
 * is wrong with these too. A counter of kind `operations` that counted nothing has no time per op and is left out in avgt.
 */
export function secondaryScores(trial: Trial): Record<string, Score> {
  if (trial.score === null) return {};
  const scores: Record<string, Score> = {};
  const add = (name: string, score: Score | null) => {
    if (score !== null) scores[name] = score;
  };
  const labels = new Set(
    trial.forks.flatMap(({ iterations }) => iterations[0]?.threads?.map(({ label }) => label) ?? []),
  );
  for (const label of labels) if (label !== null) add(label, groupMethod(trial, label));
  if (trial.mode === 'sample') Object.assign(scores, percentiles(trial));
  for (const [name, kind] of Object.entries(trial.counters ?? {})) {
    add(name, kind === 'events' ? events(trial, name) : operations(trial, name));
  }
  return scores;
}
