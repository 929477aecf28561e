import { harrellDavisAt } from './density-quantile.js';
import { isConstant } from './moments.js';
import type { Series } from './series.js';
import { ascending, assertCount, assertSeries, assertWithin, medianOf, varianceOf } from './series.js';

/** Values below which an m-value says nothing. */
export const MIN_MODALITY = 60;
/** Lowland: share of the rectangle under the lower peak that must be empty for two peaks to be two modes, as its complement. */
export const LOWLAND_SENSITIVITY = 0.5;
/** Gap between two sets of means in units of the median standard deviation within. */
export const GROUP_GAP = 3;

/**
 * m-value of a histogram (Gregg): sum of |h_j - h_{j-1}| over the largest count, padded with 0. 2 is one mode; BenchmarkDotNet
 * reads above 2.8 as "maybe several", 3.2 bimodal, 4.2 multimodal. Null when all counts are 0.
 * @throws RangeError for negative counts
 */
export function mValue(counts: Series): number | null {
  assertSeries(counts, 'counts');
  let sum = 0;
  let largest = 0;
  let before = 0;
  for (let j = 0; j < counts.length; j++) {
    const count = counts[j]!;
    if (count < 0) throw new RangeError(`counts[${j}] must not be negative, got ${count}`);
    sum += Math.abs(count - before);
    largest = Math.max(largest, count);
    before = count;
  }
  return largest === 0 ? null : (sum + before) / largest;
}

/** What an m-value suggests. */
export type Modality =
  | { readonly status: 'ok'; readonly m: number; readonly binWidth: number }
  | { readonly status: 'constant' | 'too-few'; readonly needed?: number };

/**
 * m-value of a sample: histograms from Scott's bin width 3.49 sd n^(-1/3), doubled until one bin is left; the largest m.
 * A hint, since it depends on bins. Needs 60 values.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite
 */
export function modality(values: Series): Modality {
  assertSeries(values);
  const n = values.length;
  if (n < MIN_MODALITY) return { status: 'too-few', needed: MIN_MODALITY };
  if (isConstant(values)) return { status: 'constant' };
  const sorted = ascending(values);
  const [low, high] = [sorted[0]!, sorted[n - 1]!];
  let width = 3.49 * Math.sqrt(varianceOf(values)) * n ** (-1 / 3);
  let best = { m: 2, binWidth: high - low };
  // A sample with one value 10^6 away from the rest would ask for millions of bins; they would all be empty but two.
  while ((high - low) / width > 4096) width *= 2;
  for (; width < high - low; width *= 2) {
    const counts = new Float64Array(Math.floor((high - low) / width) + 1);
    for (const x of sorted) counts[Math.floor((x - low) / width)]!++;
    const m = mValue(counts)!;
    if (m > best.m) best = { m, binWidth: width };
  }
  return { status: 'ok', ...best };
}

/** One mode: where its density peaks and what it spans. */
export interface Mode {
  /** Highest place of the mode, and where it begins and ends. */
  readonly peak: number;
  readonly low: number;
  readonly high: number;
  /** Share of the values in it. */
  readonly share: number;
}

/** Modes found by the lowland method, or why there are none. */
export type LowlandModes =
  | { readonly status: 'ok'; readonly modes: readonly Mode[] }
  | { readonly status: 'constant' | 'too-few'; readonly needed?: number };

/** Bins and sensitivity of the lowland method. */
export interface LowlandOptions {
  /** Bins of equal area, default 100. */
  readonly bins?: number;
  /** Two peaks are separate when area between them / rectangle at the lower peak is below this, default 0.5. */
  readonly sensitivity?: number;
}

/**
 * Modes by the lowland idea (Akinshin): a density histogram whose bins hold equal shares, edges by Harrell-Davis; two
 * neighbouring peaks are separate modes when the land between them is mostly empty below the lower one. Better than m-values on
 * skewed data. Needs 60 values. The numbers depend on order only through ties.
 * @throws TypeError for what is no array of numbers; RangeError for values that are not finite and options out of range
 */
export function lowlandModes(values: Series, options: LowlandOptions = {}): LowlandModes {
  assertSeries(values);
  const { bins = 100, sensitivity = LOWLAND_SENSITIVITY } = options;
  assertCount(bins, 4, 'bins');
  assertWithin(sensitivity, 0, 1, 'sensitivity');
  const n = values.length;
  if (n < MIN_MODALITY) return { status: 'too-few', needed: MIN_MODALITY };
  if (isConstant(values)) return { status: 'constant' };
  const sorted = ascending(values);
  const edges = histogramEdges(sorted, bins);
  const heights = edges.slice(1).map((edge, i) => 1 / (bins * (edge - edges[i]!)));
  const cuts = lowlandCuts(edges, heights, sensitivity);
  const bounds = [0, ...cuts, bins];
  const modes = bounds.slice(1).map((to, k) => {
    const from = bounds[k]!;
    let top = from;
    for (let i = from; i < to; i++) if (heights[i]! > heights[top]!) top = i;
    return {
      peak: (edges[top]! + edges[top + 1]!) / 2,
      low: edges[from]!,
      high: edges[to]!,
      share: (to - from) / bins,
    };
  });
  return { status: 'ok', modes };
}

