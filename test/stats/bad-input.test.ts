/** Every public function on the data that go wrong in practice: a status or one sentence, never NaN and never another kind of error. */
import test from 'ava';
import * as stats from '#lib/stats/index.js';

type Data = ArrayLike<number>;
/** Calls on one sample of values; a second sample is made from it where the function takes two. */
type Call = (x: Data, other: Data) => unknown;

const groupsOf = (x: Data): number[][] => {
  const list = Array.from(x);
  return list.length === 0 ? [] : [list, list, list];
};
const deep = (x: Data, other: Data) => [Array.from(x), Array.from(other)];
const ascending = (x: Data): number[] => Array.from(x).sort((a, b) => a - b);
const seed = { seed: 1 };
const quick = { seed: 1, replicates: 100 };

/** Functions of samples. */
const SAMPLES: Record<string, Call> = {
  autocorrelation: (x) => stats.autocorrelation(x, 1),
  backlogTrend: (x, y) => stats.backlogTrend({ times: x, backlog: y, rate: 100 }),
  covWindow: (x) => stats.covWindow(x),
  cumulativeCov: (x) => stats.cumulativeCov(groupsOf(x), { window: 2 }),
  cumulativeWidth: (x) => stats.cumulativeWidth(groupsOf(x), { window: 2, replicates: 100 }),
  eDivisive: (x) => stats.eDivisive(x),
  effectiveSize: (x) => stats.effectiveSize(x),
  energySplit: (x) => stats.energySplit(x),
  findChangepoints: (x) => stats.findChangepoints(x),
  gaussianDensity: (x, y) => stats.gaussianDensity(ascending(x), y),
  groupMeanInterval: (x) => stats.groupMeanInterval(groupsOf(x)),
  groupMeans: (x) => stats.groupMeans(groupsOf(x)),
  groupQuantileInterval: (x) => stats.groupQuantileInterval(groupsOf(x), 0.9),
  groupQuantiles: (x) => stats.groupQuantiles(groupsOf(x), 0.9),
  groupsApart: (x) =>
    stats.groupsApart(
      x,
      Array.from(x, () => 0.1),
    ),
  harrellDavis: (x) => stats.harrellDavis(x, 0.5),
  historyChanges: (x) => stats.historyChanges(x),
  hodgesLehmannRatio: (x, y) => stats.hodgesLehmannRatio(x, y),
  inferResolution: (x) => stats.inferResolution(x),
  intraclass: (x) => stats.intraclass(groupsOf(x)),
  klDivergence: (x, y) => stats.klDivergence(x, y),
  klSimilarity: (x, y) => stats.klSimilarity(x, y),
  linearTrend: (x, y) => stats.linearTrend(x, y),
  ljungBox: (x) => stats.ljungBox(x, 1),
  lowlandModes: (x) => stats.lowlandModes(x),
  mValue: (x) => stats.mValue(x),
  mannKendall: (x) => stats.mannKendall(x),
  mannWhitney: (x, y) => stats.mannWhitney(x, y),
  mean: (x) => stats.mean(x),
  meanDifference: (x, y) => stats.meanDifference(x, y),
  meanInterval: (x) => stats.meanInterval(x),
  median: (x) => stats.median(x),
  modality: (x) => stats.modality(x),
  mser: (x) => stats.mser(x),
  orderStatisticInterval: (x) => stats.orderStatisticInterval(x, 0.5),
  permutationTest: (x, y) => stats.permutationTest(x, y, seed),
  planForCost: (x, y) => stats.planForCost(deep(x, y), [1, 10], { cost: 100 }),
  planForHalfWidth: (x, y) => stats.planForHalfWidth(deep(x, y), [1, 10], { halfWidth: 0.1 }),
  planWithCounts: (x, y) => stats.planWithCounts(deep(x, y), [1, 10], [5], { halfWidth: 0.1 }),
  pooledMeanInterval: (x) => stats.pooledMeanInterval(groupsOf(x)),
  pooledState: (x, y) => stats.pooledState([x, y]),
  pooledTrend: (x, y) => stats.pooledTrend([x, y]),
  quantile: (x) => stats.quantile(x, 0.9),
  quantileSorted: (x) => stats.quantileSorted(ascending(x), 0.9),
  ratioBootstrap: (x, y) => stats.ratioBootstrap(groupsOf(x), groupsOf(y), quick),
  'ratioBootstrap (BCa)': (x, y) => stats.ratioBootstrap(groupsOf(x), groupsOf(y), { ...quick, interval: 'bca' }),
  'ratioBootstrap (quantile)': (x, y) =>
    stats.ratioBootstrap(groupsOf(x), groupsOf(y), { ...quick, statistic: { quantile: 0.9 }, resample: 'all' }),
  ratioDuet: (x, y) => stats.ratioDuet([Array.from(x, (b, i) => [b, y[i]!] as const)]),
  ratioFieller: (x, y) => stats.ratioFieller(x, y),
  'ratioFieller (per side)': (x, y) => stats.ratioFieller(x, y, { df: 'per-side' }),
  ratioLogDelta: (x, y) => stats.ratioLogDelta(x, y),
  ratioLogMeans: (x, y) => stats.ratioLogMeans(x, y),
  ratioPaired: (x, y) => stats.ratioPaired(x, y),
  ratioQuantiles: (x, y) => stats.ratioQuantiles(groupsOf(x), groupsOf(y), 0.9),
  rollingOutliers: (x) => stats.rollingOutliers(x, { window: 4 }),
  sampleSimilarity: (x, y) => stats.sampleSimilarity(x, y),
  sd: (x) => stats.sd(x),
  segmentsOf: (x) => stats.segmentsOf(x, []),
  senSlope: (x) => stats.senSlope(x),
  serialState: (x) => stats.serialState(x, 0),
  sessionDrift: (x) =>
    stats.sessionDrift(
      x,
      Array.from(x, (_, i) => i % 2),
    ),
  shiftFunction: (x, y) => stats.shiftFunction(groupsOf(x), groupsOf(y)),
  signFlipTest: (x) => stats.signFlipTest(x, seed),
  silvermanBandwidth: (x) => stats.silvermanBandwidth(ascending(x)),
  slotEffect: (x) =>
    stats.slotEffect(
      x,
      Array.from(x, (_, i) => i % 2),
    ),
  steadyState: (x) => stats.steadyState(x),
  steinCount: (x) => stats.steinCount(x, 0.1),
  steinInterval: (x) => stats.steinInterval(x, Math.min(3, x.length)),
  thinSample: (x) => stats.thinSample(x),
  tukeyOutliers: (x) => stats.tukeyOutliers(x),
  variance: (x) => stats.variance(x),
  varianceComponents: (x) => stats.varianceComponents(groupsOf(x)),
  welchTest: (x, y) => stats.welchTest(x, y),
  wilcoxonSignedRank: (x) => stats.wilcoxonSignedRank(x),
  windowCov: (x) => stats.windowCov(x, x.length, 2),
};

