/** Scores beside the headline: declared counters, the methods of a group, percentiles of samples. */
import type { Fork, HistogramData, Score, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import { betterOf, DEFAULT_CONFIDENCE, scoreOf, scoreUnit } from './score.js';
import { eventsOf, secondaryMetrics } from './secondary-metrics.js';
import { goodForks } from './trial-series.js';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const unitOf = (trial: Trial) => trial.options.unit?.value as TimeUnit;

/** A score over forks; null as soon as one fork has none: the others would stand for it silently. */
function overForks(trial: Trial, of: (fork: Fork) => number | null): Score | null {
  const values = goodForks(trial).map(of);
  if (values.some((value) => value === null)) return null;
  return scoreOf(values as number[], scoreUnit(trial.mode, unitOf(trial)), betterOf(trial.mode));
}

/** `events`: JMH's sum over threads, iterations and forks; a sum has no interval. */
function events(trial: Trial, name: string): Score | null {
  const sums = goodForks(trial).map((fork) => eventsOf(fork, name));
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
  const metrics = secondaryMetrics(trial);
  for (const { name, of } of metrics.filter(({ kind }) => kind === 'group')) add(name, overForks(trial, of));
  if (trial.mode === 'sample') Object.assign(scores, percentiles(trial));
  for (const { name, kind, of } of metrics) {
    if (kind !== 'group') add(name, kind === 'events' ? events(trial, name) : overForks(trial, of));
  }
  return scores;
}
