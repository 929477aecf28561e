import test from 'ava';
import {
  cumulativeCov,
  gaussianDensity,
  klDivergence,
  klSimilarity,
  meanInterval,
  pocockConfidence,
  sampleSimilarity,
  silvermanBandwidth,
  similarityRule,
  steinCount,
  steinInterval,
  unitsForMean,
  widthRule,
} from '#lib/stats/index.js';
import { normals } from './simulate.js';
import { close, sets } from './vectors.js';

test("Stein's count answers the vector, and asks for more than the plan that hopes", (t) => {
  const set = sets.j_stein;
  const got = steinCount(set.pilot, set.target_half);
  t.is(got.status, 'ok');
  t.is(got.n, set.N);
  close(t, got.sd, set.s0, 's0');
  close(t, got.t, set.t, 't');
  t.true(got.n! > unitsForMean(set.s0, set.target_half).n!);
  t.is(steinCount(set.pilot, 1e6).n, 5, 'never fewer than the pilot');
  t.deepEqual(steinCount([1, 2], 1), { status: 'too-few', n: null, sd: null, t: null });
  t.is(steinCount([2, 2, 2], 1).status, 'constant');
  t.is(steinCount([1, 2, 3], 1e-12).status, 'out-of-reach');
});

test("Stein's interval: mean of all, width from the pilot; covers 95 % and reaches the width", (t) => {
  const same = steinInterval([1, 2, 4], 3);
  close(t, same.halfWidth, meanInterval([1, 2, 4]).halfWidth!, 'pilot only');
  t.is(steinInterval([1, 2, 4], 2).status, 'too-few');
  t.is(steinInterval([2, 2, 2, 3], 3).status, 'constant');
  const { next } = normals(15);
  let covered = 0;
  const draws = 3000;
  for (let d = 0; d < draws; d++) {
    const values = Array.from({ length: 5 }, () => 100 + next());
    const { n } = steinCount(values, 0.8);
    while (values.length < n!) values.push(100 + next());
    const got = steinInterval(values, 5);
    if (got.low! <= 100 && 100 <= got.high!) covered++;
    if (!(got.halfWidth! <= 0.8 * (1 + 1e-12))) t.fail(`half-width ${got.halfWidth}`);
  }
  t.true(covered / draws >= 0.94 && covered / draws <= 0.965, `${covered} of ${draws}`);
});

test('Pocock levels hold 5 % over five looks where unguarded looks do not', (t) => {
  t.deepEqual(
    [2, 3, 4, 5].map((k) => Math.round((1 - pocockConfidence(k)) * 1e4) / 1e4),
    [0.0294, 0.0221, 0.0182, 0.0158],
  );
  const { next } = normals(21);
  const alarms = [0, 0];
  const draws = 3000;
  for (let d = 0; d < draws; d++) {
    const values: number[] = [];
    const hit = [false, false];
    for (let look = 1; look <= 5; look++) {
      while (values.length < 10 * look) values.push(next());
      for (const [i, level] of [pocockConfidence(5), 0.95].entries()) {
        const { low, high } = meanInterval(values, level);
        if (low! > 0 || high! < 0) hit[i] = true;
      }
    }
    for (const i of [0, 1]) if (hit[i]) alarms[i]!++;
  }
  t.log(
    `false alarms over five looks: Pocock ${(100 * alarms[0]!) / draws} %, unguarded ${(100 * alarms[1]!) / draws} %`,
  );
  t.true(alarms[0]! / draws < 0.065, `${alarms[0]}`);
  t.true(alarms[1]! / draws > 0.1, `${alarms[1]}`);
  t.throws(() => pocockConfidence(6), { instanceOf: RangeError });
  t.throws(() => pocockConfidence(1), { instanceOf: RangeError });
});

test('width rule: minimum, spacing, two looks running, never the estimate', (t) => {
  const rule = { target: 1 };
  const look = (n: number, halfWidth: number | null) => ({ n, halfWidth });
  t.deepEqual(widthRule([], rule), { stop: false, met: 0, nextLook: 10 });
  t.deepEqual(widthRule([look(5, 0.1), look(9, 0.1)], rule), { stop: false, met: 0, nextLook: 10 });
  t.deepEqual(widthRule([look(10, 0.9)], rule), { stop: false, met: 1, nextLook: 15 });
  t.deepEqual(widthRule([look(10, 0.9), look(12, 0.1), look(15, 1)], rule), { stop: true, met: 2, nextLook: null });
  t.deepEqual(widthRule([look(10, 0.9), look(15, 1.1), look(20, 0.9)], rule), { stop: false, met: 1, nextLook: 25 });
  t.deepEqual(widthRule([look(10, 0.9), look(20, 0.9)], rule), { stop: false, met: 1, nextLook: 25 });
  t.deepEqual(widthRule([look(10, null), look(15, 0.5)], rule).met, 1);
  t.true(widthRule([look(3, 0.5)], { target: 1, minimum: 3, every: 1, consecutive: 1 }).stop);
  t.throws(() => widthRule([], { target: 0 }), { instanceOf: RangeError });
  t.throws(() => widthRule([], { target: 1, every: 0 }), { instanceOf: RangeError });
  t.throws(() => widthRule([look(15, 2), look(10, 2)], rule), { instanceOf: RangeError });
});

