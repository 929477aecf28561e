import test from 'ava';
import { planBudget } from '#lib/analysis/adaptive/budget.js';
import { type Calibration, calibrate, recommend } from '#lib/analysis/adaptive/calibration.js';
import { planForHalfWidth, tQuantile, unitsForMean } from '#lib/stats/index.js';
import { trialOf } from '../../support/compare.js';
import { fork, iteration } from '../../support/result.js';

/** Six forks of four iterations, with `forkSd` between and `iterationSd` inside, as shares. */
const data = (forkSd: number, iterationSd: number, level = 100): number[][] =>
  [-1.2, 0.3, 1.1, -0.4, 0.9, -0.7].map((f, i) =>
    [-0.9, 0.5, 1, -0.6].map((x, j) => level * (1 + forkSd * f + iterationSd * x * (1 + ((i + j) % 3) / 10))),
  );

const calibrated = (values: readonly (readonly number[])[], id = 'a'): Calibration =>
  calibrate(
    trialOf([1], {
      id,
      forks: values.map((scores, f) =>
        fork(f, [], { wallMs: 1000, iterations: scores.map((score, i) => iteration(i, score, { wallNs: 1e8 })) }),
      ),
    }),
  );

test('components and costs: what each level adds, and what one more of it takes', (t) => {
  const found = calibrated(data(0.02, 0.005));
  t.is(found.status, 'ok');
  t.true(Math.abs(found.costMs!.iteration - 100) < 1e-9);
  t.true(Math.abs(found.costMs!.fork - 600) < 1e-9, '1000 ms less four iterations of 100');
  t.true(found.relativeSd!.fork > 3 * found.relativeSd!.iteration);
  const inside = calibrated(data(0, 0.02));
  t.true(inside.relativeSd!.iteration > inside.relativeSd!.fork);
});

test('the recommendation costs no more than the plan of Kalibera and Jones for these data, and than the customary one', (t) => {
  for (const [forkSd, iterationSd] of [
    [0.02, 0.005],
    [0.005, 0.03],
    [0, 0.02],
  ] as const) {
    const found = calibrated(data(forkSd, iterationSd));
    const { best, customary, status } = recommend(found, 0.005, 0.95);
    t.is(status, 'ok');
    const plan = planForHalfWidth(found.data, [100, 600], { halfWidth: 0.005 });
    t.true(plan.status === 'ok' && best!.totalMs <= plan.totalCost);
    t.true(best!.forks >= 3 && best!.totalMs <= customary!.totalMs);
    t.true(best!.halfWidth <= 0.005);
  }
  const forks = recommend(calibrated(data(0.02, 0.001)), 0.005, 0.95).best!;
  const iterations = recommend(calibrated(data(0.002, 0.03)), 0.005, 0.95).best!;
  t.true(iterations.iterations > forks.iterations, 'noise inside a fork is averaged inside it');
});

test('no other number of forks and iterations reaches the width for less', (t) => {
  for (const [forkSd, iterationSd, halfWidth] of [
    [0.02, 0.005, 0.02],
    [0.02, 0.005, 0.05],
    [0.03, 0.02, 0.02],
    [0.03, 0.02, 0.05],
    [0.03, 0.03, 0.03],
    [0.03, 0.03, 0.05],
  ] as const) {
    const found = calibrated(data(forkSd, iterationSd));
    const { fork, iteration } = found.relativeSd!;
    t.true(fork > 0);
    const { best, customary } = recommend(found, halfWidth, 0.95);
    let least = Infinity;
    for (let forks = 3; forks <= 200; forks++) {
      const t95 = tQuantile(0.975, forks - 1);
      for (let iterations = 1; iterations <= 200; iterations++) {
        const reached = t95 * Math.sqrt((fork ** 2 + iteration ** 2 / iterations) / forks);
        if (reached <= halfWidth * (1 + 1e-12)) {
          least = Math.min(least, forks * (found.costMs!.fork + iterations * found.costMs!.iteration));
          break;
        }
      }
    }
    t.true(
      Math.abs(best!.totalMs / least - 1) < 1e-9,
      `${best!.forks} x ${best!.iterations}: ${best!.totalMs}, ${least}`,
    );
    t.true(customary!.forks >= 3);
  }
});

