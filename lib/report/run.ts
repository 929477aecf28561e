import type { Comparison } from '../analysis/compare/index.js';
import type { RunResult } from '../result/model.js';
import { compareLines } from './compare.js';
import { headerLines, measuredLines, planLines, sampleLines } from './header.js';
import { type Look, PLAIN, painter, wrapped } from './look.js';
import { awareLines, failureLines, findingLines, methodLines, scoreTable, startupLines } from './text.js';

/** Header of the readable report: known before the first fork. */
export const headText = (result: RunResult, look: Look = PLAIN): string =>
  `${dimmed([...headerLines(result), ...planLines(result)], look).join('\n')}\n\n`;

const dimmed = (lines: readonly string[], look: Look): string[] =>
  lines.flatMap((line) => wrapped(line, look.width, 4).map((part) => painter(look)('dim', part)));

/** The part of the header that is known now, table, what its columns mean, comparison with the baseline, findings and failures. */
export function bodyText(result: RunResult, comparison: Comparison, look: Look = PLAIN): string {
  const note = (line: string) => wrapped(line, look.width, 2).map((part) => painter(look)('dim', part));
  const parts = [
    dimmed(measuredLines(result.trials), look),
    scoreTable(result.trials, look),
    [...methodLines(result.trials), ...sampleLines(result)].flatMap(note),
    awareLines(result.trials),
    startupLines(result.trials),
    comparison.rows.length === 0 ? [] : compareLines(comparison, false, look),
    findingLines(result, look),
    failureLines(result.trials, look),
    result.status === 'interrupted'
      ? ['Interrupted: scores come from the forks that finished. Go on with: tscope run --resume']
      : [],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
