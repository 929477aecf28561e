/** Calibration: what varies at which level, what it costs, and the cheapest experiment that reaches a width (Kalibera and Jones 2013). Pure. */
import type { Mode, Params, Trial } from '../../result/model.js';
import { mean, sd } from '../../stats/moments.js';
import { type Plan, planForHalfWidth, planWithCounts } from '../../stats/replication-plan.js';
import { unitsForMean } from '../../stats/sample-size.js';
import { tFactor } from '../../stats/special.js';
import { varianceComponents } from '../../stats/variance-components.js';
import { goodForks } from '../trial-series.js';

/** The customary number of iterations per fork, that of the defaults: what a plan is held against. */
export const CUSTOMARY_ITERATIONS = 5;

/** What a calibration experiment found for one trial. */
export interface Calibration {
  readonly trial: string;
  readonly name: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly unit: string;
  readonly status: 'ok' | 'constant' | 'unbalanced' | 'too-few' | 'not-positive' | 'failed';
  /** Mean score, in `unit`; null when `failed`. */
  readonly mean: number | null;
  /** Relative standard deviation that each level adds by itself; negative components count as 0. Null without components. */
  readonly relativeSd: { readonly iteration: number; readonly fork: number } | null;
  /** Wall time of one more iteration, and of one more fork without its iterations (start, setup, warm-up), ms. */
  readonly costMs: { readonly iteration: number; readonly fork: number } | null;
  /** Scores of the iterations of each fork, relative to the mean: what plans are made from. */
  readonly data: readonly (readonly number[])[];
}

/** Calibration of a trial from its forks. Never throws for what a trial can hold. */
export function calibrate(trial: Trial): Calibration {
  const { id, suite, benchmark, params, mode } = trial;
  const forks = goodForks(trial);
  const scores = forks.map((fork) => fork.iterations.map((iteration) => iteration.score));
  const head = {
    ...{ trial: id, name: `${suite}.${benchmark}`, params, mode },
    unit: trial.score?.unit ?? '',
    mean: null,
    relativeSd: null,
    costMs: null,
    data: [],
  };
  if (
    forks.length === 0 ||
    forks.length < trial.forks.length ||
    scores.some((list) => list.length === 0 || list.includes(null))
  )
    return { ...head, status: 'failed' };
  const values = scores as number[][];
  const center = mean(values.map((list) => mean(list)));
  if (!(center > 0)) return { ...head, status: 'not-positive', mean: center };
  const data = values.map((list) => list.map((score) => score / center));
  const iterations = forks.reduce((sum, fork) => sum + fork.iterations.length, 0);
  const inside = forks.reduce((sum, fork) => sum + fork.iterations.reduce((ms, { wallNs }) => ms + wallNs / 1e6, 0), 0);
  const whole = forks.reduce((sum, fork) => sum + fork.wallMs, 0);
  // A fork takes longer than its iterations; a clock step that says otherwise must not make forks free.
  const costMs = { iteration: inside / iterations, fork: Math.max(1, (whole - inside) / forks.length) };
  return fromData(head, center, costMs, data);
}

type Head = Pick<Calibration, 'trial' | 'name' | 'params' | 'mode' | 'unit'>;

/** What follows from relative scores: the status, and what each level adds. */
function fromData(
  head: Head,
  center: number,
  costMs: NonNullable<Calibration['costMs']>,
  data: Calibration['data'],
): Calibration {
  const common = { ...head, mean: center, costMs, data };
  const found = varianceComponents(data);
  if (found.status === 'unbalanced' || found.status === 'too-few')
    return { ...common, status: found.status, relativeSd: null };
  const [iteration, fork] = found.T.map((T) => Math.sqrt(Math.max(0, T))) as [number, number];
  return { ...common, status: found.status, relativeSd: { iteration, fork } };
}

/**
 * A calibration that was kept, with everything that follows from its data made anew; null when the data are none. `kept` has the shape of a calibration,
 * numbers may be any.
 */
export function recalibrate({
  trial,
  name,
  params,
  mode,
  unit,
  mean: center,
  costMs,
  data,
}: Calibration): Calibration | null {
  const positive = (value: number) => value > 0 && value < Infinity;
  if (center === null || !positive(center) || costMs === null || !positive(costMs.iteration) || !positive(costMs.fork))
    return null;
  if (data.length === 0 || data.some((list) => list.length === 0)) return null;
  // Relative scores have a mean of 1.
  if (!(Math.abs(mean(data.map((list) => mean(list))) - 1) < 1e-6)) return null;
  return fromData({ trial, name, params, mode, unit }, center, costMs, data);
}

/** An experiment: how many forks of how many iterations, the relative half-width to expect and the time it takes. */
export interface Experiment {
  readonly forks: number;
  readonly iterations: number;
  readonly halfWidth: number;
  readonly totalMs: number;
}

export interface Recommendation {
  /** `ok`, or why there is no plan; `out-of-reach`: no number of forks is enough. */
  readonly status: Exclude<Plan['status'], 'constant'> | 'constant' | 'not-positive' | 'failed';
  readonly best: Experiment | null;
  /** The same width with the customary iterations per fork. */
  readonly customary: Experiment | null;
}

