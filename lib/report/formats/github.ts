import { count } from '../../analysis/words.js';
import { markdown } from './md.js';
import type { Reporter } from './reporter.js';

/** GitHub's step summary: Markdown with a heading, added to the file that GITHUB_STEP_SUMMARY names. */
export const github: Reporter = {
  id: 'github',
  extension: 'md',
  about: 'step summary of GitHub Actions; without a file the one that GITHUB_STEP_SUMMARY names',
  defaultTarget: '-',
  variable: 'GITHUB_STEP_SUMMARY',
  format(result, comparison) {
    const failed = result.trials.filter((trial) => trial.failure !== null).length;
    const n = result.trials.length;
    const trials = count(n, 'trial');
    return `### tscope: ${trials}${failed > 0 ? `, ${failed} failed` : ''}\n\n${markdown(result, comparison)}\n`;
  },
};
