/** The host's side of {@link expectFaster}; loaded by its first call. */
import { SCORE_KINDS } from '../analysis/compare/types.js';
import { checkConfidence } from '../stats/check.js';
import { checkDelta } from '../stats/decision.js';
import { writeArms } from './arms.js';
import { execute } from './execute.js';
import type { ExpectFasterSettings, Subject } from './expect-faster.js';
import { type Expectation, expectationOf } from './expectation.js';
import { explainCaptured } from './inline.js';
import { checkFolder } from './settings.js';

/** Fields of a run that have no meaning with two functions. */
const FIXED = ['params', 'only', 'exclude', 'mode', 'unit'] as const;

export async function measureArms(
  candidate: Subject,
  baseline: Subject,
  settings: ExpectFasterSettings,
): Promise<Expectation> {
  const { delta, confidence, score, setup, ...run } = settings;
  if (delta !== undefined) checkDelta(delta);
  if (confidence !== undefined) checkConfidence(confidence);
  if (score !== undefined && !SCORE_KINDS.includes(score))
    throw new TypeError(`expectFaster: score must be one of ${SCORE_KINDS.join(', ')}, got ${score}`);
  for (const field of FIXED) {
    if (field in settings)
      throw new TypeError(`expectFaster: "${field}" cannot be set, there are two functions and one mode.`);
  }
  checkFolder(run.cwd, 'expectFaster');
  const file = writeArms(candidate, baseline, setup, run.cwd ?? process.cwd());
  const measured = await execute(file, { keep: false, ...run, mode: 'avgt' }, () => {});
  const result = explainCaptured(measured, new Set(measured.trials.map((trial) => trial.file)));
  return expectationOf(result, { delta, confidence, score });
}
