// Builds the addon with cmake-js: the second route, from the same sources, into build-cmake/Release/tscope.node. Offline:
// `binary.napi_versions` in package.json makes cmake-js take the headers from node-api-headers.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const cli = join(dirname(require.resolve('cmake-js/package.json')), 'bin/cmake-js');
const { status } = spawnSync(process.execPath, [cli, 'compile', '--out', 'build-cmake', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
