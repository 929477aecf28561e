import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import {
  fiellerLimits,
  geometricMeanRatio,
  groupMeans,
  type Ratio,
  ratioDuet,
  ratioFieller,
  ratioLogDelta,
  ratioLogMeans,
  ratioPaired,
  sd,
} from '#lib/stats/index.js';
import { normals, unitMeans } from './simulate.js';
import { close, relativeError, sets } from './vectors.js';

const base = groupMeans(sets.data.base5x10);
const cand = groupMeans(sets.data.cand5x10);
const answers = sets.c_ratio;

function limits(
  t: ExecutionContext,
  got: Ratio,
  want: { lo: number; hi: number; se?: number; df?: number },
  what: string,
) {
  t.is(got.status, 'ok', what);
  close(t, got.low, want.lo, `${what} low`);
  close(t, got.high, want.hi, `${what} high`);
  if (want.se !== undefined) close(t, got.standardError, want.se, `${what} se`);
  if (want.df !== undefined) close(t, got.df, want.df, `${what} df`);
}

test('log-delta, geometric and both Fieller forms answer the vectors', (t) => {
  const delta = ratioLogDelta(cand, base);
  limits(
    t,
    delta,
    { ...lowHigh(answers.log_delta95), se: answers.log_delta95.se, df: answers.log_delta95.df },
    'delta',
  );
  close(t, delta.ratio, answers.ratio, 'ratio');
  close(t, Math.log(delta.ratio!), answers.log_delta95.log_ratio, 'log ratio');
  const geo = ratioLogMeans(cand, base);
  limits(
    t,
    geo,
    { ...lowHigh(answers.log_forkmeans95), se: answers.log_forkmeans95.se, df: answers.log_forkmeans95.df },
    'logs',
  );
  close(t, geo.ratio, answers.log_forkmeans95.geo_ratio, 'geometric ratio');
  limits(t, ratioFieller(cand, base), answers.fieller_satterthwaite95, 'Fieller');
  limits(t, ratioFieller(cand, base, { df: 'per-side' }), answers.kj_fieller95, 'Fieller per side');
  const [lo, hi] = answers.swap_base_over_cand_fieller;
  limits(t, ratioFieller(cand, base, { df: 'per-side', better: 'higher' }), { lo, hi }, 'Fieller swapped');
  const { h_cand, h_base } = answers.kj_fieller95;
  const raw = fiellerLimits(92.648 * 1.0432, 102.312, h_cand, h_base);
  t.is(raw.status, 'ok');
});

const lowHigh = ({ lo, hi }: { lo: number; hi: number }) => ({ lo, hi });

test('an interval whose denominator reaches zero is unbounded, without numbers', (t) => {
  const { mean_cand, mean_base, h_cand, h_base } = sets.c_ratio_unbounded;
  t.deepEqual(fiellerLimits(mean_cand, mean_base, h_cand, h_base), { status: 'unbounded', low: null, high: null });
  const wild = ratioFieller([10, 11, 12], [0.1, 9, 0.2]);
  t.is(wild.status, 'unbounded');
  t.is(wild.low, null);
  t.is(fiellerLimits(10, 1.2, 1, 1.2).status, 'unbounded');
  t.is(fiellerLimits(10, 1.3, 1, 1.2).status, 'ok');
});

test('Fieller limits solve the quadratic they come from', (t) => {
  const [mc, mb, hc, hb] = [96.6, 102.3, 1.3, 1.5];
  const got = fiellerLimits(mc, mb, hc, hb);
  for (const theta of [got.low!, got.high!]) {
    close(t, (mc - theta * mb) ** 2, hc ** 2 + (theta * hb) ** 2, `theta ${theta}`);
  }
});

