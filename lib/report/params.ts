/** Params as the readable reports show them. */
import type { Params } from '../result/model.js';
import { type Column, oneLine } from './columns.js';

/** A param can hold a whole document; the result file keeps it, a table need not. Characters. */
const LONG = 80;

function paramText(value: unknown): string {
  const text = String(value);
  return oneLine(text.length > LONG ? `${text.slice(0, LONG - 20)}... (${text.length} characters)` : text);
}

/** `(7, 64)` behind a name; nothing without params. */
export function paramSuffix(params: Params): string {
  const values = Object.values(params).map(paramText);
  return values.length > 0 ? `(${values.join(', ')})` : '';
}

/** Names of all params that occur, in the order of their first occurrence. */
export const paramNames = (all: readonly Params[]): string[] => [
  ...new Set(all.flatMap((params) => Object.keys(params))),
];

/** A column for each param that any row has. */
export function paramColumns(rows: readonly Params[]): Column[] {
  return paramNames(rows).map((name) => ({
    title: `(${oneLine(name)})`,
    align: 'right',
    cells: rows.map((params) => (Object.hasOwn(params, name) ? paramText(params[name]) : 'N/A')),
  }));
}
