import test from 'ava';
import { examplesPrintWhatThePageSays } from '../support/page.js';

for (const own of [{}, { TSCOPE_NO_ADDON: '1' }]) {
  test.serial(`the examples of docs/clock.md print what the page says ${JSON.stringify(own)}`, async (t) => {
    await examplesPrintWhatThePageSays(t, 'clock', { env: { PATH: process.env.PATH, ...own } });
  });
}