test('pairs and duet runs answer the vectors', (t) => {
  const set = sets.c_paired;
  const paired = ratioPaired(set.cand, set.base);
  limits(t, paired, set, 'paired');
  close(t, paired.ratio, set.ratio, 'ratio');
  close(t, Math.log(paired.ratio!), set.log_mean, 'log mean');
  close(t, paired.standardError! * Math.sqrt(10), set.log_sd, 'log sd');
  const unpaired = ratioLogMeans(set.cand, set.base);
  limits(t, unpaired, set.unpaired_for_contrast, 'unpaired');
  // What pairs gain is their correlation: var(x - y) = var(x) + var(y) - 2 cov(x, y).
  const [a, b] = [set.cand, set.base].map((side: number[]) => sd(side.map(Math.log)));
  const covariance = (10 * (unpaired.standardError! ** 2 - paired.standardError! ** 2)) / 2;
  close(t, covariance / (a! * b!), set.corr_log, 'correlation of the logs');
  const duet = sets.c_duet;
  const run = ratioDuet(duet.pairs_base_cand_per_run);
  limits(t, run, duet, 'duet');
  close(t, run.ratio, duet.ratio, 'duet ratio');
  t.is(run.df, 3);
  // A run alone has no interval, but a ratio.
  for (const [i, pairs] of duet.pairs_base_cand_per_run.entries()) {
    close(t, Math.log(ratioDuet([pairs]).ratio!), duet.run_log_ratio[i], `log ratio of run ${i}`);
  }
});

test('geometric mean over rows: closed form, swapped rows cancel', (t) => {
  const one = ratioLogDelta(cand, base);
  t.true(one.status === 'ok');
  if (one.status !== 'ok') return;
  const row = { ratio: one.ratio, standardError: one.standardError!, df: one.df };
  const same = geometricMeanRatio([row]);
  close(t, same.low, one.low, 'one row low');
  close(t, same.high, one.high, 'one row high');
  const both = geometricMeanRatio([row, { ...row, ratio: 1 / row.ratio }]);
  t.true(Math.abs(both.ratio! - 1) < 1e-12);
  close(t, both.standardError, row.standardError / Math.SQRT2, 'se');
  close(t, both.df, 2 * row.df!, 'two equal rows double the df');
  // Normal quantile when every error is known: exp(+-1.959964 * 0.01 / 2) for four rows of 0.01.
  const known = geometricMeanRatio(new Array(4).fill({ ratio: 0.9, standardError: 0.01, df: null }));
  close(t, known.low, 0.9 * Math.exp(-1.959963984540054 * 0.005), 'known errors');
  t.is(geometricMeanRatio([{ ratio: 0, standardError: 0.1, df: 3 }]).status, 'not-positive');
  t.is(geometricMeanRatio([{ ratio: 2, standardError: 0, df: 3 }]).status, 'constant');
  t.throws(() => geometricMeanRatio([]), { instanceOf: RangeError });
  t.throws(() => geometricMeanRatio([{ ratio: 1, standardError: -1, df: 3 }]), { instanceOf: RangeError });
});

test('a cost ratio turns the metric round when higher is better', (t) => {
  const lower = ratioLogDelta(cand, base);
  const higher = ratioLogDelta(cand, base, { better: 'higher' });
  close(t, higher.ratio, 1 / lower.ratio!, 'ratio');
  close(t, higher.low, 1 / lower.high!, 'low');
  t.is(lower.numerator, 'candidate');
  t.is(higher.numerator, 'baseline');
});

const methods = { ratioLogDelta, ratioLogMeans, ratioFieller, ratioPaired };

test('few, equal, zero and negative values have a status, never NaN', (t) => {
  for (const [name, method] of Object.entries(methods)) {
    for (const [c, b, status] of [
      [[1], [2], 'too-few'],
      [[1, 2], [2, 3], 'too-few'],
      [[2, 2, 2], [4, 4, 4], 'constant'],
      [[0, 0, 0], [1, 2, 3], 'not-positive'],
      [[1, 2, 3], [0, 0, 0], 'not-positive'],
      [[-1, -2, -3], [1, 2, 3], 'not-positive'],
    ] as const) {
      const got = method(c, b);
      t.is(got.status, status, `${name} ${JSON.stringify([c, b])}`);
      t.false(Object.values(got).some((value) => typeof value === 'number' && Number.isNaN(value)));
      if (status === 'constant') t.deepEqual([got.ratio, got.low, got.high], [0.5, 0.5, 0.5], name);
      if (status === 'too-few') t.true(got.ratio! > 0 && got.low === null && got.high === null);
    }
  }
  const half = ratioLogDelta([2, 2, 2], [4, 4.1, 3.9]);
  t.is(half.status, 'ok');
  close(t, half.df, 2, 'one constant side leaves the df of the other');
  t.is(ratioDuet([[[1, 2]], [[1, 2]]]).status, 'too-few');
  t.is(ratioDuet([[[1, 0]], [[1, 2]], [[2, 2]]]).status, 'not-positive');
});

