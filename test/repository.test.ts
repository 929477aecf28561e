import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });

test('the lock file names no registry', (t) => {
  const lock = read('package-lock.json');
  t.true(Object.keys(JSON.parse(lock).packages).length > 100);
  t.notRegex(lock, /"resolved"|registry/);
});

test('versions are exact, and each dependency has its sentence', (t) => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const all = Object.entries<string>({ ...dependencies, ...devDependencies });
  t.true(all.length > 20);
  const page = read('docs/dependencies.md');
  for (const [name, version] of all) {
    t.regex(version, /^\d+\.\d+\.\d+$/, name);
    t.true(page.includes(`\`${name}\` ${version}`), `docs/dependencies.md says nothing of ${name} ${version}`);
  }
});

// A link or a path of the machine that it was made on is broken everywhere else.
test('no link is tracked, and no file names a home folder', (t) => {
  const modes = git('ls-files', '--stage').trim().split('\n');
  t.true(modes.length > 500);
  t.deepEqual(
    modes.filter((line) => line.startsWith('120000')),
    [],
  );
  const home = git('ls-files', '-z')
    .split('\0')
    .filter((file) => file && /(?:^|[\s"'`(=])\/(?:home|Users|root|work)\/\w/m.test(read(file)));
  t.deepEqual(home, []);
});
