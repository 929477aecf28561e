/** Nothing depends on how large the numbers are: every interval at any magnitude a double can hold, a status beyond. */
import test from 'ava';
import {
  bonferroniConfidence,
  geometricMeanRatio,
  mean,
  meanDifference,
  meanInterval,
  type Ratio,
  ratioBootstrap,
  ratioFieller,
  ratioLogDelta,
  ratioLogMeans,
  ratioPaired,
  sd,
  steinCount,
  steinInterval,
  unitsForMean,
  unitsForRatio,
  xoshiro128,
} from '#lib/stats/index.js';

const candidate = [96.2, 98.4, 95.9, 96.9, 95.8];
const baseline = [102.7, 100.8, 102.8, 101.4, 103.9];

const groups = (values: readonly number[]) => values.map((value) => [value]);
const RATIOS: Record<string, (c: readonly number[], b: readonly number[], confidence?: number) => Ratio> = {
  'log-delta': (c, b, confidence = 0.95) => ratioLogDelta(c, b, { confidence }),
  'log-means': (c, b, confidence = 0.95) => ratioLogMeans(c, b, { confidence }),
  fieller: (c, b, confidence = 0.95) => ratioFieller(c, b, { confidence }),
  paired: (c, b, confidence = 0.95) => ratioPaired(c, b, { confidence }),
  bootstrap: (c, b, confidence = 0.95) =>
    ratioBootstrap(groups(c), groups(b), { confidence, seed: 1, replicates: 500 }),
  bca: (c, b, confidence = 0.95) =>
    ratioBootstrap(groups(c), groups(b), { confidence, seed: 1, replicates: 500, interval: 'bca' }),
};

const times = (values: readonly number[], factor: number) => values.map((value) => value * factor);
const near = (a: number | null, b: number | null) => Math.abs(a! / b! - 1) < 1e-9;

/** Powers of two, so that scaling itself rounds nothing; at both ends squares, cubes and sums are beyond the range of numbers. */
const FACTORS = [2 ** -1015, 2 ** -700, 2 ** -300, 2 ** 300, 2 ** 700, 2 ** 1015];

test('a ratio of two sides in one unit does not depend on the unit', (t) => {
  for (const [name, ratio] of Object.entries(RATIOS)) {
    const plain = ratio(candidate, baseline);
    for (const factor of FACTORS) {
      const scaled = ratio(times(candidate, factor), times(baseline, factor));
      t.is(scaled.status, 'ok', `${name} at ${factor}`);
      for (const part of ['ratio', 'low', 'high'] as const) t.true(near(scaled[part], plain[part]), `${name} ${part}`);
    }
  }
});

test('a ratio far from 1 has its interval as long as a number can hold it, and is unbounded beyond', (t) => {
  for (const [name, ratio] of Object.entries(RATIOS)) {
    const far = ratio(times(candidate, 2 ** 500), times(baseline, 2 ** -500));
    t.is(far.status, 'ok', name);
    t.true(near(far.low! / 2 ** 1000, ratio(candidate, baseline).low), name);
    for (const [c, b] of [
      [2 ** 1010, 2 ** -1010],
      [2 ** -1010, 2 ** 1010],
    ] as const) {
      const beyond = ratio(times(candidate, c), times(baseline, b));
      t.is(beyond.status, 'unbounded', name);
      t.deepEqual([beyond.ratio, beyond.low, beyond.high], [null, null, null]);
    }
    // Sides that differ by 600 orders of magnitude inside: whatever the status, no NaN and no Infinity.
    const wild = ratio([1e-308, 1e308, 1, 1e-308, 1e308], [1e308, 1e-308, 1, 5, 1e308]);
    t.notRegex(JSON.stringify(Object.values(wild).map(String)), /NaN|-Infinity/, name);
    if (wild.low === null) t.is(wild.status, 'unbounded', name);
    else t.true(wild.low < wild.high && wild.high < Infinity, name);
  }
});

