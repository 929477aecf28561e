/** The best use of a time: one relative half-width for all trials, as narrow as the time allows. Pure. */
import { type Calibration, recommend } from './calibration.js';

/** How often one trial is to be measured. */
export interface Allotment {
  readonly trial: string;
  readonly forks: number;
  readonly iterations: number;
  /** Relative half-width to expect; null when the calibration could not say and the trial gets the least. */
  readonly halfWidth: number | null;
  readonly totalMs: number;
}

export type BudgetPlan =
  | {
      readonly status: 'ok';
      readonly allotments: readonly Allotment[];
      readonly halfWidth: number;
      readonly totalMs: number;
    }
  /** Not even the least experiment fits; `needsMs` is what it takes. */
  | { readonly status: 'out-of-reach'; readonly needsMs: number };

/** What a trial without usable calibration gets. */
const FALLBACK = { forks: 3, iterations: 5 } as const;
/** The widest half-width worth measuring, and the narrowest looked for. */
const WIDEST = 10;
const NARROWEST = 1e-5;

/** The experiment of all trials at one half-width; trials of a group get as many forks and iterations as the one that needs most. */
function allot(
  calibrations: readonly Calibration[],
  groups: readonly (string | null)[],
  halfWidth: number,
  confidence: number,
): Allotment[] | null {
  const alone = calibrations.map((calibration) => {
    const { best, status } = recommend(calibration, halfWidth, confidence);
    if (best === null && status === 'out-of-reach') return null;
    return { ...(best ?? FALLBACK), known: best !== null };
  });
  if (alone.some((found) => found === null)) return null;
  return calibrations.map(({ trial, costMs }, i) => {
    const members =
      groups[i] === null ? [alone[i]!] : alone.filter((_, j) => groups[j] === groups[i]).map((found) => found!);
    const forks = Math.max(...members.map((member) => member.forks));
    const iterations = Math.max(...members.map((member) => member.iterations));
    const cost = costMs ?? { fork: 0, iteration: 0 };
    const totalMs = forks * (cost.fork + iterations * cost.iteration);
    return { trial, forks, iterations, halfWidth: alone[i]!.known ? halfWidth : null, totalMs };
  });
}

const total = (allotments: readonly Allotment[]): number => allotments.reduce((sum, { totalMs }) => sum + totalMs, 0);

/**
 * Spends a budget: the smallest relative half-width that all trials can be brought to in the time, found by bisection, with Kalibera and Jones' forks and
 * iterations for each. A trial that varies more gets more of the time.
 *
 * @param groups Trials with the same key are compared with each other and get the same forks and iterations; null = alone.
 */
export function planBudget(
  calibrations: readonly Calibration[],
  groups: readonly (string | null)[],
  budgetMs: number,
  confidence: number,
): BudgetPlan {
  const least = allot(calibrations, groups, WIDEST, confidence)!;
  if (total(least) > budgetMs) return { status: 'out-of-reach', needsMs: total(least) };
  let [wide, narrow] = [Math.log(WIDEST), Math.log(NARROWEST)];
  let best = least;
  for (let step = 0; step < 40; step++) {
    const middle = (wide + narrow) / 2;
    const tried = allot(calibrations, groups, Math.exp(middle), confidence);
    if (tried !== null && total(tried) <= budgetMs) {
      wide = middle;
      best = tried;
    } else narrow = middle;
  }
  return { status: 'ok', allotments: best, halfWidth: Math.exp(wide), totalMs: total(best) };
}