/** Edges of equal-area bins; tied quantiles are set apart by a thousandth of the mean bin, so that a density stays finite. */
function histogramEdges(sorted: Float64Array, bins: number): number[] {
  const n = sorted.length;
  const least = (sorted[n - 1]! - sorted[0]!) / bins / 1000;
  const edges = Array.from({ length: bins + 1 }, (_, i) => harrellDavisAt(sorted, i / bins));
  for (let i = 1; i <= bins; i++) edges[i] = Math.max(edges[i]!, edges[i - 1]! + least);
  return edges;
}

/** First bin of every mode but the leftmost. */
function lowlandCuts(edges: readonly number[], heights: readonly number[], sensitivity: number): number[] {
  const bins = heights.length;
  const peaks: number[] = [];
  for (let i = 0; i < bins; i++) {
    const rises = i === 0 || heights[i]! > heights[i - 1]!;
    let next = i + 1;
    while (next < bins && heights[next] === heights[i]) next++;
    if (rises && (next === bins || heights[next]! < heights[i]!)) peaks.push(i);
  }
  // Peaks of accepted modes so far, and the cut before each; a new peak swallows lower ones it is not separate from.
  const modes: { peak: number; cut: number }[] = [];
  for (const peak of peaks) {
    let absorbed = false;
    let cut = 0;
    while (modes.length > 0) {
      const before = modes[modes.length - 1]!;
      if (separate(edges, heights, before.peak, peak, sensitivity)) {
        cut = lowest(heights, before.peak, peak);
        break;
      }
      if (heights[before.peak]! >= heights[peak]!) {
        absorbed = true;
        break;
      }
      modes.pop();
    }
    if (!absorbed) modes.push({ peak, cut });
  }
  return modes.slice(1).map((mode) => mode.cut);
}

function separate(edges: readonly number[], heights: readonly number[], a: number, b: number, limit: number): boolean {
  const between = b - a - 1;
  if (between < 1) return false;
  const width = edges[b]! - edges[a + 1]!;
  const area = between / heights.length;
  return area / (width * Math.min(heights[a]!, heights[b]!)) < limit;
}

function lowest(heights: readonly number[], a: number, b: number): number {
  let low = a + 1;
  for (let i = a + 1; i < b; i++) if (heights[i]! < heights[low]!) low = i;
  return low + 1;
}

/** Two groups of values with a gap between them, or that there are none. */
export type GroupsApart =
  | {
      /** `bimodal`: two groups of at least two; `straggler`: one apart from the rest; `one-group`. */
      readonly status: 'bimodal' | 'straggler' | 'one-group';
      /** Largest gap between neighbouring means, and in units of the median standard deviation within (null when that is 0). */
      readonly gap: number;
      readonly gapRatio: number | null;
      /** Indexes of the means below and above the gap; `upper` is empty for one group. */
      readonly lower: readonly number[];
      readonly upper: readonly number[];
    }
  | { readonly status: 'too-few' };

/**
 * Do the means of tight groups of values fall into two groups? The largest gap between sorted means must exceed 3 median
 * standard deviations within, and be wider than either group it leaves, so that evenly scattered means are not called two
 * groups. Needs 4 means..
 * @throws RangeError for unequal lengths and negative deviations
 */
export function groupsApart(means: Series, deviations: Series): GroupsApart {
  assertSeries(means, 'means');
  assertSeries(deviations, 'deviations');
  if (means.length !== deviations.length) throw new RangeError('deviations must be as long as means');
  for (let i = 0; i < deviations.length; i++) {
    if (deviations[i]! < 0) throw new RangeError(`deviations[${i}] must not be negative, got ${deviations[i]}`);
  }
  const n = means.length;
  if (n < 4) return { status: 'too-few' };
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => means[a]! - means[b]! || a - b);
  const at = (rank: number) => means[order[rank]!]!;
  let cut = 1;
  for (let k = 2; k < n; k++) if (at(k) - at(k - 1) > at(cut) - at(cut - 1)) cut = k;
  const gap = at(cut) - at(cut - 1);
  const within = medianOf(deviations);
  const gapRatio = within > 0 ? gap / within : null;
  const wide = gap > GROUP_GAP * within && gap > 0;
  const apart = gap > at(cut - 1) - at(0) && gap > at(n - 1) - at(cut);
  if (!wide || !apart) return { status: 'one-group', gap, gapRatio, lower: order, upper: [] };
  const status = cut >= 2 && n - cut >= 2 ? 'bimodal' : 'straggler';
  return { status, gap, gapRatio, lower: order.slice(0, cut), upper: order.slice(cut) };
}
