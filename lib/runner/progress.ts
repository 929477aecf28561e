/** How far a run is and how long the rest will take. Pure; the clock is the caller's. */
import type { TrialPlan } from './types.js';

/** Start of a process and load of the file, ms, before anything was measured here. */
const START_GUESS_MS = 300;

/** Planned length of one fork, ms. */
export function plannedMs(trial: TrialPlan): number {
  const { fork } = trial;
  const warmup =
    fork.warmupIterations === null
      ? Math.min(2 * fork.warmupMinMs, fork.warmupMaxMs)
      : fork.warmupIterations * fork.warmupTimeMs;
  return START_GUESS_MS + warmup + fork.iterations * fork.iterationTimeMs;
}

export class Progress {
  readonly #planned: readonly number[];
  readonly #left: number[];
  readonly #walls: number[][];
  #total: number;
  #done = 0;

  constructor(trials: readonly TrialPlan[]) {
    this.#planned = trials.map(plannedMs);
    this.#left = trials.map(({ forks, warmupForks }) => forks + warmupForks);
    this.#walls = trials.map(() => []);
    this.#total = this.#left.reduce((sum, n) => sum + n, 0);
  }

  get total(): number {
    return this.#total;
  }

  /** One more fork of `trial` is to run. */
  expectOne(trial: number): void {
    this.#total++;
    this.#left[trial]!++;
  }

  get done(): number {
    return this.#done;
  }

  /** One fork of `trial` is over; `wallMs` is null for one that did not run now (an earlier run's, or skipped). */
  finished(trial: number, wallMs: number | null): void {
    this.#done++;
    this.#left[trial]!--;
    if (wallMs !== null) this.#walls[trial]!.push(wallMs);
  }

  /** Expected rest, ms: each trial's own mean so far; where there is none, the plan scaled by how the others kept to theirs. */
  etaMs(): number | null {
    let [real, planned] = [0, 0];
    for (const [trial, walls] of this.#walls.entries()) {
      real += walls.reduce((sum, ms) => sum + ms, 0);
      planned += walls.length * this.#planned[trial]!;
    }
    if (planned === 0) return null;
    let eta = 0;
    for (const [trial, walls] of this.#walls.entries()) {
      const mean =
        walls.length > 0
          ? walls.reduce((sum, ms) => sum + ms, 0) / walls.length
          : (this.#planned[trial]! * real) / planned;
      eta += this.#left[trial]! * mean;
    }
    return eta;
  }
}
