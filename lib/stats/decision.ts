/** improved, regressed, equivalent or inconclusive. */
export type Verdict = 'improved' | 'equivalent' | 'regressed' | 'inconclusive';

/** What an inconclusive interval still says; `decided` for the other verdicts. */
export type Reading = 'decided' | 'better-or-same' | 'worse-or-same' | 'anything';

/** A verdict on an interval, with its reading in words. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reading: Reading;
  /** The interval excludes 1: a real difference, but possibly one too small to matter. */
  readonly excludesOne: boolean;
}

/** Smallest effect that matters, as a share, unless the user says otherwise. */
export const DEFAULT_DELTA = 0.01;

export function checkDelta(delta: number): void {
  if (!(delta > 0 && delta < 1))
    throw new RangeError(`delta must lie strictly between 0 and 1 (0.01 for 1 %), got ${delta}`);
}

/**
 * Verdict on a cost ratio (below 1 = better) from its interval and the zone [1 - delta, 1 + delta] of effects too small to matter.
 * Wholly outside the zone: improved or regressed; wholly inside: equivalent; otherwise inconclusive.
 * @throws RangeError for limits that are not finite or out of order
 */
export function decide(low: number, high: number, delta = DEFAULT_DELTA): Decision {
  checkDelta(delta);
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) {
    throw new RangeError(`decide: need finite limits with low <= high, got ${low} and ${high}`);
  }
  const excludesOne = high < 1 || low > 1;
  const [bottom, top] = [1 - delta, 1 + delta];
  if (high < bottom) return { verdict: 'improved', reading: 'decided', excludesOne };
  if (low > top) return { verdict: 'regressed', reading: 'decided', excludesOne };
  if (low >= bottom && high <= top) return { verdict: 'equivalent', reading: 'decided', excludesOne };
  const reading = high <= top ? 'better-or-same' : low >= bottom ? 'worse-or-same' : 'anything';
  return { verdict: 'inconclusive', reading, excludesOne };
}
