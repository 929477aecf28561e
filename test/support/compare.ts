/** Runs for comparisons: trials whose forks have exactly the scores a test asks for. */
import { type ComparedRun, comparedRun } from '#lib/analysis/compare/index.js';
import type { RunResult, Trial } from '#lib/result/model.js';
import { exampleResult, fork, trial } from './result.js';

/** Offsets in per mille with mean 0 and a standard deviation near 1 %: fork-to-fork variation as measured. */
const SPREAD = [-12, 3, 9, -5, 14, -8, 1, -2, 11, -11];

/** Ten fork scores around `level` whose relative standard deviation is about `sd`; `turn` gives them another order. */
export const around = (level: number, sd = 0.01, turn = 0): number[] =>
  SPREAD.map((_, i) => level * (1 + (SPREAD[(i + turn) % 10]! / 1000) * (sd / 0.0092)));

/** A trial with one iteration per fork of these ns/op; a round each second, a place in it each fifth. */
export function trialOf(values: readonly number[], over: Partial<Trial> = {}, position = 0): Trial {
  const benchmark = over.benchmark ?? 'f';
  const params = over.params ?? {};
  const mode = over.mode ?? 'avgt';
  const made = trial(
    values.map((value) => [value]),
    { id: `a.bench.ts:S.${benchmark}:${mode}:${JSON.stringify(params)}`, ...over },
  );
  const forks = made.forks.map((of, i) => ({
    ...of,
    position,
    wallMs: 180,
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, i, position * 200)).toISOString(),
  }));
  return { ...made, forks: over.forks ?? forks };
}

export const resultOf = (trials: readonly Trial[], over: Partial<RunResult> = {}): RunResult =>
  exampleResult({ trials, ...over });

export const runOf = (trials: readonly Trial[], name = 'a.json', over: Partial<RunResult> = {}): ComparedRun =>
  comparedRun(resultOf(trials, over), name);

export { fork };