const experiment = (plan: Plan): Experiment | null =>
  plan.status === 'ok'
    ? { forks: plan.counts[1]!, iterations: plan.counts[0]!, halfWidth: plan.halfWidth, totalMs: plan.totalCost }
    : null;

/** Fewest forks of a plan: with fewer no interval is printed. */
const LEAST_FORKS = 3;
/** More iterations in one fork are no plan. */
const MOST_ITERATIONS = 1e9;

/** With more forks than this t is within 0.6 % of normal, and what it does to the costs within 1 %. */
const MANY_FORKS = 200;

/**
 * The cheapest experiment with at least three forks. Kalibera and Jones' counts are the cheapest where the t quantile stays as it is; with few forks it does not: one fork more
 * narrows the interval by more than its share of the variance, so that fewer iterations in more forks can cost less. Every number of few forks is therefore
 * tried, with the fewest iterations that reach the width: t sqrt((T_fork^2 + T_iteration^2 / r) / n) <= h.
 *
 * @param found Kalibera and Jones' experiment.
 */
function cheapest(
  found: Experiment | null,
  { iteration, fork }: { readonly iteration: number; readonly fork: number },
  costMs: NonNullable<Calibration['costMs']>,
  halfWidth: number,
  confidence: number,
): Experiment | null {
  let best = found !== null && found.forks >= LEAST_FORKS ? found : null;
  for (let forks = LEAST_FORKS; forks <= MANY_FORKS; forks++) {
    const most = best?.totalMs ?? Infinity;
    if (forks * (costMs.fork + costMs.iteration) >= most) break;
    const t = tFactor(confidence, forks - 1);
    const room = forks * (halfWidth / t) ** 2 - fork ** 2;
    if (!(room > 0)) continue;
    // A whole number but for rounding is that whole number.
    const iterations = Math.max(1, Math.ceil(iteration ** 2 / room - 1e-9));
    const totalMs = forks * (costMs.fork + iterations * costMs.iteration);
    if (!(iterations <= MOST_ITERATIONS) || totalMs >= most) continue;
    const reached = t * Math.sqrt((fork ** 2 + iteration ** 2 / iterations) / forks);
    best = { forks, iterations, halfWidth: reached, totalMs };
  }
  return best;
}

/** An experiment with at least three forks of the same iterations. */
function withForks(
  found: Experiment | null,
  { iteration, fork }: { readonly iteration: number; readonly fork: number },
  costMs: NonNullable<Calibration['costMs']>,
  confidence: number,
): Experiment | null {
  if (found === null || found.forks >= LEAST_FORKS) return found;
  const { iterations } = found;
  return {
    forks: LEAST_FORKS,
    iterations,
    halfWidth:
      tFactor(confidence, LEAST_FORKS - 1) * Math.sqrt((fork ** 2 + iteration ** 2 / iterations) / LEAST_FORKS),
    totalMs: LEAST_FORKS * (costMs.fork + iterations * costMs.iteration),
  };
}

/** One value per fork (single shot): forks are all there is to plan. */
function forksOnly(
  data: Calibration['data'],
  costMs: NonNullable<Calibration['costMs']>,
  halfWidth: number,
  confidence: number,
): Recommendation {
  const none = { status: 'too-few', best: null, customary: null } as const;
  if (data.length < LEAST_FORKS || data.some((list) => list.length > 1)) return none;
  const needed = unitsForMean(sd(data.map((list) => list[0]!)), halfWidth, confidence);
  if (needed.status !== 'ok') return { ...none, status: 'out-of-reach' };
  const forks = Math.max(LEAST_FORKS, needed.n);
  const best = { forks, iterations: 1, halfWidth, totalMs: forks * (costMs.fork + costMs.iteration) };
  return { status: 'ok', best, customary: null };
}

/** The cheapest forks x iterations expected to reach a relative half-width. */
export function recommend(calibration: Calibration, halfWidth: number, confidence: number): Recommendation {
  const { status, costMs, data } = calibration;
  if (status === 'too-few' && costMs !== null) return forksOnly(data, costMs, halfWidth, confidence);
  if (costMs === null || (status !== 'ok' && status !== 'constant')) {
    return { status: status === 'ok' ? 'failed' : status, best: null, customary: null };
  }
  const costs = [costMs.iteration, costMs.fork] as const;
  if (status === 'constant') {
    const least = { forks: LEAST_FORKS, iterations: 1, halfWidth: 0, totalMs: LEAST_FORKS * (costs[1] + costs[0]) };
    return { status, best: least, customary: null };
  }
  const target = { halfWidth, confidence };
  const plan = planForHalfWidth(data, costs, target);
  const customary = planWithCounts(data, costs, [CUSTOMARY_ITERATIONS], target);
  const best = experiment(plan);
  return {
    status: plan.status,
    best:
      calibration.relativeSd === null ? best : cheapest(best, calibration.relativeSd, costMs, halfWidth, confidence),
    customary:
      calibration.relativeSd === null
        ? experiment(customary)
        : withForks(experiment(customary), calibration.relativeSd, costMs, confidence),
  };
}