test('misuse', (t) => {
  t.throws(() => ratioLogDelta([], [1, 2, 3]), { instanceOf: RangeError, message: /candidate/ });
  t.throws(() => ratioLogDelta([1, 2, 3], [1, Number.NaN, 3]), { instanceOf: RangeError, message: /baseline/ });
  t.throws(() => ratioLogDelta(cand, base, { confidence: 1 }), { instanceOf: RangeError });
  t.throws(() => ratioLogDelta(cand, base, { better: 'faster' as 'lower' }), { instanceOf: TypeError });
  t.throws(() => ratioPaired([1, 2, 3], [1, 2]), { instanceOf: RangeError, message: /equal lengths/ });
  t.throws(() => ratioDuet([]), { instanceOf: RangeError });
  t.throws(() => ratioDuet([[]]), { instanceOf: RangeError, message: /run 0/ });
  t.throws(() => ratioFieller(cand, base, { df: 'welch' as 'per-side' }), { instanceOf: TypeError });
  t.throws(() => fiellerLimits(1, 1, -1, 0), { instanceOf: RangeError });
  t.throws(() => fiellerLimits(Number.NaN, 1, 1, 0), { instanceOf: RangeError });
});

const unit = fc.double({ min: 50, max: 150, noNaN: true });
const units = fc.array(unit, { minLength: 3, maxLength: 12 });
const near = (a: number, b: number, tolerance = 1e-9) => relativeError(a, b) <= tolerance;

function property(name: string, method: (c: readonly number[], b: readonly number[]) => Ratio, paired = false) {
  const samples = paired
    ? fc
        .array(fc.tuple(unit, unit), { minLength: 3, maxLength: 12 })
        .map((pairs) => [pairs.map(([c]) => c), pairs.map(([, b]) => b)] as const)
    : fc.tuple(units, units);
  test(`${name}: reciprocal, free of units, blind to order`, (t) => {
    fc.assert(
      fc.property(samples, ([c, b]) => {
        const got = method(c, b);
        const swapped = method(b, c);
        // Fieller's set is unbounded one way exactly when it reaches zero the other way.
        if (got.status === 'unbounded') return swapped.status === 'unbounded' || swapped.low! <= 0;
        if (swapped.status === 'unbounded') return got.low! <= 0;
        if (got.status !== 'ok' || swapped.status !== 'ok') return got.status === swapped.status;
        const scaled = method(
          c.map((x) => x * 1000),
          b.map((x) => x * 1000),
        );
        const turned = method(c.toReversed(), b.toReversed());
        return (
          near(got.ratio * swapped.ratio, 1) &&
          near(got.low * swapped.high, 1) &&
          near(scaled.ratio!, got.ratio) &&
          near(scaled.low!, got.low, 1e-8) &&
          near(scaled.high!, got.high, 1e-8) &&
          near(turned.low!, got.low, 1e-8) &&
          got.low <= got.ratio &&
          got.ratio <= got.high
        );
      }),
      { seed: 3 },
    );
    t.pass();
  });
}
property('log-delta', ratioLogDelta);
property('log of means', ratioLogMeans);
property('Fieller', ratioFieller);
property('pairs', ratioPaired, true);

test('coverage: log-delta at 5 a side holds the true ratio in 93.5 to 96.5 % of 4,000 draws', (t) => {
  const { next } = normals(4711);
  const draws = 4000;
  let covered = 0;
  for (let d = 0; d < draws; d++) {
    const got = ratioLogDelta(unitMeans(next, 90, 5, 0.011, 0.008, 10), unitMeans(next, 100, 5, 0.011, 0.008, 10));
    if (got.low! <= 0.9 && 0.9 <= got.high!) covered++;
  }
  t.log(`covered ${(100 * covered) / draws} % (nominal 95)`);
  t.true(covered / draws >= 0.935 && covered / draws <= 0.965, `${covered} of ${draws}`);
});
