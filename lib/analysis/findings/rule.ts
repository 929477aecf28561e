import type { Finding, Trial } from '../../result/model.js';
import type { Steadiness } from '../steady.js';

/** What a rule may know beside the trial. */
export interface RuleContext {
  /** Long flags of the command line already used, for example `--forks`: advice does not repeat them. */
  readonly flags: ReadonlySet<string>;
  /** State of the trial, worked out once for all rules. */
  readonly steadiness: Steadiness;
}

/** One thing worth knowing about a trial. One file per rule, its threshold a named constant, its message one sentence. */
export interface FindingRule {
  /** Stable: users silence it with `--allow <id>`. */
  readonly id: string;
  readonly severity: Finding['severity'];
  /** The finding, or null when there is nothing to say. Must not throw, whatever the trial holds. */
  check(trial: Trial, context: RuleContext): Finding | null;
}

/** Indexes of forks for a finding; undefined (all) when it concerns every one of `of`. */
export function forksField(concerned: readonly number[], of: number): { readonly forks?: readonly number[] } {
  const unique = [...new Set(concerned)].sort((a, b) => a - b);
  return unique.length === of ? {} : { forks: unique };
}
