import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import {
  costPerTopUnit,
  groupMeanInterval,
  intraclass,
  type Nested,
  type Plan,
  planForCost,
  planForHalfWidth,
  planWithCounts,
  tQuantile,
  varianceComponents,
} from '#lib/stats/index.js';
import { normals } from './simulate.js';
import { close, closeAll, relativeError, sets } from './vectors.js';

const { b_kj_paper: paper, b_kj_costs: costs3, b_kj_2level: two, a_mean_ci: means } = sets;
const forks: number[][] = sets.data.base5x10;

function components(t: ExecutionContext, data: Nested, S: number[], T: number[], what: string) {
  const got = varianceComponents(data);
  t.is(got.status, 'ok', what);
  closeAll(t, got.S!, S, `${what} S`);
  closeAll(t, got.T!, T, `${what} T`);
  return got;
}

test('components of two and three levels answer the vectors, negative ones included', (t) => {
  close(t, components(t, paper.levels3, paper.S, paper.T, 'paper').mean, paper.mean, 'mean');
  components(t, paper.levels2, paper.S_2lvl, paper.T_2lvl, 'merged');
  close(t, components(t, costs3.levels3, costs3.S, costs3.T, 'costs').mean, costs3.mean, 'mean');
  const flat = components(t, forks, two.S, two.T, 'two levels');
  t.deepEqual(flat.counts, [10, 5]);
  const ci = groupMeanInterval(paper.levels2);
  close(t, ci.halfWidth, paper.ci95_top.half, 'half-width');
  close(t, ci.sd, paper.ci95_top.sd, 'sd');
});

test('intraclass correlation, design effect and effective n answer the vectors', (t) => {
  const got = intraclass(forks);
  t.is(got.status, 'ok');
  close(t, got.icc, means.icc, 'icc');
  close(t, got.designEffect, means.design_effect, 'design effect');
  close(t, got.effectiveN, means.n_eff, 'effective n');
  close(t, got.between, two.T[1], 'between');
  close(t, got.within, two.T[0], 'within');
});

test('intraclass: unequal groups, no variance between groups, constants, too few', (t) => {
  // By hand: groups 1,3 | 5 | 4,8 ; grand 4.2; SSW 2 + 0 + 8, SSB 2*2.2^2 + 0.8^2 + 2*1.8^2; n0 = (5 - 9/5)/2.
  const got = intraclass([[1, 3], [5], [4, 8]]);
  const within = 10 / 2;
  const between = ((2 * 2.2 ** 2 + 0.8 ** 2 + 2 * 1.8 ** 2) / 2 - within) / 1.6;
  close(t, got.within, within, 'within');
  close(t, got.between, between, 'between');
  const none = intraclass([
    [1, 9],
    [2, 8],
    [0, 10],
  ]);
  t.is(none.status, 'no-group-variance');
  t.true(none.between! < 0);
  t.deepEqual([none.icc, none.designEffect, none.effectiveN], [0, 1, 6]);
  t.is(
    intraclass([
      [1, 1],
      [1, 1],
    ]).status,
    'constant',
  );
  t.is(intraclass([[1, 2]]).status, 'too-few');
  t.is(intraclass([[1], [2]]).status, 'too-few');
});

function planned(t: ExecutionContext, plan: Plan): Extract<Plan, { status: 'ok' }> {
  if (plan.status !== 'ok') {
    t.fail(`plan: ${plan.status}`);
    throw new Error(plan.status);
  }
  return plan;
}

test('plans answer the vectors', (t) => {
  const three = planned(t, planForHalfWidth(costs3.levels3, costs3.cost_level1_to_3, { halfWidth: 0.2 * costs3.mean }));
  const want = costs3.plan_halfwidth_20pct;
  closeAll(t, three.real as number[], costs3.r_opt_real, 'real counts');
  t.deepEqual(three.counts, [...costs3.r_opt, want.r_n]);
  close(t, three.topVariance, want.Sn2_pred, 'top variance');
  close(t, three.halfWidth, want.half, 'half-width');
  t.is(three.costPerTop, want.cost_per_top);
  t.is(three.totalCost, want.total_cost);
  const costs = [two.cost_iter_s, two.cost_fork_s];
  const target = { halfWidth: 0.005 * means.fork95.mean };
  for (const [plan, answer, lower] of [
    [planForHalfWidth(forks, costs, target), two.plan_opt, two.r1],
    [planWithCounts(forks, costs, [10], target), two.plan_with_10_iters, 10],
  ]) {
    const got = planned(t, plan);
    t.deepEqual(got.counts, [lower, answer.r_n]);
    close(t, got.topVariance, answer.Sn2_pred, 'top variance');
    close(t, got.halfWidth, answer.half, 'half-width');
    t.is(got.totalCost, answer.total_cost);
  }
  close(t, planned(t, planForHalfWidth(forks, costs, target)).real[0], two.r1_real, 'real r1');
});