test('what a calibration can look like has a status', (t) => {
  t.is(calibrated([[1, 2], [1]]).status, 'unbalanced');
  t.is(calibrated([[1], [2], [3]]).status, 'too-few');
  t.is(
    calibrated([
      [1, 1],
      [1, 1],
      [1, 1],
    ]).status,
    'constant',
  );
  t.is(
    calibrated([
      [0, 0],
      [0, 0],
    ]).status,
    'not-positive',
  );
  t.is(calibrated([]).status, 'failed');
  t.is(
    recommend(
      calibrated([
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
      0.01,
      0.95,
    ).best!.forks,
    3,
  );
  for (const values of [
    [[1, 2], [1]],
    [[1], [2]],
    [
      [0, 0],
      [0, 0],
    ],
    [],
  ]) {
    t.is(recommend(calibrated(values), 0.01, 0.95).best, null);
  }
  const unit = recommend(calibrated(data(0.02, 0.01)), 0.01, 0.95).best;
  const scaled = recommend(calibrated(data(0.02, 0.01, 1e-4)), 0.01, 0.95).best;
  t.deepEqual([scaled!.forks, scaled!.iterations], [unit!.forks, unit!.iterations], 'units do not matter');
});

test('iterations that would be best with many forks do not make three forks dear when three are enough', (t) => {
  // Nearly all of the variation is inside forks: the free optimum has dozens of iterations.
  const found = calibrated(data(0.002, 0.5));
  const wide = recommend(found, 3, 0.95).best!;
  t.deepEqual([wide.forks, wide.iterations], [3, 1]);
  const middle = recommend(found, 0.5, 0.95).best!;
  t.true(middle.iterations > 1 && middle.totalMs > wide.totalMs);
  t.true(recommend(found, 0.05, 0.95).best!.totalMs > middle.totalMs);
  t.is(planBudget([found], [null], 2500, 0.95).status, 'ok');
});

test('single shot has one value per fork, so only forks are planned', (t) => {
  const found = calibrated([[100], [101], [99], [102], [98]]);
  const { status, best } = recommend(found, 0.01, 0.95);
  t.is(status, 'ok');
  t.is(best!.iterations, 1);
  t.is(best!.forks, unitsForMean(Math.sqrt(2.5) / 100, 0.01).n!);
});

test('a budget is spent on one half-width for all: the noisy trial gets more, more time narrows it, it is never exceeded', (t) => {
  const trials = [calibrated(data(0.03, 0.01), 'noisy'), calibrated(data(0.003, 0.001), 'calm')];
  let last = Number.POSITIVE_INFINITY;
  for (const budget of [10_000, 30_000, 100_000, 400_000]) {
    const plan = planBudget(trials, [null, null], budget, 0.95);
    if (plan.status !== 'ok') return t.fail();
    t.true(plan.totalMs <= budget);
    t.true(plan.totalMs > 0.5 * budget || budget < 20_000, `${plan.totalMs} of ${budget}`);
    t.true(plan.halfWidth < last);
    t.true(plan.allotments[0]!.totalMs > plan.allotments[1]!.totalMs);
    last = plan.halfWidth;
  }
  const grouped = planBudget(trials, ['g', 'g'], 100_000, 0.95);
  if (grouped.status !== 'ok') return t.fail();
  t.is(grouped.allotments[0]!.forks, grouped.allotments[1]!.forks);
  t.is(grouped.allotments[0]!.iterations, grouped.allotments[1]!.iterations);
  const little = planBudget(trials, [null, null], 1000, 0.95);
  t.true(little.status === 'out-of-reach' && little.needsMs > 1000);
});
