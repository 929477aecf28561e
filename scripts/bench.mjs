// tscope measuring itself: `npm run bench [folder...]` runs every program below bench/<folder> (all folders by default), one after
// another. They print ratios measured in one run; nothing is asserted.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = readdirSync(join(root, 'bench'));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : folders;
const unknown = wanted.find((name) => !folders.includes(name));
if (unknown !== undefined) {
  console.error(`bench: there is no folder bench/${unknown}; there are: ${folders.join(', ')}`);
  process.exit(2);
}
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
if (run(join(root, 'scripts/build.mjs'), 'test') !== 0) process.exit(1);
for (const folder of wanted) {
  // Files below a deeper folder are parts, not programs.
  for (const file of readdirSync(join(root, 'bench', folder))
    .filter((name) => name.endsWith('.ts'))
    .sort()) {
    console.log(`\n# bench/${folder}/${file}`);
    if (run(join(root, 'out/bench', folder, file.replace(/\.ts$/, '.js'))) !== 0) process.exitCode = 1;
  }
}