test('CoV of everything so far answers the vector: it stops at its first chance', (t) => {
  const set = sets.j_laaber_cov;
  const got = cumulativeCov(set.iterations, { threshold: set.threshold });
  for (const [i, want] of set.cumulative_cov.entries()) close(t, got.cov[i], want, `cov ${i}`);
  for (const [i, want] of set.max_delta_window5.entries()) {
    if (want === null) t.is(got.change[i], null);
    else close(t, got.change[i], want, `change ${i}`);
  }
  t.is(got.stopAfter, set.stop_after_iteration);
  t.is(cumulativeCov(set.iterations, { threshold: 1e-9 }).stopAfter, null);
  t.deepEqual(cumulativeCov([[0], [0]]).cov, [null, null]);
  t.throws(() => cumulativeCov(set.iterations, { window: 1 }), { instanceOf: RangeError });
});

test('divergence and similarity answer the vector', (t) => {
  const { p, q, kl_pq_nat, kl_qp_nat, score } = sets.j_kl;
  close(t, klDivergence(p, q), kl_pq_nat, 'p q');
  close(t, klDivergence(q, p), kl_qp_nat, 'q p');
  close(t, klSimilarity(p, q), score, 'score');
  t.is(klSimilarity(p, p), 1);
  close(t, klDivergence([1, 4, 5], q), kl_pq_nat, 'weights are normalised');
  t.is(klDivergence([1, 1], [1, 0]), Infinity);
  t.is(klDivergence([1, 0], [1, 1]), Math.LN2);
  t.throws(() => klDivergence([1], [1, 2]), { instanceOf: RangeError });
  t.throws(() => klDivergence([0, 0], [1, 2]), { instanceOf: RangeError });
  t.throws(() => klDivergence([-1, 2], [1, 2]), { instanceOf: RangeError });
});

test('densities integrate to one; like samples are similar, shifted ones are not', (t) => {
  const { next } = normals(3);
  const sample = (shift: number) => Array.from({ length: 400 }, () => shift + next());
  const a = Float64Array.from(sample(0)).sort();
  const grid = Array.from({ length: 2001 }, (_, i) => -10 + i / 100);
  t.true(Math.abs(gaussianDensity(a, grid).reduce((sum, x) => sum + x / 100, 0) - 1) < 1e-6);
  // Silverman by hand: IQR zero falls back on sd.
  close(t, silvermanBandwidth([1, 2, 2, 2, 3]), 0.9 * Math.sqrt(0.5) * 5 ** -0.2, 'bandwidth');
  const [like, shifted] = [sampleSimilarity(sample(0), sample(0)), sampleSimilarity(sample(0), sample(2))];
  t.true(like.score! > 0.9 && like.score! <= 1, `${like.score}`);
  t.true(shifted.score! < 0.3, `${shifted.score}`);
  const far = sampleSimilarity(sample(0), sample(1e6));
  t.true(far.score! >= 0 && far.score! < 1e-3);
  t.deepEqual(sampleSimilarity([1, 1], [1, 1]), { status: 'constant', score: 1 });
  t.deepEqual(sampleSimilarity([1, 1], [1, 2]), { status: 'constant', score: 0 });
  t.deepEqual(sampleSimilarity([1], [1, 2]), { status: 'too-few', score: null });
  t.true(similarityRule([0, 0.995, 0.995, 0.995, 0.995, 0.995]));
  t.false(similarityRule([0.9, 0.995, 0.995, 0.995, 0.995]));
  t.false(similarityRule([1, 1, 1, 1]));
  t.true(similarityRule([0.995], 1));
  t.throws(() => gaussianDensity([1, 2], [0], 0), { instanceOf: RangeError });
  t.throws(() => silvermanBandwidth([1]), { instanceOf: RangeError });
  t.throws(() => similarityRule([1], 0), { instanceOf: RangeError });
});
