// Installs peers that need a newer Node than this package does, for the tests of its adapters: vitest into .cache/vitest/.
// Does nothing for what is there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PEERS = { vitest: '5.1.2' };

for (const [name, version] of Object.entries(PEERS)) {
  const folder = join(root, '.cache', name);
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const there = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  if (!there) {
    mkdirSync(folder, { recursive: true });
    // A package.json of its own: npm would otherwise walk up and install into this project.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const args = [
      'install',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      `${name}@${version}`,
    ];
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) {
      console.error(`peers: ${name} ${version} could not be installed; tests that need it are skipped`);
      process.exitCode = 1;
      continue;
    }
  }
  console.log(`${name} ${version}: ${folder}`);
}
