/** One line of the index: one trial of one run, as far as a history needs it. */
import { createHash } from 'node:crypto';
import { runFacts, trialFacts } from '../analysis/compare/arms.js';
import { forkScores } from '../analysis/score.js';
import type { Mode, Params, RunResult, Trial } from '../result/model.js';
import { mean, sd } from '../stats/moments.js';

/** Version of an index line; a reader skips lines of another. */
export const INDEX_VERSION = 1;

export interface IndexEntry {
  readonly v: typeof INDEX_VERSION;
  readonly run: string;
  /** When the run began, ISO 8601. */
  readonly at: string;
  readonly trial: string;
  /** `Suite.benchmark`. */
  readonly name: string;
  readonly params: Params;
  readonly mode: Mode;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  /** `ok`: every planned fork succeeded; anything else is kept, but is no point of a series. */
  readonly status: 'ok' | 'failed' | 'partial';
  /** Mean of fork scores; null without any. */
  readonly value: number | null;
  /** Standard error of that mean over forks; null with fewer than two. */
  readonly se: number | null;
  readonly forks: number;
  readonly host: string;
  readonly cpu: string;
  readonly node: string;
  /** Hash of everything else that must be alike: backend, flags, machine settings, pinning, options. */
  readonly policy: string;
}

/** Facts that have a field of their own. */
const NAMED = new Set(['Node', 'CPU model']);

function policyOf(result: RunResult, trial: Trial): string {
  // Forks that see nothing of the environment belong to the series they always belonged to.
  const usual = (name: string, value: string) => name === 'option keepEnv' && value === 'none';
  const facts = [...runFacts(result), ...trialFacts(trial)]
    .filter(([name, value]) => !NAMED.has(name) && !usual(name, value))
    .sort();
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}

/** The lines that a run adds, one per trial. */
export function entriesOf(result: RunResult): IndexEntry[] {
  const { environment } = result;
  return result.trials.map((trial) => {
    const scores = trial.score === null ? [] : forkScores(trial);
    return {
      v: INDEX_VERSION,
      run: result.id,
      at: result.createdAt,
      trial: trial.id,
      name: `${trial.suite}.${trial.benchmark}`,
      params: trial.params,
      mode: trial.mode,
      unit: trial.score?.unit ?? '',
      better: trial.score?.better ?? 'lower',
      status: trial.score === null && trial.status === 'ok' ? 'failed' : trial.status,
      value: scores.length > 0 ? mean(scores) : null,
      se: scores.length > 1 ? sd(scores) / Math.sqrt(scores.length) : null,
      forks: scores.length,
      host: environment.host,
      cpu: environment.cpuModel,
      node: environment.node,
      policy: policyOf(result, trial),
    };
  });
}
