import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { loadAddon } from '#lib/native/load.js';
import { nodesUnderTest } from '../nodes.js';
import type { Holds } from './children/holds.js';

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(`children/${name}.js`, import.meta.url));
const withAddon = loadAddon().addon ? test.serial : test.serial.skip;

async function report(executable: string, flags: readonly string[], env = {}, workers = 0): Promise<Holds> {
  const { stdout } = await run(executable, [...flags, file('holds'), String(workers)], {
    env: { PATH: process.env.PATH, ...env },
    timeout: 120_000,
  });
  return JSON.parse(stdout) as Holds;
}

/** `--permission` was experimental in Node 20 and 22. */
const permission = (major: number) => [major < 24 ? '--experimental-permission' : '--permission', '--allow-fs-read=*'];

for (const { name, executable, reason } of nodesUnderTest()) {
  const major = Number(name.split(' ')[1]);
  const here = executable ? withAddon : test.serial.skip;
  const label = (what: string) => `${name}: ${what}${executable ? '' : ` (${reason})`}`;

  here(label('main thread and 4 workers at once'), async (t) => {
    const main = await report(executable!, [], {}, 4);
    t.is(main.backend, 'addon');
    t.is(main.path, 'napi');
    t.is(main.workers.length, 4);
    for (const holds of [main, ...main.workers]) {
      t.is(holds.backward, 0);
      t.true(holds.ownsSlot, 'no other thread writes this slot');
      t.is(holds.source, main.source);
      t.false(holds.discontinuity);
    }
    if (main.reason === null) {
      t.true(main.medianDriftNs! < 1000, `${main.medianDriftNs} ns in 1 s`);
      t.true(main.calibrationPpm! < 1, `20 ms against 500 ms: ${main.calibrationPpm} ppm`);
    }
  });

  here(label('--jitless'), async (t) => {
    const holds = await report(executable!, ['--jitless']);
    t.is(holds.backend, 'addon');
    t.is(holds.backward, 0);
  });

  here(label('--permission: addons allowed, and not'), async (t) => {
    const allowed = await report(executable!, [...permission(major), '--allow-addons']);
    t.is(allowed.backend, 'addon');
    const blocked = await report(executable!, permission(major));
    t.is(blocked.backend, 'hrtime');
    t.regex(blocked.reason!, /--allow-addons/);
    t.is(blocked.loadReason, blocked.reason);
    t.is(blocked.backward, 0);
  });

  here(label('without the addon'), async (t) => {
    const holds = await report(executable!, [], { TSCOPE_NO_ADDON: '1' }, 1);
    for (const each of [holds, ...holds.workers]) {
      t.is(each.backend, 'hrtime');
      t.regex(each.reason!, /TSCOPE_NO_ADDON=1/);
      t.is(each.path, 'js');
      t.is(each.backward, 0);
      t.is(each.medianDriftNs, null, 'a clock is not compared with itself');
    }
  });

  here(
    label('accelerated reads keep what must hold, in workers too; the optimiser off means the plain path'),
    async (t) => {
      const fast = { TSCOPE_FAST_CALLS: '1' };
      const main = await report(executable!, [], fast, 2);
      for (const holds of [main, ...main.workers]) {
        t.is(holds.backward, 0);
        t.true(holds.ownsSlot);
        t.false(holds.discontinuity);
      }
      if (main.reason === null && process.platform === 'linux') {
        const accelerated = major >= 26 ? 'ffi' : 'v8-fast';
        // A starved optimiser may not get there in time, and then says so.
        if (main.path === 'napi') t.regex(main.refused.at(-1)!.reason, /optimiser did not take/);
        else t.is(main.path, accelerated);
        t.true(main.medianDriftNs! < 1000, `${main.medianDriftNs} ns in 1 s`);
      }
      const jitless = await report(executable!, ['--jitless'], fast);
      t.true(jitless.path === 'napi' || major >= 26);
      t.is(jitless.backward, 0);
    },
  );

  here(label('environments torn down while others read'), async (t) => {
    const error = (await t.throwsAsync(run(executable!, [file('teardown')], { timeout: 60_000 }))) as unknown as {
      code: number;
      signal: string | null;
      stdout: string;
    };
    t.is(error.signal, null);
    t.is(error.code, 3);
    t.is(error.stdout, 'torn down\n');
  });
}
