/** The figures of plans, computed by hand: what a user spends hours of machine time on. */
import test from 'ava';
import { planBudget } from '#lib/analysis/adaptive/budget.js';
import { type Calibration, calibrate, recalibrate, recommend } from '#lib/analysis/adaptive/calibration.js';
import { stopFinding } from '#lib/analysis/adaptive/findings.js';
import { forksWanted, stopOutcome, stopScore, wish } from '#lib/analysis/adaptive/stop.js';
import { trialScore } from '#lib/analysis/score.js';
import type { StopRule, Trial } from '#lib/result/model.js';
import { meanInterval, tQuantile } from '#lib/stats/index.js';
import { trialOf } from '../../support/compare.js';
import { fork, iteration } from '../../support/result.js';

/** Forks of 1 s whose iterations take 100 ms each. */
const forksOf = (values: readonly (readonly (number | null)[])[], wallMs = 1000) =>
  values.map((scores, f) =>
    fork(f, [], {
      wallMs,
      iterations: scores.map((score, i) => ({ ...iteration(i, score ?? 1, { wallNs: 1e8 }), score })),
    }),
  );

const calibrated = (values: readonly (readonly (number | null)[])[], over: Partial<Trial> = {}, wallMs = 1000) =>
  calibrate(trialOf([1], { forks: forksOf(values, wallMs), ...over }));

/** Forks differ by a few per cent, iterations by one: 100 ms for one more iteration, 600 ms for one more fork. */
const noisy = calibrated([
  [97, 98, 96, 99],
  [103, 102, 104, 101],
  [100, 101, 99, 102],
]);
const constant = calibrated([
  [5, 5, 5, 5],
  [5, 5, 5, 5],
  [5, 5, 5, 5],
]);
const single = calibrated([[100], [101], [99], [102], [98]], {}, 700);

const near = (a: number, b: number) => Math.abs(a / b - 1) < 1e-12;

/** The half-width that so many forks and iterations reach, from the components. */
const reach = ({ relativeSd }: Calibration, forks: number, iterations: number): number =>
  tQuantile(0.975, forks - 1) * Math.sqrt((relativeSd!.fork ** 2 + relativeSd!.iteration ** 2 / iterations) / forks);

test('an experiment tells the width that it reaches and the time that it takes', (t) => {
  for (const halfWidth of [0.01, 0.02, 0.05, 0.1, 0.3]) {
    const { best, customary } = recommend(noisy, halfWidth, 0.95);
    for (const found of [best!, customary!]) {
      t.true(near(found.totalMs, found.forks * (600 + found.iterations * 100)), `${halfWidth}`);
      t.true(near(found.halfWidth, reach(noisy, found.forks, found.iterations)), `${halfWidth}`);
      t.true(found.halfWidth <= halfWidth);
    }
    t.is(customary!.iterations, 5);
    if (customary!.forks > 3) t.true(reach(noisy, customary!.forks - 1, 5) > halfWidth, 'one fork less is too few');
  }
  // So wide that two forks would do: three are printed with an interval.
  t.is(recommend(noisy, 0.3, 0.95).customary!.forks, 3);
  t.deepEqual(recommend(constant, 0.01, 0.95), {
    status: 'constant',
    best: { forks: 3, iterations: 1, halfWidth: 0, totalMs: 2100 },
    customary: null,
  });
  t.is(single.costMs!.fork, 600);
  const shots = recommend(single, 0.01, 0.95).best!;
  t.is(shots.totalMs, shots.forks * 700);
  t.is(recommend(single, 0.5, 0.95).best!.forks, 3);
});

test('no plan is made from what is no calibration, and the reason stays', (t) => {
  const none = (status: string) => ({ status, best: null, customary: null });
  t.deepEqual(recommend(calibrated([]), 0.01, 0.95), none('failed') as never);
  t.deepEqual(recommend(calibrated([[1, 2], [1]]), 0.01, 0.95), none('unbalanced') as never);
  t.deepEqual(recommend(calibrated([[1], [2]]), 0.01, 0.95), none('too-few') as never);
  t.deepEqual(recommend(calibrated([[1, 2]]), 0.01, 0.95), none('too-few') as never);
  t.deepEqual(recommend(single, 1e-9, 0.95), none('out-of-reach') as never);
  const good = [
    [1, 2],
    [2, 1],
    [1, 1],
  ];
  t.is(calibrated([...good, [1, null]]).status, 'failed', 'an iteration without a score');
  t.is(calibrated([...good, []]).status, 'failed', 'a fork without iterations');
  const broken = forksOf(good).map((f, i) => (i === 1 ? { ...f, status: 'failed' as const } : f));
  t.is(calibrated([], { forks: broken }).status, 'failed', 'a fork that failed');
  // The clock stepped back while it ran.
  t.is(calibrated(good, {}, 50).costMs!.fork, 1);
});

