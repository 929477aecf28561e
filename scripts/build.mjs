// Builds everything a checkout needs: the addon (node-gyp), then lib/ (tsc) and the program of the forks (esbuild).
// `node scripts/build.mjs [addon|ts|test]` builds one part.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForks } from './bundle-forks.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

function run(script, args) {
  const { status, signal } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  return signal ? 1 : (status ?? 1);
}

/** Headers that came with this Node, so that nothing is downloaded; node-gyp's own search otherwise. */
function nodedir() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

function addon() {
  const status = run(require.resolve('node-gyp/bin/node-gyp.js'), ['configure', 'build', '--silent', ...nodedir()]);
  if (status === 0) return 0;
  // No compiler is not an error for a user of the JavaScript parts; a developer or CI says TSCOPE_REQUIRE_ADDON=1.
  console.error('tscope: the addon was not built; timing falls back to process.hrtime, and every result says so.');
  return process.env.TSCOPE_REQUIRE_ADDON === '1' ? status : 0;
}

function ts(project) {
  const status = run(require.resolve('typescript/bin/tsc'), ['-b', project]);
  const main = join(root, 'dist/cli/main.js');
  if (existsSync(main)) chmodSync(main, 0o755);
  return status;
}

async function lib() {
  const status = ts('tsconfig.json');
  if (status === 0) await bundleForks(join(root, 'dist'));
  return status;
}

const parts = { addon, ts: lib, test: () => ts('tsconfig.test.json') };
const wanted = process.argv[2] ? [process.argv[2]] : ['addon', 'ts'];
for (const name of wanted) {
  const part = parts[name];
  if (!part) {
    console.error(`build: unknown part "${name}"; use ${Object.keys(parts).join(', ')}`);
    process.exit(2);
  }
  const status = await part();
  if (status !== 0) process.exit(status);
}
