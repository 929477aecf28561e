// Runs the tests and ends with `N passed, N failed, N skipped`. Arguments are handed to ava (file patterns, --match).
// ava's own TAP trailer counts a todo as a failure, so the lines are counted here.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const count = { passed: 0, failed: 0, skipped: 0 };

function step(command, args, onLine) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'] });
    child.on('error', (error) => {
      console.error(String(error));
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
    if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
  });
}

const build = await step(process.execPath, [join(root, 'scripts/build.mjs'), 'test']);
if (build !== 0) process.exit(build);

const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
const code = await step(process.execPath, [ava, '--tap', ...process.argv.slice(2)], (line) => {
  console.log(line);
  const match = /^(not )?ok\b(.*)$/.exec(line);
  if (!match) return;
  if (/# (SKIP|TODO)/i.test(match[2])) count.skipped++;
  else if (match[1]) count.failed++;
  else count.passed++;
});
// A run that died without a failing line (a missing file, a crashed runner) is a failure all the same.
if (code !== 0 && count.failed === 0) count.failed++;
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0;
