import { checkPositive, checkValues } from './check.js';
import { meanOf, varianceOf } from './moments.js';
import { checkAscending, quantileSorted } from './quantile.js';

/**
 * Silverman's rule of thumb for a Gaussian kernel: 0.9 min(sd, IQR / 1.34) n^(-1/5); sd alone where the IQR is zero. Ascending values.
 * @throws TypeError for what is no array of numbers; RangeError for fewer than two values and values that are not finite or do not ascend
 */
export function silvermanBandwidth(sortedValues: ArrayLike<number>): number {
  checkAscending('silvermanBandwidth', sortedValues);
  const n = sortedValues.length;
  if (n < 2) throw new RangeError('silvermanBandwidth: needs at least two values');
  const sd = Math.sqrt(varianceOf(sortedValues, meanOf(sortedValues)));
  const iqr = quantileSorted(sortedValues, 0.75) - quantileSorted(sortedValues, 0.25);
  return 0.9 * (iqr > 0 ? Math.min(sd, iqr / 1.34) : sd) * n ** -0.2;
}

/**
 * Gaussian kernel density at each point of the grid (ascending values with spread), in 1 / unit of the values.
 * @throws TypeError for what is no array of numbers; RangeError for an empty one, values that are not finite or do not ascend and a
 * bandwidth that is not above 0
 */
export function gaussianDensity(
  sortedValues: ArrayLike<number>,
  grid: ArrayLike<number>,
  bandwidth = silvermanBandwidth(sortedValues),
): Float64Array {
  checkAscending('gaussianDensity', sortedValues);
  checkValues('grid', grid);
  checkPositive('bandwidth', bandwidth);
  const n = sortedValues.length;
  const scale = 1 / (n * bandwidth * Math.sqrt(2 * Math.PI));
  return Float64Array.from(grid, (x) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.exp(-0.5 * ((x - sortedValues[i]!) / bandwidth) ** 2);
    return sum * scale;
  });
}
