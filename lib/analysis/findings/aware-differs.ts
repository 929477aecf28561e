import type { Score } from '../../result/model.js';
import { awareOf } from '../aware.js';
import { trialScore } from '../score.js';
import { percent } from '../words.js';
import type { FindingRule } from './rule.js';

/** Difference of the two scores below which it matters to nobody: the default minimum effect of interest. */
export const AWARE_DIFFERENCE = 0.01;

/** The score and the interference-aware one exclude each other: what the headline says depends on what else ran. */
export const awareDiffers: FindingRule = {
  id: 'aware-differs',
  severity: 'warning',
  check(trial) {
    const plain = trialScore(trial);
    const aware = awareOf(trial);
    if (plain === null || aware === null || plain.interval === null) return null;
    const [low, high] = plain.interval;
    const change = aware.score.value / plain.value - 1;
    const inside = aware.score.value >= low && aware.score.value <= high;
    if (inside || !(Math.abs(change) > AWARE_DIFFERENCE)) return null;
    return {
      id: this.id,
      severity: this.severity,
      message: `Without the ${percent(aware.share)} of the time that others took, the score is ${text(aware.score)} instead of ${text(plain)}, outside of its interval, so the two lead to different conclusions: the plain score holds for this machine as busy as it was, the other one for the program.`,
      data: { plain: plain.value, aware: aware.score.value, share: aware.share },
    };
  },
};

function text({ value, error, unit }: Score): string {
  const digits = (x: number) => String(Number(x.toPrecision(4)));
  return `${digits(value)}${error === null ? '' : ` ± ${Number(error.toPrecision(2))}`} ${unit}`;
}
