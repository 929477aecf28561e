import {
  COMPARE_METHODS,
  type CompareMethod,
  type CompareOptions,
  SCORE_KINDS,
  type ScoreKind,
} from '../analysis/compare/types.js';
import { UsageError } from '../runner/usage-error.js';
import { readShare } from '../suite/share.js';
import { didYouMean } from '../suite/suggest.js';

/** Flags of everything that compares, as commander hands them over. */
export interface CompareFlags {
  readonly delta?: string;
  readonly confidence?: string;
  readonly method?: string;
  readonly score?: string;
  readonly allow: readonly string[];
}

/** `1%`, `0.01` or `1 %` as a share; throws UsageError naming the flag. */
export function shareFlag(flag: string, text: string): number {
  const read = readShare(text);
  if ('problem' in read) throw new UsageError(`${flag}: ${read.problem}`);
  return read.value;
}

/** Options of a comparison from flags. */
export function compareOptions(flags: CompareFlags): CompareOptions {
  const { delta, confidence, method, score } = flags;
  if (method !== undefined && !COMPARE_METHODS.includes(method as CompareMethod)) {
    throw new UsageError(
      `--method: "${method}" is not one of ${COMPARE_METHODS.join(', ')}.${didYouMean(method, COMPARE_METHODS)}`,
    );
  }
  if (score !== undefined && !SCORE_KINDS.includes(score as ScoreKind)) {
    throw new UsageError(
      `--score: "${score}" is not one of ${SCORE_KINDS.join(', ')}.${didYouMean(score, SCORE_KINDS)}`,
    );
  }
  return {
    ...(delta === undefined ? {} : { delta: shareFlag('--delta', delta) }),
    ...(confidence === undefined ? {} : { confidence: shareFlag('--confidence', confidence) }),
    ...(method === undefined ? {} : { method: method as CompareMethod }),
    ...(score === undefined ? {} : { score: score as ScoreKind }),
    allow: new Set(flags.allow.flatMap((ids) => ids.split(','))),
  };
}
