// Runs everything that must hold and ends with `N passed, N failed, N skipped`: format and lint, native unit tests, then ava.
// Arguments are handed to ava (file patterns, --match), and then only ava runs. With CI=true a skipped test is a failure unless
// scripts/expected-skips.txt names it, so that a missing tool cannot hide behind a green run.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const count = { passed: 0, failed: 0, skipped: 0 };
const skips = [];
const failures = [];

/** Runs a command; its lines go to `onLine`, or straight to the terminal. Resolves to the exit code. */
function step(command, args, onLine) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'] });
    child.on('error', (error) => {
      console.error(String(error));
      resolve(1);
    });
    let code = 1;
    child.on('exit', (status) => {
      code = status ?? 1;
    });
    if (!onLine) child.on('close', () => resolve(code));
    else {
      const lines = createInterface({ input: child.stdout });
      lines.on('line', onLine);
      lines.on('close', () => (child.exitCode === null ? child.on('exit', () => resolve(code)) : resolve(code)));
    }
  });
}

const node = (script, ...args) => step(process.execPath, [join(root, script), ...args]);
const which = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

function report(name, code) {
  if (code !== 0) failures.push(name);
  count[code === 0 ? 'passed' : 'failed']++;
  console.log(`${code === 0 ? '' : 'not '}ok - ${name}`);
}

function skip(name, reason) {
  count.skipped++;
  skips.push(name);
  console.log(`ok - ${name} # SKIP ${reason}`);
}

async function style() {
  report('biome: format and lint', await node('node_modules/@biomejs/biome/bin/biome', 'check', '.'));
  report('eslint: promises', await node('node_modules/eslint/bin/eslint.js', 'lib', 'test', 'bench'));
  const sources = readdirSync(join(root, 'native'), { recursive: true })
    .filter((file) => /\.(cc|h)$/.test(file))
    .map((file) => join('native', file));
  if (which('clang-format')) report('clang-format', await step('clang-format', ['--dry-run', '-Werror', ...sources]));
  else skip('clang-format', 'not installed (Debian: clang-format)');
}

/** The native runner counts for itself; its last line is added here. */
async function native() {
  let last = '';
  const code = await step(process.execPath, [join(root, 'scripts/native-test.mjs')], (line) => {
    console.log(line);
    if (/# SKIP|^skipped/i.test(line)) skips.push(`native: ${line}`);
    last = line;
  });
  const match = /^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(last);
  if (!match) return report('native tests', 1);
  count.passed += Number(match[1]);
  count.failed += Number(match[2]);
  count.skipped += Number(match[3]);
  if (code !== 0) failures.push('native tests');
}

async function ava(args) {
  const before = count.failed;
  const code = await step(
    process.execPath,
    [join(root, 'node_modules/ava/entrypoints/cli.mjs'), '--tap', ...args],
    (line) => {
      console.log(line);
      const match = /^(not )?ok\b(.*)$/.exec(line);
      if (!match) return;
      if (/# (SKIP|TODO)/i.test(match[2])) {
        count.skipped++;
        skips.push(match[2].replace(/^ \d+ - /, ''));
      } else if (match[1]) {
        count.failed++;
        failures.push(match[2].replace(/^ \d+ - /, ''));
      } else count.passed++;
    },
  );
  // A run that died without a failing line (a missing file, a crashed runner) is a failure all the same. Ava's own trailer
  // counts a todo as a failure, which is why lines are counted.
  if (code !== 0 && count.failed === before) report('ava', code);
}

function unexpectedSkips() {
  const file = join(root, 'scripts/expected-skips.txt');
  const expected = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return skips.filter((name) => !expected.some((part) => name.includes(part)));
}

const build = await node('scripts/build.mjs', 'test');
if (build !== 0) process.exit(build);
const args = process.argv.slice(2);
if (args.length === 0) {
  await style();
  await native();
}
await ava(args);

for (const name of failures) console.log(`failed: ${name}`);
const unexpected = process.env.CI === 'true' ? unexpectedSkips() : [];
for (const name of unexpected) console.log(`skipped here, which CI does not accept: ${name}`);
count.failed += unexpected.length;
count.skipped -= unexpected.length;
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0;
