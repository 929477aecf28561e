import type { Finding, Trial } from '../../result/model.js';
import { steadiness } from '../steady.js';
import { awareDiffers } from './aware-differs.js';
import { bimodalForks } from './bimodal-forks.js';
import { canaryStray } from './canary-stray.js';
import { clockJump } from './clock-jump.js';
import { deoptInside } from './deopt-inside.js';
import { eliminated } from './eliminated.js';
import { findingsOfForks } from './from-forks.js';
import { gcInside } from './gc-inside.js';
import { granularity } from './granularity.js';
import { interference } from './interference.js';
import { noAddon } from './no-addon.js';
import { notPinned } from './not-pinned.js';
import { notSteady } from './not-steady.js';
import { notTopTier } from './not-top-tier.js';
import { nothingReturned } from './nothing-returned.js';
import { outlierIterations } from './outlier-iterations.js';
import type { FindingRule } from './rule.js';
import { tooFewForks } from './too-few-forks.js';
import { trending } from './trending.js';
import { warmupCap } from './warmup-cap.js';

export type { FindingRule, RuleContext } from './rule.js';

/** All rules over one trial, gravest first: this is also the order in which they are shown. */
export const TRIAL_RULES: readonly FindingRule[] = [
  eliminated,
  nothingReturned,
  clockJump,
  noAddon,
  notPinned,
  tooFewForks,
  notTopTier,
  granularity,
  notSteady,
  trending,
  warmupCap,
  interference,
  awareDiffers,
  canaryStray,
  bimodalForks,
  deoptInside,
  gcInside,
  outlierIterations,
];

export interface FindingsOptions {
  /** Ids of findings to silence. */
  readonly allow?: ReadonlySet<string>;
  /** Long flags already used on the command line, for example `--forks`. */
  readonly flags?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Findings of a trial from its raw data: what its forks said (once per id), then the rules. A rule whose id a fork has used
 * already adds nothing, because the fork was nearer to the cause. What the trial holds in `findings` is not repeated or read.
 */
export function findingsOf(trial: Trial, { allow = NONE, flags = NONE }: FindingsOptions = {}): Finding[] {
  const found = findingsOfForks(trial);
  const told = new Set(found.map((finding) => finding.id));
  const context = { flags, steadiness: steadiness(trial) };
  for (const rule of TRIAL_RULES) {
    if (allow.has(rule.id) || told.has(rule.id)) continue;
    const finding = rule.check(trial, context);
    if (finding !== null) found.push(finding);
  }
  return found.filter((finding) => !allow.has(finding.id));
}
