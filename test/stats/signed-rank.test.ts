import test from 'ava';
import fc from 'fast-check';
import { EXACT_LIMIT, wilcoxonSignedRank } from '#lib/stats/index.js';
import { normals } from './simulate.js';
import { close } from './vectors.js';

// Depression scale of nine patients before and after (Hollander and Wolfe 1973): R's wilcox.test answers V = 40, p = 0.0390625.
const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

test('the published example', (t) => {
  const got = wilcoxonSignedRank(before.map((x, i) => x - after[i]!));
  t.deepEqual(got, { status: 'ok', W: 40, p: 0.0390625, exact: true, n: 9, zeros: 0, smallestP: 2 ** -8 });
});

/** p by trying all signs: the definition. */
function byEnumeration(d: readonly number[]): number {
  const n = d.length;
  const ranks = d
    .map((x, i) => ({ size: Math.abs(x), i }))
    .sort((a, b) => a.size - b.size)
    .reduce<number[]>((of, { i }, rank) => {
      of[i] = rank + 1;
      return of;
    }, []);
  const middle = (n * (n + 1)) / 4;
  const observed = Math.abs(d.reduce((sum, x, i) => sum + (x > 0 ? ranks[i]! : 0), 0) - middle);
  let count = 0;
  for (let mask = 0; mask < 2 ** n; mask++) {
    let w = 0;
    for (let i = 0; i < n; i++) if ((mask >> i) & 1) w += ranks[i]!;
    if (Math.abs(w - middle) >= observed) count++;
  }
  return count / 2 ** n;
}

test('property: the exact p is that of all signs; turning the signs round, or another unit, changes nothing', (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 10 }),
      fc.infiniteStream(fc.boolean()),
      (sizes, signs) => {
        const d = sizes.map((size) => (signs.next().value ? size : -size));
        const { p, W, n } = wilcoxonSignedRank(d);
        close(t, p, byEnumeration(d), `${d}`);
        const turned = wilcoxonSignedRank(d.map((x) => -x));
        t.is(turned.p, p);
        t.is(turned.W, (n * (n + 1)) / 2 - W);
        t.deepEqual(wilcoxonSignedRank(d.map((x) => x * 1000)), wilcoxonSignedRank(d));
      },
    ),
    { numRuns: 60 },
  );
});

test('smallest p; ties share their rank, zeros are left out and counted', (t) => {
  for (const n of [1, 3, 5, 6, 20]) {
    const got = wilcoxonSignedRank(Array.from({ length: n }, (_, i) => i + 1));
    t.is(got.p, got.smallestP);
    t.is(got.smallestP, 2 ** (1 - n));
  }
  t.true(wilcoxonSignedRank([1, 2, 3, 4, 5]).smallestP > 0.05, 'five pairs cannot reach 5 %');
  // Ranks 1.5, 1.5, 3, 4.5, 4.5; variance n (n + 1) (2n + 1) / 24 - 2 x 6 / 48.
  const tied = wilcoxonSignedRank([0, 1, -1, 2, 3, 3, 0]);
  t.is(tied.W, 13.5);
  t.deepEqual([tied.n, tied.zeros, tied.exact], [5, 2, false]);
  const z = (13.5 - 7.5 - 0.5) / Math.sqrt((5 * 6 * 11) / 24 - 12 / 48);
  close(t, tied.p, 2 * 0.0672083, `z ${z}`, 1e-5);
  t.like(wilcoxonSignedRank([0, 0]), { status: 'constant', p: 1, n: 0, zeros: 2 });
});

test('exact and approximate distributions agree where they meet, and the level holds', (t) => {
  const { next } = normals(11);
  const draw = (n: number) => Array.from({ length: n }, () => next() + 0.4);
  const exact = wilcoxonSignedRank(draw(EXACT_LIMIT));
  t.true(exact.exact);
  t.false(wilcoxonSignedRank(draw(EXACT_LIMIT + 1)).exact);
  let rejected = 0;
  const runs = 2000;
  for (let r = 0; r < runs; r++) if (wilcoxonSignedRank(Array.from({ length: 40 }, next)).p <= 0.05) rejected++;
  t.true(rejected / runs > 0.035 && rejected / runs < 0.065, `${rejected} of ${runs}`);
  let small = 0;
  for (let r = 0; r < runs; r++) if (wilcoxonSignedRank(Array.from({ length: 12 }, next)).p <= 0.05) small++;
  t.true(small / runs > 0.03 && small / runs <= 0.06, `${small} of ${runs}`);
});
