import type { Fork, Trial } from '../result/model.js';
import type { PooledState } from '../stats/pooled-state.js';
import { pooledState } from '../stats/pooled-state.js';
import type { AggregateClass, CommonStart, SeriesClass, WarmupLength } from '../stats/segments.js';
import { aggregateClasses, classifySegments, commonSteadyStart, steadyState, warmupLength } from '../stats/segments.js';
import { goodForks, typicalNs } from './trial-series.js';

/** Share of forks that must be past their warm-up when measurement starts; one fork in ten may have been disturbed. */
export const STEADY_SHARE = 0.9;
/** Values in a fork (warm-up and measured) below which its level over time is not judged. */
export const MIN_SERIES = 6;

/**
 * `steady`: past warm-up and the iterations of a fork look independent. `initialised-dependent`: past warm-up, but iterations depend on
 * each other (the fork mean stays one observation). `trending`: levels are equal, yet the measured iterations still drift.
 * `not-initialised`: still warming up when measurement started, or never settled. `fixed-position`: the same without having
 * settled, but every fork was measured at the same position of its life, which can be compared though it is not a steady time.
 */
export type TrialState = 'steady' | 'initialised-dependent' | 'trending' | 'not-initialised' | 'fixed-position';

export interface ForkSteadiness {
  readonly fork: number;
  /** Class of warm-up and measured iterations together, by means with a relative tolerance. */
  readonly class: SeriesClass;
  /** Barrett's published class of the same series (1 ms, in seconds), for comparison. */
  readonly barrett: SeriesClass;
  /** First steady iteration, counted from the first warm-up iteration; null = never. */
  readonly steadyStart: number | null;
  /** Number of warm-up iterations: where measurement starts. */
  readonly measuredFrom: number;
  /** Time from the first warm-up iteration to the steady start, ns; null = never. */
  readonly toSteadyNs: number | null;
}

export interface Steadiness {
  /** Null when nothing can be said; `reason` says why. */
  readonly state: TrialState | null;
  readonly reason: string;
  readonly class: AggregateClass | null;
  readonly barrett: AggregateClass | null;
  /** The rule behind `class`: a class means nothing without its tolerance. */
  readonly rule: string | null;
  readonly forks: readonly ForkSteadiness[];
  /** The one steady start that 90 % of the forks share. */
  readonly commonStart: CommonStart;
  /** Warm-up length over forks, in iterations and ns. */
  readonly warmupIterations: WarmupLength;
  readonly warmupNs: WarmupLength;
  /** Tests on the measured iterations of all forks. */
  readonly pooled: PooledState | null;
  /** Drift over the measured iterations of a fork relative to its level (Sen); null when not tested. */
  readonly drift: number | null;
}

/** State of a trial: has it settled, and are its iterations independent (Kalibera & Jones 2013, Barrett et al. 2017)? */
export function steadiness(trial: Trial): Steadiness {
  const judged = goodForks(trial).map(forkSteadiness);
  const forks = judged.filter((fork) => fork !== null);
  const starts = forks.map((fork) => fork.result.steadyStart);
  const common = {
    forks: forks.map((fork) => fork.result),
    class: forks.length > 0 ? aggregateClasses(forks.map((fork) => fork.result.class)) : null,
    barrett: forks.length > 0 ? aggregateClasses(forks.map((fork) => fork.result.barrett)) : null,
    rule: forks[0]?.rule ?? null,
    commonStart: commonSteadyStart(starts, STEADY_SHARE),
    warmupIterations: warmupLength(starts),
    warmupNs: warmupLength(forks.map((fork) => fork.result.toSteadyNs)),
  };
  const none = { pooled: null, drift: null };
  if (trial.mode === 'ss') {
    return { state: 'fixed-position', reason: 'single shot measures the first call of a process', ...common, ...none };
  }
  if (forks.length === 0) {
    const reason = `no fork has ${MIN_SERIES} iterations, warm-up included`;
    return { state: null, reason, ...common, ...none };
  }
  // A fork counts as settled when its steady run had begun by the time measurement started.
  const settled = forks.filter((f) => f.result.steadyStart !== null && f.result.steadyStart <= f.result.measuredFrom);
  if (settled.length < STEADY_SHARE * forks.length - 1e-9) {
    const reason = `${settled.length} of ${forks.length} forks had settled when measurement started`;
    const positions = new Set(forks.map((fork) => fork.result.measuredFrom));
    const fixed = positions.size === 1 && goodForks(trial).every((fork) => fork.warmupEnd === 'fixed');
    return { state: fixed ? 'fixed-position' : 'not-initialised', reason, ...common, ...none };
  }
  const pooled = pooledState(settled.map((fork) => fork.measured));
  const drift = relativeDrift(pooled, settled);
  const state = pooled.state === 'independent' ? 'steady' : pooled.state === 'too-short' ? null : pooled.state;
  return { state, reason: reasonOf(pooled), ...common, pooled, drift };
}

interface Judged {
  readonly result: ForkSteadiness;
  readonly rule: string;
  /** Measured iterations relative to their median. */
  readonly measured: readonly number[];
}

function forkSteadiness(fork: Fork): Judged | null {
  const iterations = [...fork.warmup, ...fork.iterations];
  const values = iterations.map(typicalNs);
  // A gap in the series would shift every later index; such a fork is not judged.
  if (values.length < MIN_SERIES || !values.every((value) => value !== null)) return null;
  const found = steadyState(values);
  const barrett = classifySegments(found.segments, { rule: { mode: 'barrett', toSeconds: 1e-9 } });
  const start = found.steadyStart;
  const from = values.slice(fork.warmup.length);
  const level = [...from].sort((a, b) => a - b)[from.length >> 1]!;
  return {
    rule: found.rule,
    measured: from.map((value) => value / level),
    result: {
      fork: fork.index,
      class: found.class,
      barrett: barrett.class,
      steadyStart: start,
      measuredFrom: fork.warmup.length,
      toSteadyNs: start === null ? null : iterations[start]!.startNs - iterations[0]!.startNs,
    },
  };
}

function relativeDrift(pooled: PooledState, forks: readonly Judged[]): number | null {
  if (pooled.trend.status !== 'ok') return null;
  const lengths = forks.map((fork) => fork.measured.length).sort((a, b) => a - b);
  return pooled.trend.slope * (lengths[lengths.length >> 1]! - 1);
}

function reasonOf(pooled: PooledState): string {
  const { trend } = pooled;
  switch (pooled.state) {
    case 'too-short':
      return `${pooled.n} measured iterations in all; 30 are needed to judge them`;
    case 'trending':
      return `measured iterations have a trend (pooled Mann-Kendall p = ${trend.status === 'ok' ? trend.p.toPrecision(2) : '?'})`;
    case 'initialised-dependent':
      return `measured iterations depend on each other (shuffle test p = ${pooled.shuffleP?.toPrecision(2)})`;
    default:
      return 'measured iterations look like a shuffled copy of themselves';
  }
}
