/** Calibrations that are kept: for one host, runtime, benchmark file and set of options each, and no longer than these stay as they are. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calibration } from '../analysis/adaptive/calibration.js';
import { runFacts, trialFacts } from '../analysis/compare/arms.js';
import { makeFolder, writeWhole } from '../result/files.js';
import type { RunResult, Trial } from '../result/model.js';

/** What a calibration is of; any change makes it another. */
export interface CalibrationKey {
  readonly trial: string;
  readonly host: string;
  /** Hash of Node, CPU, machine settings and options. */
  readonly facts: string;
  /** Hash of the benchmark file; what it imports is not in it. */
  readonly source: string;
}

export interface KeptCalibration {
  readonly format: 'tscope-calibration';
  readonly version: 1;
  readonly key: CalibrationKey;
  /** When the experiment began, and its run. */
  readonly at: string;
  readonly run: string;
  readonly calibration: Calibration;
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The key of a trial of a run that is about to begin: its forks do not matter. */
export function calibrationKey(run: Pick<RunResult, 'environment'>, trial: Trial, source: string): CalibrationKey {
  const facts = [...runFacts(run), ...trialFacts({ ...trial, forks: [] })];
  return { trial: trial.id, host: run.environment.host, facts: sha(JSON.stringify(facts)).slice(0, 16), source };
}

const fileOf = (root: string, key: CalibrationKey): string =>
  join(root, 'plans', `${sha(JSON.stringify(key)).slice(0, 24)}.json`);

/** The calibration kept under a key; null when there is none that can be read. */
export function readCalibration(root: string, key: CalibrationKey): KeptCalibration | null {
  const file = fileOf(root, key);
  if (!existsSync(file)) return null;
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as KeptCalibration;
    const known = kept.format === 'tscope-calibration' && kept.version === 1 && Array.isArray(kept.calibration.data);
    return known && JSON.stringify(kept.key) === JSON.stringify(key) ? kept : null;
  } catch {
    // Damaged: measured anew, which replaces it.
    return null;
  }
}

/** Keeps a calibration. @throws The file system's error. */
export function saveCalibration(root: string, kept: KeptCalibration): void {
  makeFolder(join(root, 'plans'));
  writeWhole(fileOf(root, kept.key), `${JSON.stringify(kept)}\n`);
}
