/** From the result of a run with two arms to what a test wants to know. Pure. */
import { type ComparisonRow, comparedRun, compareWithin, type ScoreKind } from '../analysis/compare/index.js';
import { count, percent } from '../analysis/words.js';
import type { RunResult, Score, Trial } from '../result/model.js';
import type { Verdict } from '../stats/decision.js';

/** The answer of {@link expectFaster}. */
export interface Expectation {
  /** `improved` = the candidate is faster by more than delta, for sure at this confidence. */
  readonly verdict: Verdict;
  /** Is the verdict `improved`? */
  readonly faster: boolean;
  /** Time of the candidate over time of the baseline, below 1 = faster; null when there is none. */
  readonly ratio: number | null;
  /** Its interval; null when there is none. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Level of the interval. */
  readonly confidence: number;
  /** Smallest effect that matters, as a share. */
  readonly delta: number;
  /** How the interval was made, for example `log-delta`. */
  readonly method: string | null;
  /** Which score was judged. */
  readonly score: ScoreKind;
  /** Forks a side that can be expected to decide; null unless inconclusive and known. */
  readonly forksNeeded: number | null;
  /** One sentence for a person: what was found, how sure it is, and what to do when it is not. */
  readonly explanation: string;
  readonly candidate: Score | null;
  readonly baseline: Score | null;
  /** Everything that was measured. */
  readonly result: RunResult;
}

const ratioText = (ratio: number) => ratio.toFixed(Math.abs(ratio - 1) < 0.1 ? 4 : 3);

/** Ids of findings that make a comparison worthless, whatever its interval says. */
const WORTHLESS: ReadonlySet<string> = new Set(['eliminated']);

function explain(row: ComparisonRow, forks: readonly [number, number]): string {
  const { ratio, interval, delta, confidence, verdict } = row;
  if (ratio === null || interval === null) {
    const hint =
      row.status === 'too-few-forks'
        ? `${forks.join(' and ')} forks give no interval, at least 3 a side are needed: set forks`
        : `the scores give no interval (${row.status})`;
    return `There is no verdict: ${hint}.`;
  }
  const found = `the candidate takes ${ratioText(ratio)} times as long as the baseline, ${percent(confidence)} interval [${interval.map(ratioText).join(', ')}] over ${forks[0]} and ${forks[1]} forks`;
  switch (verdict) {
    case 'improved':
      return `Faster: ${found}, all of it below 1 - ${percent(delta)}.`;
    case 'regressed':
      return `Slower: ${found}, all of it above 1 + ${percent(delta)}.`;
    case 'equivalent':
      return `No difference that matters: ${found}, all of it within ${percent(delta)} of 1.`;
    // A score has a direction, so null does not occur here.
    case null:
    case 'inconclusive':
      return `Not decided: ${found}, which neither lies outside ${percent(delta)} around 1 nor within it; ${
        row.forksNeeded === null
          ? 'use more forks, or a larger delta'
          : `about ${count(row.forksNeeded, 'fork')} a side would decide, or use a larger delta`
      }.`;
  }
}

/**
 * The verdict on a run of one suite whose second arm is the baseline.
 *
 * @throws Error when an arm failed: there is nothing to judge.
 */
export function expectationOf(
  result: RunResult,
  options: {
    readonly delta?: number | undefined;
    readonly confidence?: number | undefined;
    readonly score?: ScoreKind | undefined;
  },
): Expectation {
  const arm = (baseline: boolean): Trial => {
    const trial = result.trials.find((candidate) => candidate.baseline === baseline)!;
    if (trial.failure === null) return trial;
    const { message } = trial.failure;
    throw new Error(`expectFaster: the ${baseline ? 'baseline' : 'candidate'} failed: ${message}`);
  };
  const [candidate, baseline] = [arm(false), arm(true)];
  const { delta, confidence, score } = options;
  const { rows } = compareWithin(comparedRun(result, 'expectFaster'), {
    ...(delta === undefined ? {} : { delta }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(score === undefined ? {} : { score }),
  });
  const row = rows.find(({ kind, standing }) => kind === 'baseline' && standing === 'headline')!;
  const worthless = [candidate, baseline].flatMap((trial) =>
    trial.findings.filter(({ id }) => WORTHLESS.has(id)).map(({ message }) => `${trial.benchmark}: ${message}`),
  );
  const interrupted = result.status === 'interrupted';
  const verdict = worthless.length > 0 || interrupted ? 'inconclusive' : (row.verdict ?? 'inconclusive');
  const explanation = interrupted
    ? 'There is no verdict: the run was interrupted.'
    : worthless.length > 0
      ? `There is no verdict, because what was measured is not the work. ${worthless.join(' ')}`
      : explain(row, [row.candidate.forks, row.baseline.forks]);
  return {
    verdict,
    faster: verdict === 'improved',
    ratio: row.ratio,
    interval: row.interval,
    confidence: row.confidence,
    delta: row.delta,
    method: row.method,
    score: row.score,
    forksNeeded: row.forksNeeded,
    explanation,
    candidate: candidate.score,
    baseline: baseline.score,
    result,
  };
}
