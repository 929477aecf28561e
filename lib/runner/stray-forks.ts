/** Forks whose canaries strayed: the machine ran slower while they measured, whatever they measured. */
import { type CanaryTimes, strays } from '../protocol/canary.js';
import type { Iteration } from '../result/model.js';

/** Forks of a run that must have been seen before one is judged; what is usual is their lower quartile. */
const ENOUGH = 5;

const at = (values: readonly number[], p: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(p * (values.length - 1))]!;

/** The typical canaries of a fork: medians over its measured iterations. Null without any. */
export function forkCanary(iterations: readonly Iteration[]): CanaryTimes | null {
  const known = iterations.flatMap(({ canary }) => canary ?? []);
  if (known.length === 0) return null;
  return {
    arithmeticNs: at(
      known.map(({ arithmeticNs }) => arithmeticNs),
      0.5,
    ),
    memoryNs: at(
      known.map(({ memoryNs }) => memoryNs),
      0.5,
    ),
  };
}

/**
 * What is usual for the canaries of a run, learnt from its forks, one set for each Node. The decision looks at nothing but the canaries,
 * never at what the benchmark scored: putting forks aside by their score would be choosing the result.
 */
export class StrayForks {
  readonly #seen = new Map<string, CanaryTimes[]>();

  /** Judges a fork by those before it, then learns from it. @param node What must be alike for canaries to be. */
  strayed(node: string, iterations: readonly Iteration[]): boolean {
    const times = forkCanary(iterations);
    if (times === null) return false;
    const seen = this.#seen.get(node) ?? [];
    this.#seen.set(node, seen);
    const usual =
      seen.length < ENOUGH
        ? null
        : {
            arithmeticNs: at(
              seen.map(({ arithmeticNs }) => arithmeticNs),
              0.25,
            ),
            memoryNs: at(
              seen.map(({ memoryNs }) => memoryNs),
              0.25,
            ),
          };
    seen.push(times);
    return usual !== null && strays(times, usual);
  }
}
