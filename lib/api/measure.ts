import { forksWanted } from '../analysis/adaptive/stop.js';
import { type CompleteOptions, completeResult } from '../analysis/complete.js';
import type { RunResult } from '../result/model.js';
import {
  type CpuPlan,
  claimCpus,
  localLauncher,
  RunDirError,
  type RunEvent,
  resumeRun,
  startRun,
  systemClock,
} from '../runner/index.js';
import { UsageError } from '../runner/usage-error.js';
import type { PlannedRun } from './plan.js';

/** What a run is measured under. */
export interface MeasureDeps {
  readonly onEvent: (event: RunEvent) => void;
  /** Aborting stops the run; everything before the fork in flight is kept. */
  readonly signal: AbortSignal;
  /** Takes this process off the measured CPUs while they measure. Default true. */
  readonly moveHost?: boolean;
  /** Ids of findings to silence, and flags that advice does not repeat (computed from the command of the run). */
  readonly complete: (raw: RunResult) => CompleteOptions;
}

async function measure(deps: MeasureDeps, begin: (host: Parameters<typeof startRun>[1]) => Promise<RunResult>) {
  const { onEvent, signal, moveHost = true } = deps;
  const host = {
    launch: localLauncher(),
    clock: systemClock,
    onEvent,
    signal,
    forksWanted,
    leaveCpus: (cpus: CpuPlan) => claimCpus(cpus, moveHost),
  };
  try {
    const raw = await begin(host);
    return completeResult(raw, deps.complete(raw));
  } catch (error) {
    if (error instanceof RunDirError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Measures a planned run, scores it and finds what there is to find.
 *
 * @throws UsageError when its folder cannot be used.
 */
export function measureRun({ plan, findings }: PlannedRun, deps: MeasureDeps): Promise<RunResult> {
  return measure(deps, async (host) => {
    const raw = await startRun(plan, host);
    return { ...raw, findings: [...findings, ...raw.findings] };
  });
}

/**
 * Goes on with the interrupted run in `runDir`.
 *
 * @throws UsageError when there is none, or another process is at work on it.
 */
export function measureRest(runDir: string, deps: MeasureDeps): Promise<RunResult> {
  return measure(deps, (host) => resumeRun(runDir, host));
}
