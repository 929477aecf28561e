import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { loadAddon } from '#lib/native/load.js';

const run = promisify(execFile);
const withAddon = loadAddon().addon ? test.serial : test.serial.skip;
const CYCLES = 10_000;
const PARTS = 10;

withAddon(`${CYCLES} cycles of sampler, pacer and deadline timer keep memory flat`, async (t) => {
  t.timeout(300_000);
  const file = fileURLToPath(new URL('children/cycles.js', import.meta.url));
  const { stdout } = await run(process.execPath, ['--expose-gc', file, String(CYCLES), String(PARTS)]);
  const resident = JSON.parse(stdout) as number[];
  t.log(`MB after each thousand: ${resident.map((bytes) => Math.round(bytes / 1e6)).join(' ')}`);
  // The allocator's arenas and stack cache fill during the first thousands, on a busy machine for longer (4.2 MB more seen). A sampler
  // holds 50 KB and more while it lives: a leak of it would add 200 MB between the two stretches, one of 2 KB per cycle 8 MB.
  const mean = (from: number, to: number) => resident.slice(from, to).reduce((sum, x) => sum + x, 0) / (to - from);
  const growth = mean(7, 10) - mean(3, 6);
  t.true(growth < 8e6, `${growth} bytes more`);
});
