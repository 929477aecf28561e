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
export { mean, sd, variance } from './moments.js';
export { type Generator, mulberry32, type Random, random, shuffle, xoshiro128 } from './prng.js';
export { balancedPairSchedule, rmitSchedule } from './schedule.js';
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
