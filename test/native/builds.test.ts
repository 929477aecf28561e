// The core on its own: unit tests under CMake, sanitizers, emulation, another compiler; and the second way to build the addon.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

for (const variant of ['plain', 'asan', 'tsan', 'arm64', 'mingw']) {
  test.serial(`native unit tests: ${variant}`, async (t) => {
    t.timeout(600_000);
    const failed = (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) });
    const { stdout } = await run(process.execPath, ['scripts/native-test.mjs', variant], {
      cwd: root,
      maxBuffer: 1 << 28,
    }).catch(failed);
    const last = stdout.trim().split('\n').at(-1)!;
    if (/skipped, /.test(stdout)) t.log(stdout.trim());
    t.regex(last, /^\d+ passed, 0 failed, \d+ skipped$/, stdout.slice(-4000));
  });
}

test('an unknown variant is a usage error that names the known ones', (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/native-test.mjs', 'msan'], {
    cwd: root,
    encoding: 'utf8',
  });
  t.is(status, 2);
  t.regex(stderr, /"msan"; use plain, asan/);
});

const withCmake = spawnSync('cmake', ['--version']).status === 0 ? test.serial : test.serial.skip;
withCmake('cmake-js builds the same addon', async (t) => {
  t.timeout(600_000);
  await run(process.execPath, ['scripts/build-cmake.mjs'], { cwd: root });
  const path = join(root, 'build-cmake/Release/tscope.node');
  t.true(existsSync(path));
  const keys = async (env: Record<string, string>) => {
    const script = `import { loadAddon } from '#lib/native/load.js'; const { addon, path } = loadAddon();
      console.log(JSON.stringify({ path, keys: Object.entries(addon).map(([k, v]) => [k, Object.keys(v).sort()]).sort() }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      env: { PATH: process.env.PATH, ...env },
    });
    return JSON.parse(stdout) as { path: string; keys: unknown };
  };
  const second = await keys({ TSCOPE_ADDON_PATH: path });
  t.is(second.path, path);
  t.deepEqual(second.keys, (await keys({})).keys);
});
