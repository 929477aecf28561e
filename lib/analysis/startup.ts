import type { Fork, Trial } from '../result/model.js';
import { goodForks } from './trial-series.js';

/** Phases of a trial's processes before the first call, ms, each the mean over the good forks that have it; null where none does. */
export function startupOf(trial: Trial): Fork['startup'] {
  const forks = goodForks(trial);
  const mean = (phase: keyof Fork['startup']): number | null => {
    const values = forks.map(({ startup }) => startup[phase]).filter((ms) => ms !== null);
    return values.length === 0 ? null : values.reduce((sum, ms) => sum + ms, 0) / values.length;
  };
  return {
    spawnToEntryMs: mean('spawnToEntryMs'),
    loadMs: mean('loadMs'),
    setupMs: mean('setupMs'),
    spawnToFirstInvocationMs: mean('spawnToFirstInvocationMs'),
  };
}
