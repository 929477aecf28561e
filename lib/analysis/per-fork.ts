import type { TimeUnit, Trial } from '../result/model.js';
import { unitFactor } from '../result/units.js';
import { bucketQuantile, mergeBuckets } from './compare/buckets.js';
import { forkScore, scoreUnit } from './score.js';
import { goodForks } from './trial-series.js';

/** What one fork measured, in ns/op, or in ops/s for thrpt. */
export interface ForkValue {
  readonly fork: number;
  readonly ops: number;
  readonly value: number;
  readonly unit: 'ns/op' | 'ops/s';
  /** Nearest-rank percentiles of its samples, ns; sample mode only. */
  readonly percentiles: Readonly<Record<'p50' | 'p90' | 'p99', number>> | null;
}

/** Every fork of a trial that has a score; empty for a trial without one. */
export function perFork(trial: Trial): ForkValue[] {
  if (trial.score === null) return [];
  const own = trial.options.unit?.value as TimeUnit;
  const unit = trial.mode === 'thrpt' ? 'ops/s' : 'ns/op';
  const factor = unitFactor(scoreUnit(trial.mode, own), unit)!;
  return goodForks(trial).flatMap((fork) => {
    const score = forkScore(fork, trial.mode, own);
    if (score === null) return [];
    const histograms = fork.iterations.flatMap(({ histogram }) => (histogram === null ? [] : [histogram.buckets]));
    const buckets = mergeBuckets(histograms);
    const at = (p: number) => bucketQuantile(buckets, p)!;
    return [
      {
        fork: fork.index,
        ops: fork.iterations.reduce((sum, { ops }) => sum + ops, 0),
        value: score * factor,
        unit,
        percentiles: buckets.length === 0 ? null : { p50: at(0.5), p90: at(0.9), p99: at(0.99) },
      },
    ];
  });
}