test('a calibration that was kept is believed only with costs, a level and scores that can be', (t) => {
  t.deepEqual(recalibrate(noisy), noisy);
  for (const bad of [0, -1, Infinity, NaN]) {
    t.is(recalibrate({ ...noisy, mean: bad }), null, `mean ${bad}`);
    t.is(recalibrate({ ...noisy, costMs: { iteration: bad, fork: 1 } }), null, `iteration ${bad}`);
    t.is(recalibrate({ ...noisy, costMs: { iteration: 1, fork: bad } }), null, `fork ${bad}`);
  }
  t.is(recalibrate({ ...noisy, mean: null }), null);
  t.is(recalibrate({ ...noisy, costMs: null }), null);
  t.is(recalibrate({ ...noisy, data: [] }), null);
  t.is(recalibrate({ ...noisy, data: [...noisy.data, []] }), null);
  for (const off of [0.9, 1.1]) {
    t.is(recalibrate({ ...noisy, data: noisy.data.map((list) => list.map((x) => x * off)) }), null, `level ${off}`);
  }
});

test('a budget: each trial takes what the common width asks of it, a group what its neediest member does', (t) => {
  const [wild, tame] = [
    noisy,
    calibrated(
      [
        [100, 101],
        [101, 100],
        [100, 100],
      ].map((list) => [...list, ...list]),
    ),
  ];
  const plan = planBudget([wild, tame], [null, null], 60_000, 0.95);
  if (plan.status !== 'ok') return t.fail();
  t.is(plan.totalMs, plan.allotments[0]!.totalMs + plan.allotments[1]!.totalMs);
  for (const [i, one] of [wild, tame].entries()) {
    const { best } = recommend(one, plan.halfWidth, 0.95);
    const got = plan.allotments[i]!;
    t.deepEqual([got.forks, got.iterations, got.halfWidth], [best!.forks, best!.iterations, plan.halfWidth]);
    t.true(near(got.totalMs, got.forks * (600 + 100 * got.iterations)));
  }
  t.true(planBudget([wild, tame], [null, null], plan.totalMs, 0.95).status === 'ok');

  const groups = planBudget([wild, tame, tame, tame], ['a', 'a', 'b', null], 60_000, 0.95);
  if (groups.status !== 'ok') return t.fail();
  const alone = [wild, tame].map((one) => recommend(one, groups.halfWidth, 0.95).best!);
  const counts = groups.allotments.map(({ forks, iterations }) => [forks, iterations]);
  const most = [Math.max(...alone.map((x) => x.forks)), Math.max(...alone.map((x) => x.iterations))];
  const own = [alone[1]!.forks, alone[1]!.iterations];
  t.deepEqual(counts, [most, most, own, own]);
  t.notDeepEqual(most, own);
});

test('a budget of exactly the least experiment is enough, and one millisecond less is told what it takes', (t) => {
  t.deepEqual(planBudget([constant, constant], [null, null], 4199, 0.95), { status: 'out-of-reach', needsMs: 4200 });
  const just = planBudget([constant, constant], [null, null], 4200, 0.95);
  t.true(just.status === 'ok' && just.totalMs === 4200);
});

test('a trial without usable calibration gets the least, with no promise of a width', (t) => {
  const uneven = calibrated([[1, 2], [1]]);
  const failed = calibrated([]);
  const plan = planBudget([noisy, uneven, failed], [null, null, null], 60_000, 0.95);
  if (plan.status !== 'ok') return t.fail();
  const rest = plan.allotments.slice(1).map(({ forks, iterations, halfWidth }) => [forks, iterations, halfWidth]);
  t.deepEqual(rest, [
    [3, 5, null],
    [3, 5, null],
  ]);
  t.true(near(plan.allotments[1]!.totalMs, 3 * (uneven.costMs!.fork + 5 * uneven.costMs!.iteration)));
  t.is(plan.allotments[2]!.totalMs, 0, 'what it costs is not known');
});

test('time without end does not promise a width that no number of forks reaches', (t) => {
  const plan = planBudget([single], [null], 1e18, 0.95);
  if (plan.status !== 'ok') return t.fail();
  const { forks, halfWidth } = plan.allotments[0]!;
  t.true(forks > 1e6);
  t.true(Math.abs(halfWidth! / (1.96 * Math.sqrt(2.5 / forks) * 0.01) - 1) < 1e-3, `${forks} ${halfWidth}`);
});

const rule = (over: Partial<StopRule> = {}): StopRule => ({
  rule: 'stein',
  target: 0.01,
  confidence: 0.95,
  pilot: 3,
  cap: 200,
  budgetMs: null,
  ...over,
});
const wide = [90, 110, 100, 95, 105];

