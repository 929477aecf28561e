import test from 'ava';
import fc from 'fast-check';
import type { RateOutcome } from '#lib/stats/backlog.js';
import { backlogTrend, linearTrend, nextRate } from '#lib/stats/backlog.js';
import { near, nearP, vectors } from './near.js';

const { l_backlog } = vectors;
const times: number[] = l_backlog.t_seconds;

test('vectors: a stable and a growing backlog', (t) => {
  for (const name of ['stable', 'growing']) {
    const set = l_backlog[name];
    const found = backlogTrend({ times, backlog: set.backlog, rate: l_backlog.offered_rate, epsilon: l_backlog.eps });
    if (found.status !== 'ok') return t.fail(found.status);
    near(t, found.slope, set.slope);
    near(t, found.se, set.se);
    t.is(found.df, set.df);
    near(t, found.lower, set.lo90);
    near(t, found.upper, set.hi90);
    near(t, found.deficit, set.deficit_ratio);
    t.is(found.verdict, set.verdict);
    const mk = found.mannKendall;
    if (mk.status !== 'ok') return t.fail(mk.status);
    t.is(mk.s, set.mk.S);
    near(t, mk.variance, set.mk.varS);
    near(t, mk.z, set.mk.z);
    nearP(t, mk.p, set.mk.p);
  }
});

test('bounds that straddle epsilon are undecided; a waving residual asks for wider blocks', (t) => {
  const noisy = times.map((s, i) => 5 * s + (i % 2 === 0 ? 900 : -900));
  t.like(backlogTrend({ times, backlog: noisy, rate: 1000 }), { status: 'ok', verdict: 'undecided' });
  const wave = times.map((_, i) => 1000 + 300 * Math.sin(i / 2.5));
  t.like(backlogTrend({ times, backlog: wave, rate: 1000 }), { status: 'ok', widenBlocks: true });
  t.like(backlogTrend({ times, backlog: l_backlog.stable.backlog, rate: 1000 }), { widenBlocks: false });
});

test('no backlog at all is sustainable, few blocks are a status, misuse throws', (t) => {
  t.like(backlogTrend({ times, backlog: times.map(() => 0), rate: 10 }), {
    status: 'ok',
    verdict: 'sustainable',
    se: 0,
    widenBlocks: false,
  });
  t.deepEqual(backlogTrend({ times: [1, 2], backlog: [0, 0], rate: 10 }), {
    status: 'too-few-blocks',
    blocks: 2,
    needed: 20,
  });
  t.throws(() => backlogTrend({ times, backlog: [1], rate: 10 }), { instanceOf: RangeError });
  t.throws(() => backlogTrend({ times, backlog: times, rate: 0 }), { instanceOf: RangeError });
  t.throws(() => backlogTrend({ times: [...times].reverse(), backlog: times, rate: 1 }), { instanceOf: RangeError });
  t.is(linearTrend([1, 2], [1, 2]), null);
  t.is(linearTrend([1, 1, 1], [1, 2, 3]), null);
});

test('property: a line is found again, in any unit', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), (slope, intercept) => {
      const line = linearTrend(
        times,
        times.map((s) => slope * s + intercept),
      )!;
      t.true(Math.abs(line.slope - slope) < 1e-9 && Math.abs(line.intercept - intercept) < 1e-6);
      t.is(line.residuals.length, times.length);
    }),
  );
  t.pass();
});

test('property: the search brackets the capacity to 2 % from any start, and ends', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1e6 }), fc.integer({ min: 10, max: 1e5 }), (capacity, start) => {
      const outcomes: RateOutcome[] = [];
      for (let step = 0; step < 60; step++) {
        const next = nextRate(outcomes, { start, minRate: 1e-3 });
        if (next.status === 'done') {
          t.true(next.sustainable <= capacity && capacity < next.unsustainable);
          return t.true(next.unsustainable / next.sustainable <= 1.02 + 1e-9);
        }
        if (next.status === 'none') return t.fail('none');
        outcomes.push({ rate: next.rate, verdict: next.rate <= capacity ? 'sustainable' : 'unsustainable' });
      }
      return t.fail('no end');
    }),
  );
  t.pass();
});

test('each step of a search, by hand; of contradicting outcomes the lowest that failed counts', (t) => {
  const held = (rate: number) => ({ rate, verdict: 'sustainable' }) as const;
  const failed = (rate: number) => ({ rate, verdict: 'unsustainable' }) as const;
  const next = (outcomes: readonly RateOutcome[], more = {}) => nextRate(outcomes, { start: 1024, ...more });
  t.deepEqual(next([]), { status: 'try', rate: 1024, phase: 'growing' });
  t.deepEqual(next([held(1024), held(2048)]), { status: 'try', rate: 4096, phase: 'growing' });
  t.deepEqual(next([held(100)], { growth: 3 }), { status: 'try', rate: 300, phase: 'growing' });
  t.deepEqual(next([failed(300), failed(900)], { growth: 3 }), { status: 'try', rate: 100, phase: 'growing' });
  t.deepEqual(next([failed(2)]), { status: 'try', rate: 1, phase: 'growing' }, 'the lowest rate that is tried');
  t.deepEqual(next([failed(1)]), { status: 'none', unsustainable: 1 });
  t.deepEqual(next([held(100), failed(200)]), { status: 'try', rate: 150, phase: 'bisecting' });
  t.deepEqual(next([held(100), failed(102)]), { status: 'done', sustainable: 100, unsustainable: 102 });
  t.is(next([held(100), failed(102.1)]).status, 'try');
  t.is(next([held(100), failed(105)], { resolution: 0.05 }).status, 'done');
  t.deepEqual(next([held(100), held(500), failed(200), failed(400)]), { status: 'try', rate: 150, phase: 'bisecting' });
  t.deepEqual(next([held(200), failed(200)]), { status: 'try', rate: 100, phase: 'growing' }, 'held once, failed once');
  t.throws(() => next([], { resolution: 0 }), { instanceOf: RangeError });
  t.throws(() => nextRate([], { start: 0 }), { instanceOf: RangeError });
});

test('a line by hand: slope, intercept, error of the slope and residuals', (t) => {
  const line = linearTrend([1, 2, 3, 6], [2, 1, 4, 5])!;
  // Means 3 and 3; sxx 14, sxy 10.
  t.is(line.slope, 10 / 14);
  t.true(Math.abs(line.intercept - (3 - (3 * 10) / 14)) < 1e-12);
  const residuals = [2, 1, 4, 5].map((y, i) => y - 3 - (10 / 14) * ([1, 2, 3, 6][i]! - 3));
  for (const [i, r] of line.residuals.entries()) t.true(Math.abs(r - residuals[i]!) < 1e-12);
  t.is(line.df, 2);
  t.true(Math.abs(line.se - Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / 2 / 14)) < 1e-12);
});

test('a search that nothing sustains ends with none', (t) => {
  const outcomes: RateOutcome[] = [];
  for (;;) {
    const next = nextRate(outcomes, { start: 1000 });
    if (next.status !== 'try') {
      t.is(next.status, 'none');
      break;
    }
    outcomes.push({ rate: next.rate, verdict: 'unsustainable' });
  }
  t.is(outcomes.length, 11);
  t.throws(() => nextRate([], { start: 10, growth: 1 }), { instanceOf: RangeError });
});
