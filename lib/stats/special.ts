export { ibeta, ibetaInverse } from './special/beta.js';
export { binomialCdf } from './special/binomial.js';
export { chiSquareCdf, chiSquareQuantile, chiSquareSurvival } from './special/chi-square.js';
export { gammaP, gammaQ } from './special/gamma.js';
export { normalCdf, normalQuantile } from './special/normal.js';
export { lgamma } from './special/stirling.js';
export { tCdf, tFactor, tQuantile, tTwoSided } from './special/student.js';
