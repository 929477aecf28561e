import type { Finding, RunResult, StopRule, Trial } from '../result/model.js';
import { stopFinding } from './adaptive/findings.js';
import { ruleFor, stopOutcome, stopScore } from './adaptive/stop.js';
import { awareOf } from './aware.js';
import { findingsOf } from './findings/index.js';
import { trialScore } from './score.js';
import { secondaryScores } from './secondary.js';

/** What completing a result depends on beside the result. */
export interface CompleteOptions {
  /** Ids of findings to silence. */
  readonly allow: ReadonlySet<string>;
  /** Long flags already used (`--forks`), so that advice does not repeat them. */
  readonly flags: ReadonlySet<string>;
}

/** What `judge` makes of the trial; one whose data cannot be judged is failed, so that the others keep theirs. */
function guarded(trial: Trial, judge: () => Trial): Trial {
  try {
    return judge();
  } catch (error) {
    const { message, stack = null } = error instanceof Error ? error : new Error(String(error));
    const failure = {
      phase: 'analysis',
      message: `what was measured cannot be judged (${message}); the data of its forks are in the result file`,
      stack,
      fork: null,
      exitCode: null,
      signal: null,
    };
    return { ...trial, status: 'failed', failure: trial.failure ?? failure, score: null, secondary: {} };
  }
}

/**
 * Score and findings of one trial, without the findings whose ids are in `told` (said of the whole run already). Under a stop rule the interval is that
 * of the rule.
 */
export function completeTrial(
  trial: Trial,
  options: CompleteOptions,
  told: ReadonlySet<string> = new Set(),
  rule?: StopRule,
): Trial {
  return guarded(trial, () => judged(trial, options, told, rule));
}

function judged(trial: Trial, options: CompleteOptions, told: ReadonlySet<string>, rule?: StopRule): Trial {
  const plain = trialScore(trial);
  const own = rule === undefined ? null : ruleFor(rule, trial);
  const score = own === null ? plain : stopScore({ ...trial, score: plain }, own);
  const aware = score === null ? null : awareOf(trial);
  const headed: Trial = { ...trial, score, ...(aware === null ? {} : { aware }) };
  const scored: Trial = { ...headed, secondary: secondaryScores(headed) };
  const known = scored.findings.filter((finding) => !options.allow.has(finding.id));
  const found = findingsOf(scored, options).filter(
    ({ id }) => !told.has(id) && !known.some((finding) => finding.id === id),
  );
  return { ...scored, findings: [...known, ...found] };
}

/** With how the run's stop rule ended. */
function stopped(trial: Trial, { stop, status }: RunResult, { allow }: CompleteOptions): Trial {
  const rule = stop === undefined ? null : ruleFor(stop, trial);
  if (rule === null) return trial;
  const outcome = stopOutcome(trial, rule, status);
  const finding = stopFinding(rule, outcome, trial.forks.length);
  const added = finding === null || allow.has(finding.id) ? [] : [finding];
  return { ...trial, findings: [...trial.findings, ...added], stop: outcome };
}

/** Scores and findings of a raw result. */
export function completeResult(raw: RunResult, options: CompleteOptions): RunResult {
  const findings: Finding[] = raw.findings.filter((finding) => !options.allow.has(finding.id));
  // What is said of the run need not be said again of each trial.
  const told = new Set(findings.map(({ id }) => id));
  const trials = raw.trials.map((trial) =>
    guarded(trial, () => stopped(completeTrial(trial, options, told, raw.stop), raw, options)),
  );
  return { ...raw, trials, findings };
}
