import { DEFAULT_DELTA } from '../../stats/decision.js';
import { DEFAULT_CONFIDENCE } from '../score.js';
import { COMPARE_METHODS, type CompareOptions, SCORE_KINDS } from './types.js';

export type Resolved = Required<CompareOptions>;

/**
 * Options with their defaults.
 *
 * @throws TypeError for an unknown method or score, RangeError for a delta or a confidence outside (0, 1).
 */
export function resolveOptions(options: CompareOptions): Resolved {
  const {
    delta = DEFAULT_DELTA,
    confidence = DEFAULT_CONFIDENCE,
    method = 'auto',
    score = 'plain',
    seed = 1,
    allow = new Set<string>(),
  } = options;
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta must lie strictly between 0 and 1, got ${delta}`);
  if (!(confidence > 0 && confidence < 1))
    throw new RangeError(`confidence must lie strictly between 0 and 1, got ${confidence}`);
  if (!COMPARE_METHODS.includes(method))
    throw new TypeError(`method must be one of ${COMPARE_METHODS.join(', ')}, got ${method}`);
  if (!SCORE_KINDS.includes(score)) throw new TypeError(`score must be one of ${SCORE_KINDS.join(', ')}, got ${score}`);
  return { delta, confidence, method, score, seed, allow };
}