test('a level without variance of its own is merged: one unit per parent, its overhead charged upward', (t) => {
  const plan = planned(t, planForHalfWidth(paper.levels3, [1, 5, 20], { halfWidth: 1 }));
  t.deepEqual(plan.merged, [2]);
  t.false(plan.topNegligible);
  close(t, plan.real[0], Math.sqrt(((20 + 5) / 1) * (paper.T_2lvl[0] / paper.T_2lvl[1])), 'merged r1');
  t.is(plan.real[1], null);
  t.is(plan.lower[1], 1);
  t.is(plan.lower[0], Math.ceil(plan.real[0]!));
  close(t, plan.topVariance, paper.T_2lvl[1] + paper.T_2lvl[0] / plan.lower[0]!, 'top variance');
  t.is(plan.costPerTop, 20 + 5 + plan.lower[0]!);
});

test('a top level without variance keeps at least three units, at the lowest total cost', (t) => {
  const data = [
    [1, 9, 4, 7],
    [2, 8, 5, 6],
    [0, 10, 3, 8],
  ];
  t.true(varianceComponents(data).T![1]! < 0);
  const plan = planned(t, planForHalfWidth(data, [1, 30], { halfWidth: 0.5 }));
  t.true(plan.topNegligible);
  t.deepEqual(plan.merged, [2]);
  t.true(plan.counts[1]! >= 3);
  t.true(plan.halfWidth <= 0.5);
  // No neighbour that also reaches the width is cheaper.
  const pooled = plan.topVariance * plan.lower[0]!;
  for (let top = 3; top < 40; top++) {
    const r1 = Math.ceil((tQuantile(0.975, top - 1) ** 2 * pooled) / (top * 0.25));
    t.true(top * (30 + r1) >= plan.totalCost, `${top} x ${r1}`);
  }
  const budget = planned(t, planForCost(data, [1, 30], { cost: plan.totalCost }));
  t.true(budget.totalCost <= plan.totalCost);
  t.true(budget.halfWidth <= plan.halfWidth);
});

test('a cost buys as many top units as fit, and no fewer than three', (t) => {
  const plan = planned(t, planForCost(forks, [1, 12], { cost: 400 }));
  t.deepEqual(plan.counts, [3, 26]);
  t.is(plan.totalCost, 390);
  t.is(planForCost(forks, [1, 12], { cost: 44 }).status, 'out-of-reach');
  t.is(planned(t, planForCost(forks, [1, 12], { cost: 45 })).counts[1], 3);
});

test('no plan of other counts is cheaper for the same width (all lower counts up to 12)', (t) => {
  const target = { halfWidth: 0.005 * means.fork95.mean };
  const best = planned(t, planForHalfWidth(forks, [1, 12], target)).totalCost;
  for (let r = 1; r <= 12; r++) {
    // Rounding r up can lose a few per cent; it never loses to a count far away.
    t.true(planned(t, planWithCounts(forks, [1, 12], [r], target)).totalCost >= best * 0.95, `r = ${r}`);
  }
});