/** Functions of numbers, p-values, segments or seeds: their arguments are looked at in the tests beside them. */
const OTHERS = new Set([
  ...['aggregateClasses', 'balancedPairSchedule', 'binomialCdf', 'bonferroni', 'bonferroniConfidence'],
  ...['chiSquareCdf', 'chiSquareQuantile', 'chiSquareSurvival', 'classifySegments', 'commonSteadyStart'],
  ...['costPerTopUnit', 'decide', 'fiellerLimits', 'gammaP', 'gammaQ', 'geometricMeanRatio', 'holm', 'holmVerdicts'],
  ...['ibeta', 'ibetaInverse', 'impliedConfidence', 'lgamma', 'mergeSegments', 'minimumCountForUpperLimit'],
  ...['mulberry32', 'nextRate', 'normalCdf', 'normalQuantile', 'pocockConfidence', 'random', 'rmitSchedule'],
  ...['shuffle', 'similarityRule', 'tCdf', 'tQuantile', 'tTwoSided', 'unitsForMean', 'unitsForRatio'],
  ...['unitsForVerdict', 'warmupLength', 'widthRule', 'xoshiro128'],
]);

test('every public function is looked at', (t) => {
  const functions = Object.entries(stats).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  const covered = new Set([...Object.keys(SAMPLES).map((name) => name.replace(/ .*/, '')), ...OTHERS]);
  t.deepEqual(functions.sort(), [...covered].sort());
});

/** Paths of all numbers in an answer that are not numbers, and of undefined. */
function holes(value: unknown, path = ''): string[] {
  if (value === undefined) return [`${path} is undefined`];
  if (typeof value === 'number') return Number.isNaN(value) ? [`${path} is NaN`] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array).flatMap((x, i) => holes(x, `${path}[${i}]`));
  return Object.entries(value).flatMap(([key, inner]) => holes(inner, `${path}.${key}`));
}

