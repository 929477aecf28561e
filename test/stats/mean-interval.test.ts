import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import {
  groupMeanInterval,
  groupMeans,
  impliedConfidence,
  meanInterval,
  normalQuantile,
  pooledMeanInterval,
  xoshiro128,
} from '#lib/stats/index.js';
import { close, closeAll, sets } from './vectors.js';

const groups: number[][] = sets.data.base5x10;
const answers = sets.a_mean_ci;

function same(t: ExecutionContext, got: ReturnType<typeof meanInterval>, want: Record<string, number>, what: string) {
  t.is(got.status, 'ok');
  t.is(got.n, want.n!);
  t.is(got.df, want.n! - 1);
  close(t, got.mean, want.mean!, `${what} mean`);
  close(t, got.sd, want.sd!, `${what} sd`);
  close(t, got.halfWidth, want.half!, `${what} half-width`);
  close(t, got.low, want.lo!, `${what} low`);
  close(t, got.high, want.hi!, `${what} high`);
}

test('group means and pooled values answer the vectors', (t) => {
  closeAll(t, groupMeans(groups), answers.fork_means, 'means', 1e-14);
  same(t, groupMeanInterval(groups), answers.fork95, 'groups 95');
  same(t, groupMeanInterval(groups, 0.999), answers.fork999, 'groups 99.9');
  same(t, pooledMeanInterval(groups), answers.jmh_pooled999, 'pooled 99.9');
  same(t, pooledMeanInterval(groups, 0.95), answers.pooled95, 'pooled 95');
  const sd = answers.fork95.sd;
  close(t, impliedConfidence(answers.jmh_pooled999.half, sd, 5), answers.nominal999_implied_coverage, 'implied 99.9');
  close(t, impliedConfidence(answers.pooled95.half, sd, 5), answers.nominal95_implied_coverage, 'implied 95');
});

test("the pooled interval of three values against R's t quantile", (t) => {
  // R: qt(0.9995, 2) = 31.5990545764454.
  const got = pooledMeanInterval([[1, 2], [6]]);
  t.is(got.status, 'ok');
  close(t, got.halfWidth, (31.5990545764454 * Math.sqrt(7)) / Math.sqrt(3), 'half-width');
});

test('one, two and equal values have a status, never NaN', (t) => {
  t.deepEqual(meanInterval([3]), {
    status: 'too-few',
    mean: 3,
    halfWidth: null,
    low: null,
    high: null,
    n: 1,
    sd: null,
    df: 0,
    confidence: 0.95,
  });
  const two = meanInterval([3, 5]);
  t.is(two.status, 'too-few');
  t.is(two.halfWidth, null);
  close(t, two.sd, Math.SQRT2);
  const equal = meanInterval([0.1, 0.1, 0.1]);
  t.deepEqual(equal, {
    status: 'constant',
    mean: 0.1,
    halfWidth: 0,
    low: 0.1,
    high: 0.1,
    n: 3,
    sd: 0,
    df: 2,
    confidence: 0.95,
  });
  t.is(groupMeanInterval([[1, 2], [3], [4, 5, 6]]).n, 3);
});

test('misuse', (t) => {
  t.throws(() => meanInterval([]), { instanceOf: RangeError, message: /no values/ });
  t.throws(() => meanInterval([1, Number.NaN, 2]), { instanceOf: RangeError, message: /value 1 is NaN/ });
  t.throws(() => meanInterval([1, 2, Infinity]), { instanceOf: RangeError });
  t.throws(() => meanInterval(['1', 2, 3] as unknown as number[]), { instanceOf: TypeError });
  t.throws(() => meanInterval(5 as unknown as number[]), { instanceOf: TypeError });
  t.throws(() => meanInterval([1, 2, 3], 95), { instanceOf: RangeError, message: /0\.95/ });
  t.throws(() => groupMeanInterval([]), { instanceOf: RangeError });
  t.throws(() => groupMeanInterval([[1], []]), { instanceOf: RangeError, message: /group 1/ });
  t.throws(() => impliedConfidence(1, 0, 5), { instanceOf: RangeError });
  t.throws(() => impliedConfidence(1, 1, 1), { instanceOf: RangeError });
  t.throws(() => impliedConfidence(-1, 1, 3), { instanceOf: RangeError });
});

const value = fc.double({ min: 0.001, max: 1e6, noNaN: true });

test('properties: unit change scales, order does not matter, equal groups have no width', (t) => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 3, maxLength: 20 }), (values) => {
      const [a, b] = [meanInterval(values), meanInterval(values.map((x) => x * 1000))];
      const scale = Math.max(...values) * 1e-9;
      const c = meanInterval(values.toReversed());
      return (
        Math.abs(b.mean / 1000 - a.mean) <= scale &&
        Math.abs(b.halfWidth! / 1000 - a.halfWidth!) <= scale &&
        Math.abs(c.halfWidth! - a.halfWidth!) <= scale &&
        Math.abs(c.mean - a.mean) <= scale &&
        a.low! <= a.mean &&
        a.mean <= a.high!
      );
    }),
    { seed: 1 },
  );
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 30 }), (x, n) => {
      const got = groupMeanInterval([new Array(n).fill(x), new Array(n).fill(x), new Array(n).fill(x)]);
      return got.status === 'constant' && got.low === x && got.high === x;
    }),
    { seed: 1 },
  );
  t.pass();
});

test('the 95 % interval over 5 groups covers the true mean in 93.5 to 96.5 % of 4,000 draws', (t) => {
  const rng = xoshiro128(20_250_101);
  const normal = () => normalQuantile((rng.u32() + 0.5) / 2 ** 32);
  let covered = 0;
  let pooled = 0;
  const draws = 4000;
  for (let d = 0; d < draws; d++) {
    const sample = Array.from({ length: 5 }, () => {
      const center = 100 + 1.1 * normal();
      return Array.from({ length: 10 }, () => center + 0.8 * normal());
    });
    const a = groupMeanInterval(sample);
    if (a.low! <= 100 && 100 <= a.high!) covered++;
    const b = pooledMeanInterval(sample, 0.95);
    if (b.low! <= 100 && 100 <= b.high!) pooled++;
  }
  t.log(`covered: groups ${(100 * covered) / draws} %, pooled ${(100 * pooled) / draws} % (nominal 95)`);
  t.true(covered / draws >= 0.935 && covered / draws <= 0.965, `${covered} of ${draws}`);
  t.true(pooled / draws < 0.8, 'the pooled interval is too narrow, or the simulation has no groups');
});
