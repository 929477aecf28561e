import { count } from '../../analysis/words.js';
import type { RunResult, Score } from '../../result/model.js';
import { withoutScore } from './left-out.js';
import { labels } from './names.js';
import type { Reporter } from './reporter.js';

/** Its customSmallerIsBetter and customBiggerIsBetter files each have one direction, so each format takes the trials that have it. */
function reporter(id: string, better: Score['better'], about: string, other: string): Reporter {
  const turned = ({ trials }: Pick<RunResult, 'trials'>) =>
    trials.filter(({ score }) => score !== null && score.better !== better).length;
  return {
    id,
    extension: 'json',
    about,
    defaultTarget: '-',
    format(result) {
      const names = labels(result.trials, ['avgt', 'thrpt']);
      const entries = result.trials.flatMap(({ score, mode }, i) => {
        if (score === null || score.better !== better) return [];
        const error = score.error === null ? {} : { range: `± ${score.error}` };
        const interval =
          score.error === null
            ? `no interval (${score.status})`
            : `${score.confidence * 100} % interval, ${score.method}`;
        const extra = `${mode}, ${count(score.n, score.level)}, ${interval}\nNode ${result.environment.node}`;
        return [{ name: names[i]!, unit: score.unit, value: score.value, ...error, extra }];
      });
      return `${JSON.stringify(entries, null, 2)}\n`;
    },
    leavesOut(result) {
      const n = turned(result);
      const left = `${n} ${n === 1 ? 'trial is' : 'trials are'} better the other way and left out: write ${n === 1 ? 'it' : 'them'} with -rf ${other}=FILE.`;
      const empty = result.trials.every(({ score }) => score === null || score.better !== better);
      return [
        ...withoutScore(result),
        ...(n > 0 ? [left] : []),
        ...(empty ? ['nothing is left; github-action-benchmark refuses an empty list.'] : []),
      ];
    },
  };
}

/** Times: smaller is better. */
export const githubAction: Reporter = reporter(
  'github-action',
  'lower',
  'github-action-benchmark, customSmallerIsBetter (avgt, sample, ss)',
  'github-action-bigger',
);

/** Rates: bigger is better. */
export const githubActionBigger: Reporter = reporter(
  'github-action-bigger',
  'higher',
  'github-action-benchmark, customBiggerIsBetter (thrpt)',
  'github-action',
);
