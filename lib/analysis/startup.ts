import type { Fork, Trial } from '../result/model.js';
import { goodForks } from './trial-series.js';

/** Phases of a trial's processes before the first call, ms, each the mean over the forks that have it; null where none does. */
export type Startup = Fork['startup'];

const PHASES = ['spawnToEntryMs', 'loadMs', 'setupMs', 'spawnToFirstInvocationMs'] as const;

/** Start-up of a trial's forks, null for a trial without a good one. */
export function startupOf(trial: Trial): Startup | null {
  const forks = goodForks(trial);
  if (forks.length === 0) return null;
  const mean = (phase: (typeof PHASES)[number]): number | null => {
    const values = forks.map(({ startup }) => startup[phase]).filter((ms) => ms !== null);
    return values.length === 0 ? null : values.reduce((sum, ms) => sum + ms, 0) / values.length;
  };
  return Object.fromEntries(PHASES.map((phase) => [phase, mean(phase)])) as unknown as Startup;
}