test('a look of the width rule sees the forks until then, and no later ones', (t) => {
  const values = [...wide, ...wide.map((x) => x * 1.3), 400];
  const { looks } = wish(values, rule({ rule: 'width', target: 1e-3 }));
  t.deepEqual(
    looks.map(({ n }) => n),
    [3, 8],
  );
  for (const { n, halfWidth } of looks) {
    const seen = meanInterval(values.slice(0, n));
    t.is(halfWidth, seen.halfWidth! / seen.mean);
  }
  t.is(wish([0, 0, 0], rule({ rule: 'width' })).wanted, null, 'a share of nothing');
  t.is(wish([-1, 1, 0], rule()).wanted, null);
});

const trialAt = (values: readonly number[], over: Partial<Trial> = {}, wallMs = 1000): Trial => {
  const made = trialOf(values, over);
  return { ...made, forks: made.forks.map((f) => ({ ...f, wallMs })) };
};
const fails = (trial: Trial): Trial => ({
  ...trial,
  forks: trial.forks.map((f, i) => (i === 1 ? { ...f, status: 'failed' as const } : f)),
});

test('a fork that failed ends a trial where it is; two groups do not make each other longer', (t) => {
  t.deepEqual(forksWanted(rule(), [fails(trialAt(wide))]), [5]);
  const calm = [100, 100.01, 99.99, 100, 100];
  const [a, b] = [{ suite: 'A' }, { suite: 'B' }];
  const wanted = forksWanted(rule(), [
    trialAt(wide, { ...a, benchmark: 'f', baseline: true }),
    trialAt(calm, { ...a, benchmark: 'g' }),
    trialAt(calm, { ...b, benchmark: 'f', baseline: true }),
    trialAt(calm, { ...b, benchmark: 'g' }),
  ]);
  t.true(wanted[0]! > 5);
  t.deepEqual(wanted, [wanted[0], wanted[0], 5, 5]);
});

test('a budget waits until every trial has had its first stage, and counts those that have no fork yet as nothing', (t) => {
  const spent = rule({ budgetMs: 1 });
  const late = forksWanted(spent, [trialAt(wide), trialAt(wide.slice(0, 2), { benchmark: 'g' })]);
  t.true(late[0]! > 5);
  t.is(late[1], 3);
  const without = {
    options: { precision: { value: null, source: 'suite' as const }, unit: trialAt(wide).options.unit! },
  };
  t.deepEqual(forksWanted(spent, [trialAt(wide), trialAt([], { benchmark: 'g', ...without })]), [5, 0]);
});

test('the outcome of a stop rule: its width is that of the score, and a failed trial did not end by the rule', (t) => {
  const scored = (values: readonly number[], change = (x: Trial) => x) => {
    const made = change(trialAt(values));
    return { ...made, score: trialScore(made) };
  };
  const width = rule({ rule: 'width' });
  const found = stopOutcome(scored(wide), width, 'complete');
  const { mean, halfWidth } = meanInterval(wide);
  t.true(near(found.halfWidth!, halfWidth! / mean));
  t.is(stopOutcome(scored([100]), width, 'complete').halfWidth, null, 'one fork has no interval');
  const broken = stopOutcome(scored(wide, fails), { ...width, cap: 4, target: 0.5 }, 'complete');
  t.deepEqual([broken.outcome, broken.halfWidth], ['unfinished', null]);

  // Stein's interval: spread and degrees of freedom of the first stage, the mean of all.
  const score = stopScore(scored([...wide, 100, 100, 100]), rule())!;
  t.is(score.value, 100);
  t.true(near(score.error!, (tQuantile(0.975, 2) * 10) / Math.sqrt(8)));
  t.true(near(score.interval![0], 100 - score.error!) && near(score.interval![1], 100 + score.error!));
  const first = scored(wide.slice(0, 3));
  t.regex(stopScore(first, rule())!.method, /^Stein/, 'the first stage alone may be enough');
  const short = scored(wide.slice(0, 2));
  t.is(stopScore(short, rule()), short.score);
});

test('what is told of a rule that did not end as wished', (t) => {
  const outcome = { outcome: 'cap', wanted: 12, halfWidth: 0.034, looks: [] } as const;
  t.regex(stopFinding(rule({ cap: 7 }), outcome, 7)!.message, /7 forks, at ±3\.4 % instead of ±1 %; 12 are needed\./);
  t.regex(stopFinding(rule({ rule: 'width' }), outcome, 7)!.message, /; more are needed\./);
  t.regex(stopFinding(rule(), { ...outcome, halfWidth: null }, 7)!.message, /at no interval instead/);
  for (const ended of ['reached', 'unfinished'] as const) {
    t.is(stopFinding(rule(), { ...outcome, outcome: ended }, 7), null, ended);
  }
});
