// The ways to build beside node-gyp. The native unit tests themselves are run by scripts/test.mjs.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

test('what cannot run here is skipped with the reason and counted', (t) => {
  // No PATH, no tools.
  const { status, stdout } = spawnSync(process.execPath, ['scripts/native-test.mjs', 'plain', 'arm64'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: '' },
  });
  t.is(status, 0);
  t.regex(stdout, /^plain: # SKIP cmake is not installed\narm64: # SKIP .*\n0 passed, 0 failed, 2 skipped\n$/);
});

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
