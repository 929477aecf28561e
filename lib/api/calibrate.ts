/** Calibration experiments: measured, or taken from those that are kept. */
import { type Calibration, calibrate } from '../analysis/adaptive/calibration.js';
import {
  type CalibrationKey,
  calibrationKey,
  keepFolder,
  keepResult,
  readCalibration,
  saveCalibration,
} from '../history/index.js';
import type { RunResult } from '../result/model.js';
import { digestSources } from '../runner/sources.js';
import type { TrialPlan } from '../runner/types.js';
import { withCounts } from './counts.js';
import { type MeasureDeps, measureRun } from './measure.js';
import { type PlanSettings, planRun } from './plan.js';
import type { Prepared } from './prepare.js';

/** Forks and iterations per fork of one trial's experiment. */
export type ExperimentSize = (trial: TrialPlan) => { readonly forks: number; readonly iterations: number };

export interface CalibrationSet {
  /** In the order of the trials. */
  readonly calibrations: readonly Calibration[];
  /** When each was measured; the same instant for all when they were measured now. */
  readonly at: readonly string[];
  /** The experiment, when one was made now. */
  readonly measured: RunResult | null;
  /** Why the experiment could not be kept, when it could not: it will be made again next time. */
  readonly unkept: string | null;
}

export interface CalibrateOptions {
  readonly size: ExperimentSize;
  /** Use what is kept, where it is kept for every trial. */
  readonly reuse: boolean;
  /** Called before an experiment is made, with the run as it will be. */
  readonly onExperiment: (head: RunResult) => void;
}

/**
 * Calibrations of all trials. A new experiment is kept as a run like any other, and what it found under what it depends on.
 */
export async function calibrations(
  prepared: Prepared,
  settings: PlanSettings,
  { size, reuse, onExperiment }: CalibrateOptions,
  deps: MeasureDeps,
): Promise<CalibrationSet> {
  const sized = prepared.trials.map((trial) => {
    const { forks, iterations } = size(trial);
    return withCounts(trial, forks, iterations, settings.source);
  });
  const planned = planRun({ ...prepared, trials: sized }, settings);
  const sources = new Map([...new Set(sized.map(({ file }) => file))].map((file) => [file, digestSources(file)]));
  const root = keepFolder(settings.cwd);
  const keys = planned.head.trials.map((trial, i) => calibrationKey(planned.head, trial, sources.get(sized[i]!.file)!));
  const kept = keys.map((key) => readCalibration(root, key));
  if (reuse && kept.every((entry) => entry !== null)) {
    return {
      calibrations: kept.map((entry) => entry!.calibration),
      at: kept.map((entry) => entry!.at),
      measured: null,
      unkept: null,
    };
  }
  onExperiment(planned.head);
  const result = await measureRun(planned, deps);
  const found = result.trials.map(calibrate);
  let unkept: string | null = null;
  try {
    keepResult(planned.plan.runDir, result);
    if (result.status === 'complete') keepAll(root, keys, found, result);
  } catch (error) {
    unkept = (error as Error).message;
  }
  return { calibrations: found, at: found.map(() => result.createdAt), measured: result, unkept };
}

function keepAll(
  root: string,
  keys: readonly CalibrationKey[],
  found: readonly Calibration[],
  { id, createdAt }: RunResult,
): void {
  for (const [i, calibration] of found.entries()) {
    if (calibration.status === 'failed') continue;
    const head = { format: 'tscope-calibration', version: 1 } as const;
    saveCalibration(root, { ...head, key: keys[i]!, at: createdAt, run: id, calibration });
  }
}
