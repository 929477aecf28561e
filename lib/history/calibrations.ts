/** Calibrations that are kept: for one host, runtime, benchmark file with what it imports and set of options each, and no longer than these stay as they are. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Calibration, recalibrate } from '../analysis/adaptive/calibration.js';
import { runFacts, trialFacts } from '../analysis/compare/arms.js';
import { makeFolder, writeWhole } from '../result/files.js';
import type { RunResult, Trial } from '../result/model.js';

/** What a calibration is of; any change makes it another. */
export interface CalibrationKey {
  readonly trial: string;
  readonly host: string;
  /** Hash of Node, CPU, machine settings and options. */
  readonly facts: string;
  /** Hash of the benchmark file and of what it imports; what is installed or named only at run time is not in it. */
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

const number = v.pipe(v.number(), v.finite());
/** The shape of a kept calibration; what follows from its data is not read. */
const keptSchema = v.looseObject({
  format: v.literal('tscope-calibration'),
  version: v.literal(1),
  key: v.looseObject({}),
  at: v.string(),
  run: v.string(),
  calibration: v.looseObject({
    trial: v.string(),
    name: v.string(),
    params: v.record(v.string(), v.union([v.string(), number, v.boolean(), v.null()])),
    mode: v.picklist(['thrpt', 'avgt', 'sample', 'ss']),
    unit: v.string(),
    mean: number,
    costMs: v.looseObject({ iteration: number, fork: number }),
    data: v.array(v.array(number)),
  }),
});

/** The calibration kept under a key; null when there is none, or none that can be used: it is measured anew then, which replaces it. */
export function readCalibration(root: string, key: CalibrationKey): KeptCalibration | null {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(fileOf(root, key), 'utf8'));
  } catch {
    return null;
  }
  if (!v.is(keptSchema, value)) return null;
  const kept = value as unknown as KeptCalibration;
  if (JSON.stringify(kept.key) !== JSON.stringify(key)) return null;
  const calibration = recalibrate(kept.calibration);
  return calibration === null ? null : { ...kept, calibration };
}

/** Keeps a calibration. @throws The file system's error. */
export function saveCalibration(root: string, kept: KeptCalibration): void {
  makeFolder(join(root, 'plans'));
  writeWhole(fileOf(root, kept.key), `${JSON.stringify(kept)}\n`);
}
