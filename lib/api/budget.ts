/** A run with a budget: how often each trial is to be measured, from what is kept or from a pilot that the budget pays for. */
import { planBudget } from '../analysis/adaptive/budget.js';
import type { Finding, RunResult } from '../result/model.js';
import { plannedMs } from '../runner/progress.js';
import { UsageError } from '../runner/usage-error.js';
import { formatDuration } from '../suite/duration.js';
import { calibrations } from './calibrate.js';
import { withCounts } from './counts.js';
import type { MeasureDeps } from './measure.js';
import type { PlanSettings } from './plan.js';
import type { Prepared } from './prepare.js';

/** A pilot needs three forks to say anything, is good with ten, and should leave most of the time. */
const PILOT = { least: 3, most: 10, share: 0.25 } as const;
/** Part of the time left that is planned for: forks vary in length too. */
const USED = 0.95;

export interface Spent {
  /** The trials with the forks and iterations that they get. */
  readonly prepared: Prepared;
  /** Belongs to the result. */
  readonly finding: Finding;
  /** The pilot, when it did not come to its end: then there is nothing to go on with. */
  readonly interrupted: RunResult | null;
  /** Id of the pilot that was made and kept; null when none was needed. */
  readonly pilot: string | null;
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

/** Trials with the same key are compared with each other. */
function groupKeys(prepared: Prepared): (string | null)[] {
  const key = (trial: Prepared['trials'][number]) =>
    JSON.stringify([trial.file, trial.suite, trial.mode, trial.params]);
  const compared = new Set(prepared.trials.filter((trial) => trial.baseline).map(key));
  return prepared.trials.map((trial) => (compared.has(key(trial)) ? key(trial) : null));
}

/**
 * Plans a run that takes `budgetMs` with everything.
 *
 * @throws UsageError when even the least experiment does not fit, with what would.
 */
export async function planSpending(
  prepared: Prepared,
  settings: PlanSettings,
  budget: {
    readonly ms: number;
    /** The option as it was written, for messages. */
    readonly name: string;
    readonly confidence: number;
    readonly now: () => number;
    readonly say: (text: string) => void;
  },
  deps: MeasureDeps,
): Promise<Spent> {
  const startedMs = budget.now();
  const roundMs = prepared.trials.reduce((sum, trial) => sum + plannedMs(trial), 0);
  const leastMs = 2 * PILOT.least * roundMs;
  if (leastMs > budget.ms) {
    const fit = Math.floor((budget.ms / leastMs) * prepared.trials.length);
    throw new UsageError(
      `${budget.name}: ${formatDuration(budget.ms)} cannot pay for ${PILOT.least} forks of each of ${prepared.trials.length} trials and a pilot as long, about ${formatDuration(leastMs)}; give that, ` +
        `${fit > 0 ? `choose ${fit} trials (--only), ` : ''}or shorten warm-up and iterations.`,
    );
  }
  const forks = Math.max(PILOT.least, Math.min(PILOT.most, Math.floor((PILOT.share * budget.ms) / roundMs)));
  const set = await calibrations(
    prepared,
    settings,
    {
      size: (trial) => ({ forks, iterations: trial.mode === 'ss' ? 1 : Math.max(2, trial.fork.iterations) }),
      reuse: true,
      onExperiment: () => budget.say(`# Pilot for the budget: ${forks} forks of each trial\n`),
    },
    deps,
  );
  const from = set.measured === null ? 'kept calibrations' : `a pilot of ${forks} forks each (run ${set.measured.id})`;
  const leftMs = Math.max(0, budget.ms - (budget.now() - startedMs));
  const plan = planBudget(set.calibrations, groupKeys(prepared), leftMs * USED, budget.confidence);
  const pilot = set.measured?.id ?? null;
  const interrupted = set.measured?.status === 'interrupted' ? set.measured : null;
  if (plan.status === 'out-of-reach') {
    const trials = prepared.trials.map((trial) =>
      withCounts(trial, PILOT.least, trial.fork.iterations, settings.source),
    );
    const message = `Planned from ${from}: ${formatDuration(leftMs)} are left and the least takes ${formatDuration(plan.needsMs)}, so each trial gets ${PILOT.least} forks and the budget is exceeded.`;
    return {
      prepared: { ...prepared, trials },
      finding: { id: 'budget-short', severity: 'warning', message },
      interrupted,
      pilot,
    };
  }
  const trials = prepared.trials.map((trial, i) =>
    withCounts(trial, plan.allotments[i]!.forks, plan.allotments[i]!.iterations, settings.source),
  );
  const unknown = plan.allotments.filter(({ halfWidth }) => halfWidth === null).length;
  const rest = unknown > 0 ? `; ${unknown} could not be planned and get the least` : '';
  const message = `Planned from ${from} for ${formatDuration(leftMs)}: intervals of about ±${percent(plan.halfWidth)} for every trial, if forks go on varying as they did${rest}.`;
  const finding: Finding = {
    id: 'budget-plan',
    severity: 'info',
    message,
    data: { budgetMs: budget.ms, plannedMs: plan.totalMs, halfWidth: plan.halfWidth },
  };
  return { prepared: { ...prepared, trials }, finding, interrupted, pilot };
}
