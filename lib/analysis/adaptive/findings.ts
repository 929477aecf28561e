import type { Finding, StopOutcome, StopRule } from '../../result/model.js';
import { count, percent } from '../words.js';

/** What a user should know about how a stop rule ended; null when it ended as wished. */
export function stopFinding(
  rule: StopRule,
  { outcome, wanted, halfWidth }: StopOutcome,
  forks: number,
): Finding | null {
  if (outcome === 'reached' || outcome === 'unfinished') return null;
  const reached = halfWidth === null ? 'no interval' : `±${percent(halfWidth)}`;
  const data = { target: rule.target, halfWidth, wanted, forks };
  const more = rule.rule === 'stein' && wanted !== null ? `${wanted} are needed` : 'more are needed';
  if (outcome === 'budget') {
    return {
      id: 'budget-exhausted',
      severity: 'warning',
      message: `The time was over after ${count(forks, 'fork')}, at ${reached} instead of ±${percent(rule.target)}; ${more}. Give a longer --budget or a wider --precision.`,
      data,
    };
  }
  return {
    id: 'precision-cap',
    severity: 'warning',
    message: `Stopped at the limit of ${count(rule.cap, 'fork')}, at ${reached} instead of ±${percent(rule.target)}; ${more}. Raise --max-forks, widen --precision, or measure on a quieter machine.`,
    data,
  };
}
