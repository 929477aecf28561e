import { type CompareOptions, comparedRun, compareWithin } from '../analysis/compare/index.js';
import type { RunResult } from '../result/model.js';
import { compareLines } from './compare.js';
import { headerLines, planLines } from './header.js';
import { awareLines, failureLines, findingLines, methodLines, scoreTable } from './text.js';

/** Header of the readable report: known before the first fork. */
export const headText = (result: RunResult): string =>
  `${[...headerLines(result), ...planLines(result)].join('\n')}\n\n`;

/** The benchmarks of each suite against its baseline; nothing where none is declared. */
function comparisonLines(result: RunResult, options: CompareOptions): string[] {
  const comparison = compareWithin(comparedRun(result, result.id), options);
  return comparison.rows.length === 0 ? [] : compareLines(comparison, false);
}

/** Table, what its columns mean, comparison with the baseline, findings and failures. */
export function bodyText(result: RunResult, comparing: CompareOptions = {}): string {
  const parts = [
    scoreTable(result.trials),
    methodLines(result.trials),
    awareLines(result.trials),
    comparisonLines(result, comparing),
    findingLines(result),
    failureLines(result.trials),
    result.status === 'interrupted'
      ? ['Interrupted: scores come from the forks that finished. Go on with: tscope run --resume']
      : [],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
