import type { Mode, Trial } from '../../result/model.js';

/** `Suite.benchmark(size=16, kind=int)`. */
export function plainLabel({ suite, benchmark, params }: Trial): string {
  const values = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return `${suite}.${benchmark}${values.length > 0 ? `(${values.join(', ')})` : ''}`;
}

/**
 * A name for each trial. Tools that keep a history know a benchmark by its name, so it depends on nothing but the trial, unless two
 * would share it: then it is the trial's id.
 *
 * @param bare Modes that the format tells apart otherwise; others are added, as in `Suite.f [sample]`.
 */
export function labels(trials: readonly Trial[], bare: readonly Mode[] = ['avgt']): string[] {
  const names = trials.map((trial) => plainLabel(trial) + (bare.includes(trial.mode) ? '' : ` [${trial.mode}]`));
  const owners = new Map<string, Set<string>>();
  trials.forEach((trial, i) => {
    const key = `${names[i]}\n${bare.includes(trial.mode) ? trial.mode : ''}`;
    owners.set(key, (owners.get(key) ?? new Set()).add(trial.id));
  });
  return trials.map((trial, i) => {
    const key = `${names[i]}\n${bare.includes(trial.mode) ? trial.mode : ''}`;
    return owners.get(key)!.size > 1 ? trial.id : names[i]!;
  });
}
