/** What a trial measures beside its headline, as one number per fork: the methods of a group and the declared counters. */
import type { Fork, Iteration, TimeUnit, Trial } from '../result/model.js';
import { NS_PER } from '../result/units.js';
import type { Better } from '../stats/ratio/types.js';
import { betterOf, scoreUnit } from './score.js';

/** One secondary metric of a trial. */
export interface SecondaryMetric {
  /** Name of the counter, or of the method of the group. */
  readonly name: string;
  readonly kind: 'group' | 'operations' | 'events';
  /** Unit of a fork's value; `events` are counted per iteration. */
  readonly unit: string;
  /** Null: a count of events has no better side that could be known. */
  readonly better: Better | null;
  /** Value of one fork; null when it has none (nothing was counted where a time per op is asked for). */
  readonly of: (fork: Fork) => number | null;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const unitOf = (trial: Trial) => trial.options.unit?.value as TimeUnit;

/** A rate or a time per op from a count and the time it took, as the mode says; null when it cannot be had (0 in avgt). */
function rate(trial: Trial, count: number, ns: number): number | null {
  const unit = NS_PER[unitOf(trial)];
  if (trial.mode === 'thrpt') return ns > 0 ? (count * unit) / ns : null;
  return count > 0 ? ns / count / unit : null;
}

/** Over threads as in JMH: their sum in thrpt, their mean otherwise; null when one has none. */
function overThreads(trial: Trial, rates: readonly (number | null)[]): number | null {
  if (rates.length === 0 || rates.some((value) => value === null)) return null;
  return sum(rates as number[]) / (trial.mode === 'thrpt' ? 1 : rates.length);
}

/** The mean of iterations; null when one has none. */
function overIterations(values: readonly (number | null)[]): number | null {
  if (values.length === 0 || values.some((value) => value === null)) return null;
  return sum(values as number[]) / values.length;
}

/** `operations`: like the headline, so that dividing the two says how often: with one thread a total over the iterations. */
function operations(trial: Trial, name: string): SecondaryMetric['of'] {
  const counted = (counters: Iteration['counters'] | undefined) => counters?.[name] ?? 0;
  return ({ iterations }) => {
    if (iterations.every(({ threads }) => threads === null)) {
      const count = sum(iterations.map(({ counters }) => counted(counters)));
      return rate(trial, count, sum(iterations.map(({ elapsedNs }) => elapsedNs)));
    }
    return overIterations(
      iterations.map(({ threads }) =>
        overThreads(
          trial,
          (threads ?? []).map((thread) => rate(trial, counted(thread.counters), thread.elapsedNs)),
        ),
      ),
    );
  };
}

/** One method of a group: its threads alone, summed in thrpt and averaged otherwise, then the mean of the iterations. */
function groupMethod(trial: Trial, label: string): SecondaryMetric['of'] {
  return ({ iterations }) =>
    overIterations(
      iterations.map(({ threads }) => {
        const own = (threads ?? []).filter((thread) => thread.label === label);
        return overThreads(
          trial,
          own.map(({ ops, elapsedNs }) => rate(trial, ops, elapsedNs)),
        );
      }),
    );
}

/** Count of an event in all iterations of a fork. */
export const eventsOf = ({ iterations }: Fork, name: string): number =>
  sum(iterations.map(({ counters }) => counters?.[name] ?? 0));

/** Per iteration, so that forks of unequal length have values of one kind. */
const eventsPerIteration =
  (name: string): SecondaryMetric['of'] =>
  (fork) =>
    fork.iterations.length === 0 ? null : eventsOf(fork, name) / fork.iterations.length;

/** The secondary metrics of a trial, groups first, each in the order of declaration. */
export function secondaryMetrics(trial: Trial): SecondaryMetric[] {
  const like = { unit: scoreUnit(trial.mode, unitOf(trial)), better: betterOf(trial.mode) };
  const labels = new Set(
    trial.forks.flatMap(({ iterations }) => iterations[0]?.threads?.map(({ label }) => label) ?? []),
  );
  const methods = [...labels]
    .filter((label) => label !== null)
    .map((name): SecondaryMetric => ({ name, kind: 'group', ...like, of: groupMethod(trial, name) }));
  const counters = Object.entries(trial.counters ?? {}).map(([name, kind]): SecondaryMetric => {
    if (kind === 'operations') return { name, kind, ...like, of: operations(trial, name) };
    return { name, kind, unit: '#/iteration', better: null, of: eventsPerIteration(name) };
  });
  return [...methods, ...counters];
}
