import type { OptionSource } from '../result/model.js';
import type { TrialPlan } from '../runner/types.js';

/** The trial with other numbers of forks and iterations, its limit of time with them; on record as set by `source`. */
export function withCounts(trial: TrialPlan, forks: number, iterations: number, source: OptionSource): TrialPlan {
  const more = Math.max(0, iterations - trial.fork.iterations);
  const option = (value: number) => ({ value, source });
  return {
    ...trial,
    forks,
    fork: { ...trial.fork, iterations },
    forkTimeoutMs: trial.forkTimeoutMs + 4 * more * trial.fork.iterationTimeMs,
    options: { ...trial.options, forks: option(forks), iterations: option(iterations) },
  };
}
