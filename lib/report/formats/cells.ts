import type { Trial } from '../../result/model.js';
import { paramNames } from '../params.js';
import { methodLines, type ScoreRow, scoreRows } from '../text.js';

/** A table of scores as texts that a format only has to escape. */
export interface Cells {
  readonly titles: readonly string[];
  readonly rows: readonly { readonly row: ScoreRow; readonly cells: readonly string[] }[];
  /** Index of the first column of numbers: those before are names. */
  readonly numbers: number;
  /** What the error is. */
  readonly notes: readonly string[];
}

/** Benchmark, params, Mode, Cnt, Score, Error, Units. A param that a benchmark lacks is empty. */
export function cellsOf(trials: readonly Trial[]): Cells {
  const params = paramNames(trials.map(({ params }) => params));
  return {
    titles: ['Benchmark', ...params, 'Mode', 'Cnt', 'Score', 'Error', 'Units'],
    rows: scoreRows(trials).map((row) => ({
      row,
      cells: [
        row.label,
        ...params.map((name) => (Object.hasOwn(row.trial.params, name) ? String(row.trial.params[name]) : '')),
        row.trial.mode,
        row.count,
        row.score,
        row.error === '' ? '' : `± ${row.error}`,
        row.unit,
      ],
    })),
    numbers: params.length + 2,
    notes: methodLines(trials),
  };
}
