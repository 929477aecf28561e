export {
  BACKLOG_EPSILON,
  type BacklogInput,
  type BacklogTrend,
  backlogTrend,
  type LinearTrend,
  linearTrend,
  MIN_BLOCKS,
  type NextRate,
  nextRate,
  type RateOutcome,
  type RateSearch,
} from './backlog.js';
export {
  type ChangepointOptions,
  type Changepoints,
  findChangepoints,
  inferResolution,
  PENALTY_PER_LOG_N,
} from './changepoints.js';
export { type CovWindow, covWindow, windowCov } from './cov-window.js';
export {
  type DivisiveChange,
  type DivisiveOptions,
  type EnergyRange,
  type EnergySplit,
  eDivisive,
  energySplit,
} from './energy.js';
export {
  HISTORY_MIN_SEGMENT,
  type HistoryChange,
  type HistoryOptions,
  historyChanges,
  type WelchTest,
  welchTest,
} from './history-changes.js';
export {
  FEW_VALUES,
  groupMeanInterval,
  groupMeans,
  impliedConfidence,
  type MeanInterval,
  MIN_VALUES,
  meanInterval,
  pooledMeanInterval,
} from './mean-interval.js';
export {
  GROUP_GAP,
  type GroupsApart,
  groupsApart,
  LOWLAND_SENSITIVITY,
  type LowlandModes,
  type LowlandOptions,
  lowlandModes,
  MIN_MODALITY,
  type Modality,
  type Mode,
  modality,
  mValue,
} from './modes.js';
export { mean, sd, variance } from './moments.js';
export {
  type RollingOptions,
  type RollingOutliers,
  rollingOutliers,
  type TukeyOutliers,
  tukeyOutliers,
} from './outliers.js';
export { type PooledState, type PooledTrend, pooledState, pooledTrend } from './pooled-state.js';
export { type Generator, mulberry32, type Random, random, shuffle, xoshiro128 } from './prng.js';
export { balancedPairSchedule, rmitSchedule } from './schedule.js';
export {
  type AggregateClass,
  aggregateClasses,
  BARRETT_DELTA_SECONDS,
  type Classification,
  type ClassifyOptions,
  type CommonStart,
  classifySegments,
  commonSteadyStart,
  type EquivalenceRule,
  mergeSegments,
  SEGMENT_TOLERANCE,
  type Segment,
  type SeriesClass,
  type SteadyOptions,
  type SteadyState,
  segmentsOf,
  steadyState,
  TAIL_SHARE,
  type WarmupLength,
  warmupLength,
} from './segments.js';
export {
  type Autocorrelation,
  autocorrelation,
  type EffectiveSize,
  effectiveSize,
  type LjungBox,
  ljungBox,
  type Mser,
  mser,
} from './serial.js';
export {
  INDEPENDENCE_ALPHA,
  MIN_TAIL,
  type SerialState,
  type SerialStateName,
  type SerialStateOptions,
  serialState,
} from './serial-state.js';
export type { Series } from './series.js';
export {
  binomialCdf,
  chiSquareCdf,
  chiSquareQuantile,
  chiSquareSurvival,
  gammaP,
  gammaQ,
  ibeta,
  ibetaInverse,
  lgamma,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
  tTwoSided,
} from './special.js';
export {
  type MannKendall,
  mannKendall,
  type SessionDrift,
  type SlotEffect,
  senSlope,
  sessionDrift,
  slotEffect,
  TREND_ALPHA,
} from './trend.js';