test('one value per group, unequal groups, equal values: a status', (t) => {
  const single = varianceComponents([[1], [2], [3]]);
  t.is(single.status, 'too-few');
  if (single.status === 'too-few') t.is(single.level, 1);
  const top = varianceComponents([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
  if (top.status === 'too-few') t.is(top.level, 3);
  t.is(top.status, 'too-few');
  t.is(varianceComponents([[1, 2], [3]]).status, 'unbalanced');
  t.is(
    varianceComponents([
      [
        [1, 2],
        [1, 2],
      ],
      [[1, 2]],
    ]).status,
    'unbalanced',
  );
  const constant = varianceComponents([
    [2, 2],
    [2, 2],
  ]);
  t.is(constant.status, 'constant');
  t.deepEqual(constant.T, [0, 0]);
  t.is(
    planForHalfWidth(
      [
        [2, 2],
        [2, 2],
      ],
      [1, 1],
      { halfWidth: 1 },
    ).status,
    'constant',
  );
  t.is(planForHalfWidth([[2], [3]], [1, 1], { halfWidth: 1 }).status, 'too-few');
  t.is(planForHalfWidth([[2, 1], [3]], [1, 1], { halfWidth: 1 }).status, 'unbalanced');
  t.is(planWithCounts([[2, 1], [3]], [1, 1], [2], { halfWidth: 1 }).status, 'unbalanced');
  t.is(planForHalfWidth(forks, [1, 12], { halfWidth: 1e-9 }).status, 'out-of-reach');
  t.deepEqual(varianceComponents([1, 2, 3]).T, [1], 'a single level');
  const groupsEqual = planned(
    t,
    planForHalfWidth(
      [
        [2, 2],
        [3, 3],
        [4, 4],
      ],
      [1, 5],
      { halfWidth: 1 },
    ),
  );
  t.is(groupsEqual.lower[0], 1, 'no variance below: one value is enough');
});

test('properties: units and order of groups do not matter, a shift adds no variance', (t) => {
  const cell = fc.double({ min: 1, max: 100, noNaN: true });
  const data = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(data, (groups) => {
      const [a, b, c] = [
        varianceComponents(groups),
        varianceComponents(groups.map((group) => group.map((x) => x * 1000))),
        varianceComponents(groups.toReversed()),
      ];
      if (a.status !== 'ok') return a.status === b.status;
      const scale = Math.max(...a.S, 1e-6) * 1e-8;
      const plans = [groups, groups.map((group) => group.map((x) => x * 1000))].map((g, i) =>
        planForHalfWidth(g, [1, 7], { halfWidth: 2 * 1000 ** i }),
      );
      const same =
        plans[0]!.status === 'ok' && plans[1]!.status === 'ok'
          ? plans[0]!.real.every((r, i) => {
              const other = (plans[1] as typeof a & { real: (number | null)[] }).real[i];
              return r === other || relativeError(r!, other!) < 1e-4;
            })
          : plans[0]!.status === plans[1]!.status;
      return same && a.T.every((T, i) => Math.abs(T - b.T![i]! / 1e6) <= scale && Math.abs(T - c.T![i]!) <= scale);
    }),
    { seed: 6 },
  );
  t.pass();
});

test('the estimates are unbiased: mean of 2,000 simulated experiments', (t) => {
  const { next } = normals(77);
  const sums = [0, 0, 0];
  const draws = 2000;
  for (let d = 0; d < draws; d++) {
    const data = Array.from({ length: 4 }, () => {
      const a = 2 * next();
      return Array.from({ length: 3 }, () => {
        const b = next();
        return Array.from({ length: 3 }, () => 50 + a + b + 1.5 * next());
      });
    });
    for (const [i, T] of varianceComponents(data).T!.entries()) sums[i]! += T / draws;
  }
  // True 2.25, 1, 4; about four standard errors.
  t.true(Math.abs(sums[0]! - 2.25) < 0.06, `${sums[0]}`);
  t.true(Math.abs(sums[1]! - 1) < 0.11, `${sums[1]}`);
  t.true(Math.abs(sums[2]! - 4) < 0.36, `${sums[2]}`);
});

test('misuse', (t) => {
  t.throws(() => varianceComponents('x' as unknown as number[]), { instanceOf: TypeError });
  t.throws(() => varianceComponents([[1, 2], 3] as unknown as number[]), { instanceOf: TypeError });
  t.throws(() => varianceComponents([[]]), { instanceOf: RangeError });
  t.throws(
    () =>
      varianceComponents([
        [1, Number.NaN],
        [1, 2],
      ]),
    { instanceOf: RangeError },
  );
  t.throws(() => planForHalfWidth(forks, [1], { halfWidth: 1 }), { instanceOf: RangeError, message: /one per level/ });
  t.throws(() => planForHalfWidth(forks, [1, 0], { halfWidth: 1 }), { instanceOf: RangeError });
  t.throws(() => planForHalfWidth(forks, [1, 1], { halfWidth: 0 }), { instanceOf: RangeError });
  t.throws(() => planForCost(forks, [1, 1], { cost: -1 }), { instanceOf: RangeError });
  t.throws(() => planWithCounts(forks, [1, 1], [0], { halfWidth: 1 }), { instanceOf: RangeError });
  t.throws(() => planWithCounts(forks, [1, 1], [1, 2], { halfWidth: 1 }), { instanceOf: RangeError });
  t.is(costPerTopUnit([3, 20, 100], [5, 2]), 170);
});