test('means, differences and counts of units at any magnitude', (t) => {
  const plain = meanInterval(baseline);
  const stein = steinInterval(baseline, 3);
  const difference = meanDifference(candidate, baseline);
  for (const factor of FACTORS) {
    const values = times(baseline, factor);
    t.true(near(mean(values) / factor, mean(baseline)));
    t.true(near(sd(values) / factor, sd(baseline)));
    t.true(near(meanInterval(values).halfWidth! / factor, plain.halfWidth), `${factor}`);
    t.true(near(steinInterval(values, 3).halfWidth! / factor, stein.halfWidth));
    t.is(steinCount(values, 0.01 * mean(values)).n, steinCount(baseline, 0.01 * mean(baseline)).n);
    const scaled = meanDifference(times(candidate, factor), values);
    t.true(near(scaled.low! / factor, difference.low) && near(scaled.df, difference.df));
  }
  t.is(mean([1.7e308, 1.6e308, 1.5e308]), 1.6e308);
  t.true(near(sd([1e308, -1e308]), Math.SQRT2 * 1e308));
  const extreme = meanDifference([1.7e308, 1.6e308, 1.5e308], [-1.7e308, -1.6e308, -1.5e308]);
  t.false(Number.isNaN(extreme.low) || Number.isNaN(extreme.high) || Number.isNaN(extreme.df));
  t.is(unitsForRatio(1e200, 1e200, 0.01).status, 'out-of-reach');
  t.is(unitsForRatio(1e-200, 1e-200, 0.01).n, 3);
});

test('the geometric mean weighs degrees of freedom by standard errors of any size', (t) => {
  const rows = (factor: number) => [
    { ratio: 1.1, standardError: 0.01 * factor, df: 4 },
    { ratio: 0.9, standardError: 0.03 * factor, df: 8 },
  ];
  for (const factor of [2 ** -300, 2 ** -100]) {
    t.true(near(geometricMeanRatio(rows(factor)).df, geometricMeanRatio(rows(1)).df), `${factor}`);
  }
});

test('levels so close to 1 that half of the rest vanishes beside them have limits', (t) => {
  const level = 1 - 2 ** -53;
  for (const [name, ratio] of Object.entries(RATIOS)) {
    const found = ratio(candidate, baseline, level);
    // Fieller's denominator reaches zero at such a level.
    if (name === 'fieller') t.is(found.status, 'unbounded');
    else t.true(found.low !== null && found.high < Infinity && found.low < found.high, name);
  }
  t.true(meanInterval(baseline, level).halfWidth! > meanInterval(baseline, 0.999).halfWidth!);
  t.true(unitsForMean(1, 1, level).n! > unitsForMean(1, 1, 0.999).n!);
  t.true(bonferroniConfidence(level, 1000) < 1);
});

/** Share of draws of n forks in which the interval of a mean, and that of the ratio of two sides alike, holds the truth. */
function coverage(n: number, fork: () => number, draws = 4000): { readonly mean: number; readonly ratio: number } {
  const side = () => Array.from({ length: n }, () => 100 * (1 + 0.05 * fork()));
  let [means, ratios] = [0, 0];
  for (let d = 0; d < draws; d++) {
    const [a, b] = [side(), side()];
    const { low, high } = meanInterval(a);
    if (low! <= 100 && 100 <= high!) means++;
    const ratio = ratioLogDelta(a, b);
    if (ratio.low! <= 1 && 1 <= ratio.high!) ratios++;
  }
  return { mean: means / draws, ratio: ratios / draws };
}

test('skewed forks: the interval of a ratio keeps its level, that of a single mean does not (docs/concepts.md)', (t) => {
  const rng = xoshiro128(20);
  const exponential = () => -Math.log(1 - rng.float()) - 1;
  const twoModes = () => (rng.float() < 0.3 ? 0.7 : -0.3) / 0.458 + 0.1 * (rng.float() - 0.5);
  for (const [name, fork, atFive] of [
    ['exponential', exponential, 0.88],
    ['two modes', twoModes, 0.83],
  ] as const) {
    for (const n of [3, 5, 10]) {
      const found = coverage(n, fork);
      t.log(`${name}, ${n} forks: mean ${found.mean * 100} %, ratio ${found.ratio * 100} % (nominal 95)`);
      t.true(found.ratio >= 0.94, `${name}: ratio of ${n} forks covers ${found.ratio}`);
      if (n === 5) t.true(Math.abs(found.mean - atFive) < 0.02, `${name}: mean of 5 forks covers ${found.mean}`);
    }
  }
});
