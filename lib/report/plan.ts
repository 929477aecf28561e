import type { Calibration, Experiment, Recommendation } from '../analysis/adaptive/calibration.js';
import { type Column, layout, oneLine } from './columns.js';
import { paramColumns } from './params.js';

/** Formats calibrations and the experiments they lead to; everything is computed before. */

export interface PlanRow {
  readonly calibration: Calibration;
  readonly recommendation: Recommendation;
}

const percent = (share: number): string => `${(share * 100).toPrecision(2)} %`;

function time(ms: number): string {
  return ms < 1000
    ? `${ms.toFixed(0)} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${(ms / 60_000).toFixed(1)} min`;
}

const experiment = (found: Experiment | null): string => (found === null ? '' : `${found.forks} x ${found.iterations}`);

const REASONS: Readonly<Record<Exclude<Recommendation['status'], 'ok' | 'constant'>, string>> = {
  unbalanced: 'forks have different numbers of iterations',
  'too-few': 'needs two forks and two iterations at least',
  'not-positive': 'the mean is not above zero',
  failed: 'forks failed or measured nothing',
  'out-of-reach': 'no number of forks is enough',
};

/** One line a trial: what varies, what it costs, and how often to measure. */
export function planTable(rows: readonly PlanRow[]): string[] {
  const column = (title: string, align: Column['align'], cell: (row: PlanRow) => string): Column => ({
    title,
    align,
    cells: rows.map(cell),
  });
  return layout([
    column('Benchmark', 'left', ({ calibration }) => oneLine(calibration.name)),
    ...paramColumns(rows.map(({ calibration }) => calibration.params)),
    column('Mode', 'right', ({ calibration }) => calibration.mode),
    column('SD fork', 'right', ({ calibration: { relativeSd } }) =>
      relativeSd === null ? '' : percent(relativeSd.fork),
    ),
    column('SD iteration', 'right', ({ calibration: { relativeSd } }) =>
      relativeSd === null ? '' : percent(relativeSd.iteration),
    ),
    column('Fork takes', 'right', ({ calibration: { costMs } }) => (costMs === null ? '' : time(costMs.fork))),
    column('Iteration takes', 'right', ({ calibration: { costMs } }) =>
      costMs === null ? '' : time(costMs.iteration),
    ),
    column('Forks x iterations', 'right', ({ recommendation: { best, status } }) =>
      best === null ? REASONS[status as keyof typeof REASONS] : experiment(best),
    ),
    column('Time', 'right', ({ recommendation: { best } }) => (best === null ? '' : time(best.totalMs))),
    column('Customary', 'right', ({ recommendation: { customary } }) => experiment(customary)),
    column('Time', 'right', ({ recommendation: { customary } }) => (customary === null ? '' : time(customary.totalMs))),
  ]);
}

/** What the columns mean. */
export function planLegend(halfWidth: number, confidence: number): string[] {
  return [
    `Forks x iterations: the cheapest experiment whose ${Number((confidence * 100).toPrecision(6))} % interval can be expected to be ±${Number((halfWidth * 100).toPrecision(6))} % (Kalibera and Jones).`,
    'SD: what each level adds by itself, relative to the mean; 0 % where it adds nothing beyond the level below.',
    'Takes: one more fork without its iterations (start, setup, warm-up), one more iteration.',
    'Customary: the same width with 5 iterations a fork.',
    'The plan takes what varied here as known; tscope run --precision makes sure of the width.',
  ];
}
