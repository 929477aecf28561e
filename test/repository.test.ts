import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });

// The tool that writes the API reference has packages of its own.
for (const folder of ['', 'docs/tool/']) {
  test(`${folder}package-lock.json names no registry, and versions in ${folder}package.json are exact`, (t) => {
    const lock = read(`${folder}package-lock.json`);
    t.true(Object.keys(JSON.parse(lock).packages).length > 10);
    t.notRegex(lock, /"resolved"|registry/);
    const { dependencies, devDependencies } = JSON.parse(read(`${folder}package.json`));
    const all = Object.entries<string>({ ...dependencies, ...devDependencies });
    t.true(all.length > 0);
    for (const [name, version] of all) t.regex(version, /^\d+\.\d+\.\d+$/, name);
  });
}

test('each dependency has its sentence', (t) => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const all = Object.entries<string>({ ...dependencies, ...devDependencies });
  t.true(all.length > 20);
  const page = read('docs/dependencies.md');
  for (const [name, version] of all) {
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
