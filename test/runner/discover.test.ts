/** Which files are benchmarks: on a tree made for the test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { discover } from '#lib/runner/discover.js';
import { UsageError } from '#lib/runner/usage-error.js';

const FILES = [
  'a.bench.ts',
  'b.bench.mts',
  'c.bench.js',
  'd.bench.mjs',
  'e.bench.cjs',
  'plain.ts',
  'bench.ts',
  'f.bench.ts.txt',
  'deep/er/g.bench.ts',
  'deep/h.bench.js',
  'node_modules/dep/i.bench.js',
  'deep/node_modules/dep/j.bench.js',
  '.git/k.bench.js',
  '.tscope/runs/l.bench.js',
];

function tree(t: ExecutionContext): string {
  const root = mkdtempSync(join(tmpdir(), 'tscope-discover-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

const labels = (inputs: readonly string[], cwd: string) => discover(inputs, cwd).map(({ label }) => label);
const DEEP = ['deep/er/g.bench.ts', 'deep/h.bench.js'];
const ALL = ['a.bench.ts', 'b.bench.mts', 'c.bench.js', 'd.bench.mjs', ...DEEP];

test('nothing named: every *.bench.ts, .mts, .js and .mjs below the working directory, and nothing of dependencies', (t) => {
  const cwd = tree(t);
  t.deepEqual(labels([], cwd).sort(), ALL);
  t.deepEqual(labels(['.'], cwd), labels([], cwd));
  for (const { file, label } of discover([], cwd)) t.is(file, join(cwd, label));
});

test('a folder: its benchmarks, by relative or absolute path', (t) => {
  const cwd = tree(t);
  t.deepEqual(labels(['deep'], cwd), DEEP);
  t.deepEqual(labels(['deep/'], cwd), DEEP);
  t.deepEqual(labels([join(cwd, 'deep')], cwd), DEEP);
  // From elsewhere the whole path names a file best.
  t.deepEqual(
    labels([join(cwd, 'deep')], tmpdir()).map((label) => label.endsWith('.bench.ts') || label.endsWith('.bench.js')),
    [true, true],
  );
});

test('a glob means what it says: other names too, never node_modules', (t) => {
  const cwd = tree(t);
  t.deepEqual(labels(['*.bench.{cjs,mjs}'], cwd), ['d.bench.mjs', 'e.bench.cjs']);
  t.deepEqual(labels(['**/*.bench.js'], cwd), ['c.bench.js', 'deep/h.bench.js']);
  t.deepEqual(labels(['deep/**'], cwd), DEEP);
  t.throws(() => discover(['*.nothing'], cwd), {
    instanceOf: UsageError,
    message: '*.nothing: no file matches this pattern.',
  });
});

test('a file that is named is taken whatever its name is, also in node_modules', (t) => {
  const cwd = tree(t);
  t.deepEqual(labels(['plain.ts', 'node_modules/dep/i.bench.js'], cwd), ['plain.ts', 'node_modules/dep/i.bench.js']);
});

test('inputs that overlap give each file once, where it was first named', (t) => {
  const cwd = tree(t);
  t.deepEqual(labels(['deep/h.bench.js', 'deep', './deep/../deep/h.bench.js', '**/h.*', join(cwd, 'deep')], cwd), [
    'deep/h.bench.js',
    'deep/er/g.bench.ts',
  ]);
});

test('what leads nowhere is named', (t) => {
  const cwd = tree(t);
  mkdirSync(join(cwd, 'empty'));
  const refused = (input: string, message: RegExp) =>
    t.throws(() => discover([input], cwd), { instanceOf: UsageError, message });
  refused('missing.bench.ts', /^missing\.bench\.ts: no such file or folder\.$/);
  refused('empty', /^empty: no benchmark files/);
  refused(' ', /empty text/);
});
