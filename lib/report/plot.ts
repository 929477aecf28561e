/** A plot for a terminal: one column a value, plain ASCII. */
import { mean } from '../stats/moments.js';

export interface PlotOptions {
  /** Columns for the values; more values than columns are averaged into them. */
  readonly width: number;
  readonly height: number;
  /** Text of a value on the axis. */
  readonly label: (value: number) => string;
  /** Indexes of values to mark below the axis. */
  readonly marks: readonly number[];
}

export interface Plot {
  readonly lines: readonly string[];
  /** Values in one column. */
  readonly perColumn: number;
}

/** Values from left to right on a linear axis between the least and the greatest; marks as `^` below. */
export function plot(values: readonly number[], { width, height, label, marks }: PlotOptions): Plot {
  const perColumn = Math.max(1, Math.ceil(values.length / width));
  const columns: number[] = [];
  for (let i = 0; i < values.length; i += perColumn) {
    const part = values.slice(i, i + perColumn);
    columns.push(mean(part));
  }
  const [low, high] = [Math.min(...columns), Math.max(...columns)];
  const top = height - 1;
  const rowOf = (value: number) => (high === low ? top >> 1 : Math.round(((high - value) / (high - low)) * top));
  const rows = Array.from({ length: height }, () => new Array<string>(columns.length).fill(' '));
  for (const [x, value] of columns.entries()) rows[rowOf(value)]![x] = '*';
  const ticks = new Map(
    high === low
      ? [[top >> 1, label(low)]]
      : [0, top >> 1, top].map((y) => [y, label(high - (high - low) * (y / top))]),
  );
  const room = Math.max(...[...ticks.values()].map((text) => text.length));
  const lines = rows.map((row, y) => `${(ticks.get(y) ?? '').padStart(room)} |${row.join('')}`.trimEnd());
  lines.push(`${' '.repeat(room)} +${'-'.repeat(columns.length)}`);
  if (marks.length > 0) {
    const line = new Array<string>(columns.length).fill(' ');
    for (const at of marks) line[Math.floor(at / perColumn)] = '^';
    lines.push(`${' '.repeat(room)}  ${line.join('').trimEnd()}`);
  }
  return { lines, perColumn };
}
