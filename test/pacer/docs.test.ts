import test from 'ava';
import { loadAddon } from '#lib/native/load.js';
import { examplesPrintWhatThePageSays } from '../support/page.js';

const onLinux = loadAddon().addon && process.platform === 'linux' ? test.serial : test.serial.skip;

onLinux('the examples of docs/pacer.md print what the page says', async (t) => {
  await examplesPrintWhatThePageSays(t, 'pacer');
});
