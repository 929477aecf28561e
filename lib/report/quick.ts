import { inspect } from 'node:util';
import type { QuickRun, QuickSummary } from '../api/quick.js';

const shown = (value: unknown): string => {
  const text = inspect(value, { depth: 0, maxArrayLength: 3, maxStringLength: 30, breakLength: Infinity });
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
};

/** Four significant digits, never in scientific form; whole numbers keep all of theirs. */
const digits = (value: number): string => {
  if (value === 0) return '0';
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 12));
};

/** `run      3      1.234 ms   returned 42`. */
export function quickLine(run: QuickRun): string {
  const time = `${digits(run.time / 1e6)} ms`;
  return `${run.kind.padEnd(7)} ${String(run.index).padStart(3)} ${time.padStart(14)}   returned ${shown(run.returned)}`;
}

/** Average, minimum and maximum: per step in ns; in total in ns, ms and s. */
export function quickTable(summary: QuickSummary, steps: number): string[] {
  const columns: readonly (readonly [string, number])[] = [
    ['ns/step', steps],
    ['total ns', 1],
    ['total ms', 1e6],
    ['total s', 1e9],
  ];
  const rows = (['average', 'minimum', 'maximum'] as const).map((name) => [
    name,
    ...columns.map(([, divisor]) => digits(summary[name] / divisor)),
  ]);
  const table = [['', ...columns.map(([title]) => title)], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
  );
}
