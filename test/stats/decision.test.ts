import test from 'ava';
import fc from 'fast-check';
import {
  bonferroni,
  bonferroniConfidence,
  decide,
  holm,
  holmVerdicts,
  ratioLogDelta,
  unitsForMean,
  unitsForRatio,
  unitsForVerdict,
  type Verdict,
} from '#lib/stats/index.js';
import { normals, unitMeans } from './simulate.js';
import { closeAll, sets } from './vectors.js';

test('the decision table answers the vectors', (t) => {
  for (const { lo, hi, delta, verdict, excludes_one, note } of sets.d_decisions.rows) {
    const got = decide(lo, hi, delta);
    t.is(got.verdict, verdict, note);
    t.is(got.excludesOne, excludes_one, note);
    t.is(got.reading === 'decided', verdict !== 'inconclusive', note);
  }
});

test('an inconclusive interval says which side is ruled out', (t) => {
  t.is(decide(0.97, 1.005).reading, 'better-or-same');
  t.is(decide(0.995, 1.05).reading, 'worse-or-same');
  t.is(decide(0.97, 1.05).reading, 'anything');
  t.is(decide(0.97, 1.05, 0.1).verdict, 'equivalent');
});

test('turning the ratio round turns the verdict round, away from the edges', (t) => {
  const mirror: Record<Verdict, Verdict> = {
    improved: 'regressed',
    regressed: 'improved',
    equivalent: 'equivalent',
    inconclusive: 'inconclusive',
  };
  const limit = fc.double({ min: 0.9, max: 1.1, noNaN: true });
  const clear = (x: number) => [0.99, 1.01, 1 / 0.99, 1 / 1.01].every((edge) => Math.abs(x - edge) > 2e-4);
  fc.assert(
    fc.property(limit, limit, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      fc.pre(clear(low) && clear(high));
      return decide(1 / high, 1 / low).verdict === mirror[decide(low, high).verdict];
    }),
    { seed: 2 },
  );
  t.pass();
});

test('units needed: the published table and the definition', (t) => {
  const table = { 0.01: [9, 32, 54, 125], 0.02: [4, 9, 15, 32] };
  for (const [delta, counts] of Object.entries(table)) {
    t.deepEqual(
      [0.005, 0.01, 0.013, 0.02].map((sd) => unitsForVerdict(sd, sd, Number(delta)).n),
      counts,
    );
  }
  for (const sd of [0.5, 3, 20]) {
    const { n } = unitsForMean(sd, 1);
    t.true(n! >= 2);
    t.true(n === 2 || unitsForMean(sd, 1.0001).n! <= n!);
  }
  t.deepEqual(unitsForMean(0, 1), { status: 'ok', n: 2 });
  t.deepEqual(unitsForRatio(0, 0, 0.01), { status: 'ok', n: 3 });
  t.is(unitsForMean(1, 1e-9).status, 'out-of-reach');
  t.throws(() => unitsForMean(-1, 1), { instanceOf: RangeError });
  t.throws(() => unitsForMean(1, 0), { instanceOf: RangeError });
  t.throws(() => unitsForRatio(Number.NaN, 0.1, 1), { instanceOf: RangeError });
  t.throws(() => unitsForVerdict(0.1, 0.1, 1), { instanceOf: RangeError });
});

test('Holm and Bonferroni', (t) => {
  // By hand: 4 * 0.005, 3 * 0.01, 2 * 0.03, then 1 * 0.04 raised to the one before.
  closeAll(t, holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02], 'Holm', 1e-12);
  closeAll(t, bonferroni([0.01, 0.04, 0.03, 0.5]), [0.04, 0.16, 0.12, 1], 'Bonferroni', 1e-12);
  t.deepEqual(holm([]), []);
  closeAll(t, [bonferroniConfidence(0.95, 5)], [0.99], 'level', 1e-12);
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (p) => {
      const [h, b] = [holm(p), bonferroni(p)];
      return p.every((value, i) => value <= h[i]! && h[i]! <= b[i]!);
    }),
    { seed: 2 },
  );
  t.throws(() => holm([0.5, 1.5]), { instanceOf: RangeError });
  t.throws(() => bonferroniConfidence(0.95, 0), { instanceOf: RangeError });
});

