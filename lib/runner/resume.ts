/** Beginning a run, and going on with one that was interrupted. */
import { readFileSync } from 'node:fs';
import type { RunResult } from '../result/model.js';
import { createRun, type JournalEntry, type JournalFs, reopenRun } from './journal.js';
import { ForkRecorder } from './recorder.js';
import { type EarlierFork, type RunDeps, runPlan } from './run.js';
import { hashSources, watchSources } from './sources.js';
import type { RunPlan } from './types.js';

/** What a caller supplies; the rest comes from the run's folder. */
export type HostDeps = Omit<RunDeps, 'journal' | 'sources' | 'earlier' | 'createdAt'> & {
  readonly journalFs?: JournalFs;
};

/**
 * Begins a run: creates its folder, then runs the plan.
 * @throws {RunDirError} When the folder cannot be written; nothing was measured then.
 */
export async function startRun(plan: RunPlan, deps: HostDeps): Promise<RunResult> {
  const stored = {
    plan: { ...plan, cwd: plan.cwd ?? process.cwd() },
    createdAt: new Date(deps.clock.epochMs()).toISOString(),
    sources: hashSources(plan.trials.map(({ file }) => file)),
  };
  const journal = createRun(stored, deps.journalFs);
  try {
    return await runPlan(stored.plan, {
      ...deps,
      journal,
      sources: watchSources(stored.sources),
      createdAt: stored.createdAt,
    });
  } finally {
    journal.close();
  }
}

/**
 * Goes on with the run in `runDir`: keeps every finished fork, repeats none, runs the rest in the order planned then.
 * On a run that is complete it runs nothing and returns the result again.
 * @throws {RunDirError} When there is no readable run, or another process is at work on it.
 */
export async function resumeRun(runDir: string, deps: HostDeps): Promise<RunResult> {
  const { stored, entries, journal } = reopenRun(runDir, deps.journalFs);
  try {
    killOrphan(stored.plan.id, entries);
    return await runPlan(stored.plan, {
      ...deps,
      journal,
      sources: watchSources(stored.sources),
      createdAt: stored.createdAt,
      earlier: finishedForks(stored.plan, entries),
    });
  } finally {
    journal.close();
  }
}

/** The forks that a journal tells to the end. */
export function finishedForks(plan: RunPlan, entries: readonly JournalEntry[]): EarlierFork[] {
  const finished: EarlierFork[] = [];
  const recorders = new Map<string, ForkRecorder>();
  for (const entry of entries) {
    if (entry.type === 'start') {
      const trial = plan.trials[Number.parseInt(entry.slot, 10)];
      recorders.set(entry.slot, new ForkRecorder(trial?.fork.iterations ?? 0));
    } else if (entry.type === 'message') {
      recorders.get(entry.slot)?.take(entry.message);
    } else {
      const recorder = recorders.get(entry.slot);
      if (recorder) {
        const { slot, frame, rerun, why } = entry;
        finished.push({ slot, fork: recorder.finish(frame), rerun, ...(why ? { why } : {}) });
      }
    }
  }
  return finished;
}

/** A fork that outlived its host would run beside the ones that follow. Only one that carries this run's mark is killed. */
function killOrphan(id: string, entries: readonly JournalEntry[]): void {
  const last = entries.findLast((entry) => entry.type !== 'message');
  if (last?.type !== 'start' || last.pid === null) return;
  try {
    const environment = readFileSync(`/proc/${last.pid}/environ`, 'utf8').split('\0');
    if (environment.includes(`TSCOPE_FORK=${id}/${last.slot}`)) process.kill(-last.pid, 'SIGKILL');
  } catch {
    // Gone, or no /proc: nothing that can be told apart from another process.
  }
}
