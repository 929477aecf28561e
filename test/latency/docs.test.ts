import test from 'ava';
import { examplesPrintWhatThePageSays } from '../support/page.js';

test.serial('the examples of docs/latency.md print what the page says', async (t) => {
  await examplesPrintWhatThePageSays(t, 'latency');
});