test('Holm verdicts: one row is the table itself; more rows are stricter, never different', (t) => {
  const { next } = normals(8);
  const rows = Array.from({ length: 60 }, (_, i) => {
    const shift = [1, 0.97, 0.985, 1.02, 1.005][i % 5]!;
    const sd = [0.002, 0.006, 0.013][i % 3]!;
    const got = ratioLogDelta(unitMeans(next, 100 * shift, 8, sd, 0, 1), unitMeans(next, 100, 8, sd, 0, 1));
    if (got.status !== 'ok') throw new Error(got.status);
    return got;
  });
  const summary = rows.map(({ ratio, standardError, df }) => ({ ratio, standardError: standardError!, df }));
  const plain = rows.map(({ low, high }) => decide(low, high).verdict);
  for (const [i, row] of summary.entries()) t.is(holmVerdicts([row])[0]!.verdict, plain[i]!, `row ${i}`);
  const joint = holmVerdicts(summary);
  for (const [i, { verdict }] of joint.entries())
    t.true(verdict === plain[i] || verdict === 'inconclusive', `row ${i}`);
  t.true(new Set(plain).size === 4, 'the sample holds every verdict');
  t.true(
    joint.filter(({ verdict }) => verdict === 'inconclusive').length > plain.filter((v) => v === 'inconclusive').length,
  );
  t.is(holmVerdicts([{ ratio: 0.5, standardError: 0, df: null }])[0]!.verdict, 'improved');
  t.is(holmVerdicts([{ ratio: 1, standardError: 0, df: null }])[0]!.verdict, 'equivalent');
  t.throws(() => holmVerdicts([{ ratio: -1, standardError: 0, df: null }]), { instanceOf: RangeError });
  t.throws(() => holmVerdicts([{ ratio: 1, standardError: Number.NaN, df: null }]), { instanceOf: RangeError });
  for (const standardError of [-1, Infinity])
    t.throws(() => holmVerdicts([{ ratio: 1, standardError, df: null }]), { instanceOf: RangeError });
  for (const ratio of [0, Infinity, Number.NaN])
    t.throws(() => holmVerdicts([{ ratio, standardError: 0, df: null }]), { instanceOf: RangeError });
});

test('Holm verdicts: the p of a row is that of the distance to the nearer edge of the zone', (t) => {
  const p = (ratio: number, standardError: number, df: number | null, delta = 0.01) =>
    holmVerdicts([{ ratio, standardError, df }], delta)[0]!.adjustedP;
  const near = (a: number, b: number) => t.true(Math.abs(a / b - 1) < 1e-9, `${a} ${b}`);
  // Two standard errors below 0.99, above 1.01, and inside on either side: 0.0455 of a normal distribution.
  const two = 0.04550026389635842;
  near(p(0.99 * Math.exp(-0.02), 0.01, null), two);
  near(p(1.01 * Math.exp(0.02), 0.01, null), two);
  near(p(0.99 * Math.exp(0.002), 0.001, null), two);
  near(p(1.01 * Math.exp(-0.002), 0.001, null), two);
  near(p(1.01 * Math.exp(0.02), 0.01, Infinity), two);
  // Student t with 2 degrees of freedom: P(|t| > 2) = 1 - 2 / sqrt(6).
  near(p(1.01 * Math.exp(0.02), 0.01, 2), 1 - 2 / Math.sqrt(6));
  t.is(p(1.01, 0.5, 3), 1, 'at the edge itself nothing is known');
});

test('A/A: identical sides, 1.3 % between units, delta 1 %: improved or regressed in less than 1 %', (t) => {
  const { next } = normals(13);
  const draws = 4000;
  let [wrong, excludes] = [0, 0];
  const counts: Record<string, number> = {};
  for (let d = 0; d < draws; d++) {
    const groups = [5, 10, 20][d % 3]!;
    const got = ratioLogDelta(unitMeans(next, 100, groups, 0.013, 0, 1), unitMeans(next, 100, groups, 0.013, 0, 1));
    const { verdict, excludesOne } = decide(got.low!, got.high!);
    if (verdict === 'improved' || verdict === 'regressed') wrong++;
    if (excludesOne) excludes++;
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  t.log(`wrong ${(100 * wrong) / draws} %, excludes one ${(100 * excludes) / draws} % (nominal 5)`, counts);
  t.true(wrong / draws < 0.01);
  t.true(excludes / draws > 0.035 && excludes / draws < 0.065);
});

test('misuse', (t) => {
  t.throws(() => decide(1.1, 0.9), { instanceOf: RangeError });
  t.throws(() => decide(Number.NaN, 1), { instanceOf: RangeError });
  t.throws(() => decide(0.9, 1, 0), { instanceOf: RangeError });
  t.throws(() => decide(0.9, 1, 1), { instanceOf: RangeError, message: /0\.01 for 1 %/ });
});
