import type { RunResult } from '../../result/model.js';
import { oneLine } from '../columns.js';

/** Trials without a score, as one sentence: formats for machines that know only numbers have no place for a failure. */
export function withoutScore(result: Pick<RunResult, 'trials'>): string[] {
  const names = result.trials
    .filter((trial) => trial.score === null)
    .map((trial) => oneLine(`${trial.suite}.${trial.benchmark}`));
  if (names.length === 0) return [];
  const [first] = names;
  return [
    names.length === 1
      ? `${first} has no score and is left out.`
      : `${names.length} trials have no score and are left out (${first} and ${names.length - 1} more).`,
  ];
}
