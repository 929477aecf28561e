/** One binary, four Nodes: every surface of the addon, in the main thread and in 4 workers at once, and with the flags that change what Node allows. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { loadAddon } from '#lib/native/load.js';
import { nodesUnderTest } from '../nodes.js';
import type { Surfaces } from './children/surfaces.js';

const run = promisify(execFile);
const child = fileURLToPath(new URL('children/surfaces.js', import.meta.url));
const linux = loadAddon().addon && process.platform === 'linux' ? test.serial : test.serial.skip;

async function report(executable: string, flags: readonly string[], workers: number, env = {}): Promise<Surfaces> {
  const { stdout } = await run(executable, [...flags, child, String(workers)], {
    env: { PATH: process.env.PATH, ...env },
    timeout: 60_000,
  });
  return JSON.parse(stdout) as Surfaces;
}

for (const { name, executable, reason } of nodesUnderTest()) {
  const major = Number(name.split(' ')[1]);
  const permission = [
    major < 24 ? '--experimental-permission' : '--permission',
    '--allow-fs-read=*',
    '--allow-addons',
    '--allow-worker',
  ];
  const here = executable ? linux : test.serial.skip;
  for (const [what, flags] of [
    ['as it is', []],
    ['--jitless', ['--jitless']],
    ['--permission', permission],
  ] as const) {
    here(
      `${name}, ${what}: pin, sampler, pacer, deadline, counters, recorder${executable ? '' : ` (${reason})`}`,
      async (t) => {
        const main = await report(executable!, flags, 4);
        t.is(main.workers.length, 4);
        for (const each of [main, ...main.workers]) {
          t.true(each.addon);
          t.is(each.pinned?.length, 1, String(each.pinned));
          t.true(each.restored);
          t.true(each.sampler);
          t.deepEqual(
            each.pacer,
            Array.from({ length: 20 }, (_, i) => i),
          );
          t.true(each.deadline);
          // The kernel may forbid counters to this user; then each thread is told so alike.
          t.is(each.counters, main.counters);
          t.true(main.counters === true || typeof main.counters === 'string');
          t.is(each.recorder, 3);
        }
      },
    );
  }

  here(`${name}, without the addon: each surface says so${executable ? '' : ` (${reason})`}`, async (t) => {
    const main = await report(executable!, [], 1, { TSCOPE_NO_ADDON: '1' });
    for (const { addon, sampler, pacer, deadline, counters, recorder } of [main, ...main.workers]) {
      t.false(addon);
      t.deepEqual([sampler, pacer, deadline, counters, recorder], Array(5).fill('NO_ADDON'));
    }
  });
}
