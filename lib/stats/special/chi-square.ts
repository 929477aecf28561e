import { gammaP, gammaQ, logGammaSlope, logIncompleteGamma } from './gamma.js';

const checkDf = (name: string, df: number) => {
  if (!(df > 0 && df < Infinity)) throw new RangeError(`${name}: df must be positive and finite, got ${df}`);
};

/**
 * Chi-square cumulative distribution, `df` > 0; 0 for x <= 0.
 * @throws RangeError for an x that is NaN and a `df` that is not above 0 and finite
 */
export function chiSquareCdf(x: number, df: number): number {
  checkDf('chiSquareCdf', df);
  if (Number.isNaN(x)) throw new RangeError('chiSquareCdf: x is NaN');
  return x <= 0 ? 0 : gammaP(df / 2, x / 2);
}

/**
 * Upper tail of the chi-square distribution (the p-value of a statistic), accurate for tiny values.
 * @throws RangeError for an x that is NaN and a `df` that is not above 0 and finite
 */
export function chiSquareSurvival(x: number, df: number): number {
  checkDf('chiSquareSurvival', df);
  if (Number.isNaN(x)) throw new RangeError('chiSquareSurvival: x is NaN');
  return x <= 0 ? 1 : gammaQ(df / 2, x / 2);
}

/**
 * Chi-square quantile, 0 < p < 1. Newton on ln(tail) against ln x, which is concave.
 * @throws RangeError for a p outside (0, 1) and a `df` that is not above 0 and finite
 */
export function chiSquareQuantile(p: number, df: number): number {
  checkDf('chiSquareQuantile', df);
  if (!(p > 0 && p < 1)) throw new RangeError(`chiSquareQuantile: p must lie strictly between 0 and 1, got ${p}`);
  const a = df / 2;
  const lower = p <= 0.5;
  const target = Math.log(lower ? p : 1 - p);
  let u = Math.log(a);
  for (let i = 0; i < 200; i++) {
    const x = Math.exp(u);
    const tail = logIncompleteGamma(a, x)[lower ? 0 : 1];
    const step = Math.min(20, Math.max(-20, (target - tail) / Math.exp(logGammaSlope(a, x) - tail)));
    u += lower ? step : -step;
    if (Math.abs(step) < 1e-8) break; // quadratic: the next would be 1e-16
  }
  return 2 * Math.exp(u);
}
