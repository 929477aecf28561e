import { forkAware } from '#lib/analysis/aware.js';
import { forkScore } from '#lib/analysis/score.js';
import { allowedCpus } from '#lib/cpu/index.js';
import type { Fork } from '#lib/result/model.js';
import { chooseCpus, type TrialPlan } from '#lib/runner/index.js';
import { decide } from '#lib/stats/decision.js';
import { ratioLogDelta } from '#lib/stats/ratio/means.js';
import { fixture } from '../../engine/support/run-fork.js';
import { runTrials } from '../../support/run-trials.js';
import { trialPlan } from '../../support/trial-plan.js';

/** ns of one op of the baseline. */
export const BASE_NS = 20_000;

/** An arm: a name, and by how much its body spins longer than the baseline's. */
export interface ArmSpec {
  readonly name: string;
  readonly shift: number;
}

/** Both scores of one fork, ns/op. */
export interface ForkValue {
  readonly plain: number;
  readonly aware: number;
}

/** ms of measurement in a fork of the quick settings. */
export const QUICK_MS = 20;

/** One warm-up iteration of 10 ms, one measured; the rest of a fork is the start of its process. */
function trialOf({ name, shift }: ArmSpec, forks: number, iterationTimeMs: number): TrialPlan {
  return trialPlan({
    id: name,
    file: fixture('self/fixtures/shifted.mjs'),
    fileLabel: 'shifted.mjs',
    suite: 'Shifted',
    benchmark: 'spin',
    params: { ns: BASE_NS * (1 + shift) },
    options: { unit: { value: 'ns', source: 'default' } },
    fork: { warmupTimeMs: 10, warmupMinMs: 10, warmupMaxMs: 10, iterationTimeMs, timeoutMs: 20_000 },
    forks,
  });
}

function scoresOf(fork: Fork): ForkValue {
  if (fork.failure) throw new Error(fork.failure.message);
  const plain = forkScore(fork, 'avgt', 'ns')!;
  return { plain, aware: forkAware(fork, 'avgt', 'ns') ?? plain };
}

/** Runs `rounds` rounds of one fork of each arm in random order. Values of each arm in the order of rounds. */
export async function session(
  arms: readonly ArmSpec[],
  rounds: number,
  seed: number,
  iterationTimeMs = QUICK_MS,
): Promise<ForkValue[][]> {
  const { findings: _, ...pin } = chooseCpus(allowedCpus(), null);
  const trials = arms.map((arm) => trialOf(arm, rounds, iterationTimeMs));
  return (await runTrials(trials, { seed, pin })).map(({ forks }) => forks.map(scoresOf));
}

export interface Outcome {
  readonly verdict: string;
  readonly excludesOne: boolean;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Comparisons of `forks` forks a side from a session: comparison k takes rounds k x forks to (k + 1) x forks of both arms, so each is what
 * a run of that many forks would have been, on an interleaved schedule, and no two share a fork.
 */
export function comparisons(
  baseline: readonly ForkValue[],
  candidate: readonly ForkValue[],
  forks: number,
  of: keyof ForkValue,
): Outcome[] {
  const count = Math.floor(Math.min(baseline.length, candidate.length) / forks);
  return Array.from({ length: count }, (_, k) => {
    const cut = (side: readonly ForkValue[]) => side.slice(k * forks, (k + 1) * forks).map((value) => value[of]);
    const { low, high, ratio, status } = ratioLogDelta(cut(candidate), cut(baseline));
    if (low === null || ratio === null) throw new Error(`no interval: ${status}`);
    return { ...decide(low, high), ratio, low, high };
  });
}

/** How often each thing was said. */
export interface Rates {
  readonly of: number;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly excludesOne: number;
  /** Interval holds the true ratio. */
  readonly covers: number;
  /** Excludes one in the true direction, and holds the true ratio. */
  readonly detected: number;
}

export function ratesOf(outcomes: readonly Outcome[], truth: number): Rates {
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
  const verdicts: Record<string, number> = {};
  for (const { verdict } of outcomes) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const covers = ({ low, high }: Outcome) => low <= truth && truth <= high;
  return {
    of: outcomes.length,
    verdicts,
    excludesOne: count(({ excludesOne }) => excludesOne),
    covers: count(covers),
    detected: count((outcome) => covers(outcome) && (truth > 1 ? outcome.low > 1 : outcome.high < 1)),
  };
}
