import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CompareOptions, comparedRun, compareWithin } from '../../analysis/compare/index.js';
import { compareLines } from '../../report/compare.js';
import { headerLines, planLines } from '../../report/header.js';
import { awareLines, failureLines, findingLines, methodLines, scoreTable } from '../../report/text.js';
import type { RunResult } from '../../result/model.js';
import { UsageError } from '../../runner/usage-error.js';

/** Can `path` be written? Asked before measuring, so that no run is spoiled by a mistyped folder. Throws UsageError. */
export function checkWritable(flag: string, path: string, cwd: string): string {
  const target = resolve(cwd, path);
  const folder = dirname(target);
  const problem = (() => {
    if (!existsSync(folder)) return `the folder ${folder} does not exist; create it first`;
    if (existsSync(target) && statSync(target).isDirectory()) return 'it is a folder; name a file in it';
    try {
      accessSync(folder, constants.W_OK);
      if (existsSync(target)) accessSync(target, constants.W_OK);
      return null;
    } catch {
      return 'it cannot be written; check the permissions';
    }
  })();
  if (problem !== null) throw new UsageError(`${flag} ${path}: ${problem}.`);
  return target;
}

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
