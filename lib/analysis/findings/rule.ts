import type { Finding, Trial } from '../../result/model.js';
import type { Steadiness } from '../steady.js';
import { chose } from '../trial-series.js';

/** What a rule may know beside the trial. */
export interface RuleContext {
  /** Long flags of the command line already used, for example `--forks`: advice does not repeat them. */
  readonly flags: ReadonlySet<string>;
  /** State of the trial, worked out once for all rules. */
  readonly steadiness: Steadiness;
}

/**
 * One thing worth knowing about a trial, seen in its data.
 *
 * Not every finding is a rule: one is made where its fact is known. What only the measuring process sees (a body that takes no input, a clock too coarse for
 * a sample) is told by the fork (lib/engine), what concerns how forks were run (shared CPUs, a fork run again, a lost journal) by the run (lib/runner), how a stop
 * rule or a budget ended by lib/analysis/adaptive. What follows from the recorded data is a rule, and only there, so that its advice knows the flags.
 *
 * One file per rule, its threshold a named constant, its message one sentence. */
export interface FindingRule {
  /** Stable: users silence it with `--allow <id>`. */
  readonly id: string;
  readonly severity: Finding['severity'];
  /** The finding, or null when there is nothing to say. Must not throw, whatever the trial holds. */
  check(trial: Trial, context: RuleContext): Finding | null;
}

/** Advice of every rule that wants more warm-up: without naming as new what the user has set already. */
export const longerWarmup = (trial: Trial, flags: ReadonlySet<string>): string =>
  chose(trial, flags, 'warmupIterations', '--warmup-iterations')
    ? 'raise --warmup-iterations'
    : 'set a longer warm-up with --warmup-iterations';

/** Indexes of forks for a finding; undefined (all) when it concerns every one of `of`. */
export function forksField(concerned: readonly number[], of: number): { readonly forks?: readonly number[] } {
  const unique = [...new Set(concerned)].sort((a, b) => a - b);
  return unique.length === of ? {} : { forks: unique };
}