/** Calls; answers the holes, or the message of what was thrown. */
function tried(call: Call, x: Data, other: Data): { readonly holes: string[]; readonly error: unknown } {
  try {
    return { holes: holes(call(x, other)), error: null };
  } catch (error) {
    return { holes: [], error };
  }
}

// What data can legitimately look like.
const LEGITIMATE: Record<string, Data> = {
  'one value': [5],
  'two values': [5, 6],
  'three values': [5, 6, 7],
  'all equal': [3, 3, 3, 3, 3, 3],
  'all equal, not a whole number': [0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
  'seventy equal': new Float64Array(70).fill(7),
  zeros: [0, 0, 0, 0, 0],
  'a zero': [1, 0, 2, 3, 4, 5],
  negative: [-1, -2, -3, -4, -5, -6],
  'both signs': [-3, 2, -1, 4, 5, -6],
  'sum zero': [-1, 1, -1, 1, -1, 1],
  tiny: [1e-150, 2e-150, 3e-150, 1.5e-150, 1e-150],
  huge: [1e150, 2e150, 3e150, 1.5e150, 1e150],
};

/** What a function may refuse by one sentence although it is data: there is no number to give and its type has no room for a status. */
const MAY_REFUSE: Record<string, RegExp> = {
  variance: /two values/,
  sd: /two values/,
  silvermanBandwidth: /two values/,
  gaussianDensity: /two values|bandwidth/,
  klDivergence: /negative|sum to zero/,
  klSimilarity: /negative|sum to zero/,
  mValue: /negative/,
  sessionDrift: /positive/,
  backlogTrend: /ascend/,
};

for (const [name, call] of Object.entries(SAMPLES)) {
  test(`${name}: data of every shape give a status, never NaN`, (t) => {
    for (const [what, x] of Object.entries(LEGITIMATE)) {
      const other = Array.from(x, (value) => value * 1.5);
      for (const [y, side] of [
        [other, 'scaled'],
        [Array.from(x), 'the same'],
      ] as const) {
        const got = tried(call, x, y);
        t.deepEqual(got.holes, [], `${what}, other side ${side}`);
        if (got.error === null) continue;
        t.true(got.error instanceof RangeError, `${what}: ${got.error}`);
        t.regex((got.error as Error).message, MAY_REFUSE[name] ?? /^$/, what);
      }
    }
  });

  test(`${name}: misuse is a TypeError or RangeError in words`, (t) => {
    const good = [1, 2, 3, 4, 5];
    for (const [what, x] of Object.entries({
      'not a number': [1, Number.NaN, 2, 3],
      infinite: [1, Number.POSITIVE_INFINITY, 2, 3],
      text: ['a', 'b', 'c'] as unknown as Data,
      'missing values': [1, undefined, 3] as unknown as Data,
    })) {
      const { error, holes: found } = tried(call, x, good.slice(0, x.length));
      t.true(error instanceof TypeError || error instanceof RangeError, `${what}: ${error ?? `answered, ${found}`}`);
      // A sentence of ours, not the engine's.
      t.notRegex((error as Error).message, /undefined \(reading|is not (a function|iterable)/, what);
    }
    // No values: one or the other, and nothing else.
    const { error, holes: found } = tried(call, [], []);
    t.deepEqual(found, []);
    t.true(error === null || error instanceof RangeError, `no values: ${error}`);
  });
}

test('unequal lengths are refused where values belong together', (t) => {
  const [long, short] = [
    [1, 2, 3, 4],
    [1, 2, 3],
  ];
  const calls: Record<string, () => unknown> = {
    ratioPaired: () => stats.ratioPaired(long, short),
    linearTrend: () => stats.linearTrend(long, short),
    senSlope: () => stats.senSlope(long, short),
    sessionDrift: () => stats.sessionDrift(long, ['a']),
    slotEffect: () => stats.slotEffect(long, short),
    backlogTrend: () => stats.backlogTrend({ times: long, backlog: short, rate: 1 }),
    groupsApart: () => stats.groupsApart(long, short),
    klDivergence: () => stats.klDivergence(long, short),
  };
  for (const [name, call] of Object.entries(calls)) {
    t.throws(call, { instanceOf: RangeError, message: /length|long|and 3/ }, name);
  }
  // Independent sides and groups of different sizes are not.
  t.is(stats.ratioLogDelta(long, short).status, 'ok');
  t.is(stats.varianceComponents([long, short]).status, 'unbalanced');
  t.is(stats.intraclass([long, short]).status, 'no-group-variance');
});
