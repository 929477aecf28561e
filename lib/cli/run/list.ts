import { oneLine } from '../../report/columns.js';
import type { TrialPlan } from '../../runner/types.js';

/** Lines of `-l`: full names, each once; of `-lp`: every trial with its params and mode. */
export function listLines(trials: readonly TrialPlan[], withParams: boolean): string[] {
  const lines = trials.map((trial) => {
    const name = `${trial.suite}.${trial.benchmark}`;
    if (!withParams) return name;
    const params = Object.entries(trial.params).map(([key, value]) => ` ${key}=${value}`);
    return `${name} [${trial.mode}]${params.join('')}`;
  });
  return [...new Set(lines.map(oneLine))];
}
