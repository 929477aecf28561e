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
export { DEFAULT_DELTA, type Decision, decide, type Reading, type Verdict } from './decision.js';
export { type MeanDifference, meanDifference } from './difference.js';
export {
  type DivisiveChange,
  type DivisiveOptions,
  type EnergyRange,
  type EnergySplit,
  eDivisive,
  energySplit,
} from './energy.js';
export { type HarrellDavis, harrellDavis } from './harrell-davis.js';
export {
  HISTORY_MIN_SEGMENT,
  type HistoryChange,
  type HistoryOptions,
  historyChanges,
  type WelchTest,
  welchTest,
} from './history-changes.js';
export { gaussianDensity, silvermanBandwidth } from './kernel-density.js';
export {
  type ChangeRule,
  type CumulativeCov,
  cumulativeCov,
  klDivergence,
  klSimilarity,
  sampleSimilarity,
  similarityRule,
} from './laaber.js';
export {
  type CumulativeWidth,
  cumulativeWidth,
  type ThinnedSample,
  type ThinOptions,
  thinSample,
  type WidthCriterion,
} from './laaber-width.js';
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
export { type AdjustedVerdict, bonferroni, bonferroniConfidence, holm, holmVerdicts } from './multiplicity.js';
export { minimumCountForUpperLimit, type OrderStatisticInterval, orderStatisticInterval } from './order-statistic.js';
export {
  type RollingOptions,
  type RollingOutliers,
  rollingOutliers,
  type TukeyOutliers,
  tukeyOutliers,
} from './outliers.js';
export { type PermutationOptions, type PermutationResult, permutationTest, signFlipTest } from './permutation.js';
export { type PooledState, type PooledTrend, pooledState, pooledTrend } from './pooled-state.js';
export { type Generator, mulberry32, type Random, random, shuffle, xoshiro128 } from './prng.js';
export {
  DEFAULT_QUANTILE,
  JMH_QUANTILE,
  median,
  NEAREST_RANK,
  type QuantileType,
  quantile,
  quantileSorted,
} from './quantile.js';
export { EXACT_LIMIT, type HodgesLehmann, hodgesLehmannRatio, type MannWhitney, mannWhitney } from './rank.js';
export {
  type BcaCorrection,
  type BootstrapOptions,
  type BootstrapRatio,
  FEW_GROUPS,
  ratioBootstrap,
} from './ratio/bootstrap.js';
export { type FiellerLimits, type FiellerOptions, fiellerLimits, ratioFieller } from './ratio/fieller.js';
export { ratioLogDelta, ratioLogMeans } from './ratio/means.js';
export { type DuetRun, ratioDuet, ratioPaired } from './ratio/paired.js';
export {
  type GroupQuantileInterval,
  groupQuantileInterval,
  groupQuantiles,
  type QuantileOptions,
  type QuantileShift,
  ratioQuantiles,
  SHIFT_QUANTILES,
  shiftFunction,
} from './ratio/quantiles.js';
export type { Resample, Statistic } from './ratio/resample.js';
export { geometricMeanRatio, type SummaryRow } from './ratio/summary.js';
export type { Better, NoRatioInterval, Ratio, RatioInterval, RatioMethod, RatioOptions } from './ratio/types.js';
export {
  costPerTopUnit,
  type Plan,
  type PlanBudget,
  type PlanShape,
  type PlanTarget,
  planForCost,
  planForHalfWidth,
  planWithCounts,
} from './replication-plan.js';
export { type Count, unitsForMean, unitsForRatio, unitsForVerdict } from './sample-size.js';
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
export { type WilcoxonSignedRank, wilcoxonSignedRank } from './signed-rank.js';
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
  type Look,
  POCOCK_LEVELS,
  pocockConfidence,
  type SteinCount,
  type SteinInterval,
  steinCount,
  steinInterval,
  type WidthDecision,
  type WidthRule,
  widthRule,
} from './stopping.js';
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
export {
  type Components,
  type Intraclass,
  intraclass,
  type Nested,
  varianceComponents,
} from './variance-components.js';
