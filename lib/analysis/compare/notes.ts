/** Notes on a row: what is odd about its arms or its values, in one sentence each. */
import { unitFactor } from '../../result/units.js';
import { count, share } from '../words.js';
import type { Draft } from './draft.js';
import type { Estimate } from './estimate.js';
import type { Arm, Note } from './types.js';

/** Notes that depend on the two arms, not on the metric. */
export function armNotes(baseline: Arm, candidate: Arm): Note[] {
  const notes: Note[] = [];
  for (const [side, arm] of [
    ['baseline', baseline],
    ['candidate', candidate],
  ] as const) {
    if (arm.failed > 0) {
      const why = arm.failure === null ? '' : ` (${arm.failure})`;
      notes.push({
        id: 'failed-forks',
        message: `${share(arm.failed, arm.forks.length + arm.failed, 'fork')} of the ${side} failed${why}; the ones that are left are no fair sample, so there is no verdict. Fix the failure and measure again.`,
      });
    } else if (arm.planned !== null && arm.forks.length < arm.planned && arm.forks.length > 0) {
      notes.push({
        id: 'forks-missing',
        message: `The ${side} has ${share(arm.forks.length, arm.planned, 'planned fork')}; those that are there are whole and are used.`,
      });
    }
  }
  const lengths = new Set([...baseline.forks, ...candidate.forks].map((fork) => fork.iterations));
  if (lengths.size > 1) {
    notes.push({
      id: 'unequal-iterations',
      message: `Forks have between ${Math.min(...lengths)} and ${count(Math.max(...lengths), 'iteration')}; each fork still counts as one value, but shorter ones are noisier and end earlier in the life of a process. Measure both with the same number.`,
    });
  }
  if (baseline.unit !== candidate.unit && unitFactor(candidate.unit, baseline.unit) !== null) {
    notes.push({
      id: 'units-converted',
      message: `The candidate's ${candidate.unit} was converted to ${baseline.unit}.`,
    });
  }
  return notes;
}

/** Notes that depend on the values of a row. `counts`: they are counts of events, where zeros are ordinary. */
export function valueNotes(
  { ratio, fewGroups }: Estimate,
  values: Draft['values'],
  { unit, metric, counts }: { readonly unit: string; readonly metric: string; readonly counts: boolean },
): Note[] {
  const { baseline, candidate } = values;
  const least = Math.min(baseline.length, candidate.length);
  switch (ratio.status) {
    case 'too-few': {
      const message = `${count(baseline.length, 'fork')} against ${candidate.length}: an interval needs at least 3 on each side, and 10 make it useful (--forks 10).`;
      return [{ id: 'too-few-forks', message }];
    }
    case 'not-positive': {
      if (counts) {
        const none = [baseline, candidate].map((list) => list.every((value) => value === 0));
        // Nothing on either side: nothing to say.
        if (none[0] && none[1]) return [];
        const where = none[0] ? 'baseline' : 'candidate';
        const message = `A ratio needs counts above zero, but ${none[0] || none[1] ? `the ${where} counted no ${metric}` : `a fork counted ${Math.min(...baseline, ...candidate)} ${metric}`}; read the two counts themselves.`;
        return [{ id: 'not-positive', message }];
      }
      const worst = Math.min(...baseline, ...candidate);
      const message = `A ratio needs scores above zero, but a fork has ${worst} ${unit}: what was measured is below what the clock can see, or the file was changed.`;
      return [{ id: 'not-positive', message }];
    }
    case 'unbounded': {
      const message =
        'The denominator cannot be told from zero, or a limit is beyond the range of numbers, so any ratio fits these forks. Use more forks or longer iterations; if scores are that far apart, look at the files.';
      return [{ id: 'unbounded', message }];
    }
    case 'degenerate':
      return [{ id: 'degenerate', message: 'Resampling these forks gives no ratio. Use log-delta.' }];
    case 'constant': {
      const message =
        'All forks of each side have exactly the same score: the interval has no width, and the clock may be too coarse for this benchmark.';
      return [{ id: 'constant', message }];
    }
    default: {
      if (!fewGroups) return [];
      const message = `With ${least} forks a side a bootstrap interval of 95 % covers 79 to 91 %: too narrow. Use log-delta, or at least 10 forks.`;
      return [{ id: 'few-groups', message }];
    }
  }
}
