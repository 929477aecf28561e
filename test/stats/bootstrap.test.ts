import test from 'ava';
import fc from 'fast-check';
import { mulberry32, quantile, ratioBootstrap } from '#lib/stats/index.js';
import { type Resample, Sampler } from '#lib/stats/ratio/resample.js';
import { select, selectQuantile } from '#lib/stats/select.js';
import { close, closeAll, sets } from './vectors.js';

const set = sets.c_bootstrap;
const [cand, base]: number[][][] = [sets.data.cand5x10, sets.data.base5x10];
const options = { seed: set.seed, replicates: set.B, generator: 'mulberry32' } as const;

for (const mode of ['top', 'all'] as const) {
  test(`${mode}: replicates, percentile and BCa limits are those of the vectors`, (t) => {
    const want = set.modes[mode];
    const rng = mulberry32(set.seed);
    const [c, b] = [new Sampler(cand!, 'mean'), new Sampler(base!, 'mean')];
    const first = Array.from({ length: 3 }, () => {
      const below = b.replicate(rng, mode as Resample);
      return c.replicate(rng, mode as Resample) / below;
    });
    closeAll(t, first, want.first3, 'first replicates', 1e-14);
    const percentile = ratioBootstrap(cand!, base!, { ...options, resample: mode });
    t.is(percentile.status, 'ok');
    closeAll(t, [percentile.low!, percentile.high!], want.percentile95, 'percentile', 1e-14);
    close(t, percentile.replicateSd, want.boot_sd, 'sd', 1e-12);
    const bca = ratioBootstrap(cand!, base!, { ...options, resample: mode, interval: 'bca' });
    closeAll(t, [bca.low!, bca.high!], want.bca95, 'BCa', 1e-14);
    close(t, bca.correction!.z0, want.z0, 'z0', 1e-12);
    close(t, bca.correction!.acceleration, want.a, 'acceleration', 1e-12);
    closeAll(t, bca.correction!.alphas, [want.alpha1, want.alpha2], 'alphas', 1e-12);
    t.is(bca.warning, 'few-groups');
    t.is(bca.seed, 12345);
    close(t, bca.ratio, sets.c_ratio.ratio, 'ratio');
  });
}

test('a statistic of quantiles: interval around the ratio of medians, from whole groups and from redrawn values', (t) => {
  for (const resample of ['top', 'all'] as const) {
    const got = ratioBootstrap(cand!, base!, {
      seed: 1,
      replicates: 500,
      resample,
      statistic: { quantile: 0.5 },
      interval: 'bca',
    });
    t.is(got.status, 'ok', resample);
    close(t, got.ratio, quantile(cand!.flat(), 0.5) / quantile(base!.flat(), 0.5), 'ratio of medians', 1e-15);
    t.true(got.low! < got.ratio! && got.ratio! < got.high!);
  }
});

test('higher is better: the same draws, the ratio turned round', (t) => {
  const lower = ratioBootstrap(cand!, base!, { ...options });
  const higher = ratioBootstrap(cand!, base!, { ...options, better: 'higher' });
  close(t, higher.ratio, 1 / lower.ratio!, 'ratio');
  close(t, higher.low, 1 / lower.high!, 'low');
  close(t, higher.high, 1 / lower.low!, 'high');
});

test('groups may differ in size; scaling changes nothing; the seed decides', (t) => {
  const ragged = [[1, 2, 3], [2, 3], [4], [3, 3, 3, 2]];
  const other = [[5, 4], [6, 5, 5], [4, 4.5], [5]];
  const got = ratioBootstrap(ragged, other, { seed: 9, replicates: 400, resample: 'all' });
  t.is(got.status, 'ok');
  const scaled = ratioBootstrap(
    ragged.map((group) => group.map((x) => x * 1000)),
    other.map((group) => group.map((x) => x * 1000)),
    { seed: 9, replicates: 400, resample: 'all' },
  );
  close(t, scaled.low, got.low!, 'low');
  close(t, scaled.high, got.high!, 'high');
  t.deepEqual(got, ratioBootstrap(ragged, other, { seed: 9, replicates: 400, resample: 'all' }));
  t.not(got.low, ratioBootstrap(ragged, other, { seed: 10, replicates: 400, resample: 'all' }).low);
});

test('few, equal, zero: a status', (t) => {
  t.is(ratioBootstrap([[1], [2]], [[1], [2]], { seed: 1 }).status, 'too-few');
  const constant = ratioBootstrap(
    [
      [2, 2],
      [2, 2],
      [2, 2],
    ],
    [[4], [4], [4]],
    { seed: 1, interval: 'bca' },
  );
  t.is(constant.status, 'constant');
  t.deepEqual([constant.low, constant.high], [0.5, 0.5]);
  t.is(ratioBootstrap([[1, 0], [2], [3]], [[1], [2], [3]], { seed: 1 }).status, 'not-positive');
  // The median of every resample is 1 or larger: nothing below the estimate, so no bias correction exists.
  const lopsided = [
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 5],
  ];
  const steady = ratioBootstrap(lopsided, [[1], [1], [1]], {
    seed: 1,
    replicates: 100,
    interval: 'bca',
    statistic: { quantile: 0 },
  });
  t.is(steady.status, 'constant');
  const ten = Array.from({ length: 10 }, (_, i) => [i + 1]);
  t.is(ratioBootstrap(ten, ten, { seed: 1, replicates: 100 }).warning, null);
  const edge = ratioBootstrap(
    [
      [1, 9],
      [2, 9],
      [3, 9],
      [4, 9],
    ],
    [[1], [1], [1]],
    {
      seed: 1,
      replicates: 100,
      interval: 'bca',
      statistic: { quantile: 1 },
    },
  );
  t.is(edge.status, 'constant');
  const top = ratioBootstrap([[1], [2], [9]], [[1], [1], [1]], {
    seed: 1,
    replicates: 100,
    interval: 'bca',
    statistic: { quantile: 1 },
  });
  t.false(Number.isNaN(top.low ?? 0));
});

test('misuse', (t) => {
  t.throws(() => ratioBootstrap(cand!, base!, { seed: 1, replicates: 10 }), { instanceOf: RangeError });
  t.throws(() => ratioBootstrap(cand!, base!, { seed: 0.5 }), { instanceOf: RangeError });
  t.throws(() => ratioBootstrap(cand!, base!, { seed: 1, resample: 'both' as 'all' }), { instanceOf: TypeError });
  t.throws(() => ratioBootstrap(cand!, base!, { seed: 1, interval: 'basic' as 'bca' }), { instanceOf: TypeError });
  t.throws(() => ratioBootstrap(cand!, base!, { seed: 1, statistic: { quantile: 50 } }), { instanceOf: TypeError });
  t.throws(() => ratioBootstrap([], base!, { seed: 1 }), { instanceOf: RangeError });
});

test('selection in place gives what sorting gives', (t) => {
  const values = fc.array(fc.oneof(fc.double({ noNaN: true, min: -5, max: 5 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (list, p, k) => {
      const index = k % list.length;
      const sorted = list.toSorted((a, b) => a - b);
      return (
        select(Float64Array.from(list), list.length, index) === sorted[index]! &&
        selectQuantile(Float64Array.from(list), list.length, p) === quantile(list, p)
      );
    }),
    { seed: 5, numRuns: 300 },
  );
  t.pass();
});
