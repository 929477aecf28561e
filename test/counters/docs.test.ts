import test from 'ava';
import { open } from '#lib/counters/index.js';
import { examplesPrintWhatThePageSays } from '../support/page.js';

const probe = open(['cycles', 'task-clock']);
// The page shows a machine without a PMU; with one, the lines about what is missing are not printed.
const likeThePage = probe.ok && probe.counters.failed[0]?.code === 'ENOENT';
if (probe.ok) probe.counters.close();
if (!likeThePage) console.log('# the examples of docs/counters.md need software events and no PMU');

(likeThePage ? test : test.skip)('the examples of docs/counters.md print what the page says', async (t) => {
  await examplesPrintWhatThePageSays(t, 'counters', { wordsOnly: true });
});
