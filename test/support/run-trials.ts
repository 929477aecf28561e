import type { Environment, Trial } from '#lib/result/model.js';
import { localLauncher, type RunPlan, runPlan, systemClock, type TrialPlan } from '#lib/runner/index.js';
import { noJournal } from '#lib/runner/journal.js';

/** Runs trials in real forks, in random rounds, and keeps nothing on disk. Throws what made a trial fail. */
export async function runTrials(
  trials: readonly TrialPlan[],
  { pin, ...changes }: Partial<RunPlan> & Pick<RunPlan, 'seed'>,
): Promise<readonly Trial[]> {
  const plan: RunPlan = {
    id: 'trials',
    trials,
    order: 'random',
    environment: {} as Environment,
    command: [],
    // Nothing is written: there is no journal.
    runDir: import.meta.dirname,
    toolVersion: '0',
    pin: pin ?? { measured: null, helpers: null },
    failFast: true,
    loader: { cacheDir: '', mode: 'none' },
    ...changes,
  };
  const result = await runPlan(plan, {
    launch: localLauncher(),
    clock: systemClock,
    journal: noJournal,
    sources: { changed: () => null },
    signal: new AbortController().signal,
    onEvent() {},
  });
  for (const { failure } of result.trials) if (failure) throw new Error(failure.message);
  return result.trials;
}
