import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

// Lowest first. A folder may import from itself and from folders of a lower rank; equal rank means leaves that do not know each other.
const RANKS: readonly (readonly string[])[] = [
  ['native'],
  ['stats', 'histogram', 'result'],
  ['protocol', 'loader'],
  ['clock', 'cpu'],
  ['recorder', 'thread'],
  ['jitter', 'pacer', 'counters'],
  ['suite'],
  ['engine', 'fork'], // fork/ is the bundle of engine/
  ['runner'],
  ['latency'],
  ['analysis'],
  ['history'],
  ['api'],
  ['report'],
  ['adapters'],
  ['cli'],
];
const LIB = join(dirname(fileURLToPath(import.meta.url)), '../../lib');
const LEAVES = new Set(['stats', 'histogram', 'result']);

const rankOf = (folder: string) => RANKS.findIndex((names) => names.includes(folder));

/** Violations among `imports` (file, imported path relative to lib/), as sentences. */
function violations(imports: Iterable<readonly [file: string, target: string]>): string[] {
  const found: string[] = [];
  for (const [file, target] of imports) {
    const [from, to] = [file.split('/')[0]!, target.split('/')[0]!];
    if (from === to || !file.includes('/')) continue;
    if (!target.includes('/')) found.push(`${file} imports the entry point ${target}`);
    else if (rankOf(from) < 0) found.push(`${from}/ has no rank: add it to RANKS`);
    else if (rankOf(to) < 0) found.push(`${to}/ has no rank: add it to RANKS`);
    else if (LEAVES.has(from)) found.push(`${file} is in a leaf and imports ${target}`);
    else if (rankOf(to) >= rankOf(from)) found.push(`${file} imports ${target}: the arrow points upward`);
  }
  return found;
}

/** Literal specifiers of import (also for its effect alone), export ... from, import() and new URL(). */
const specifiersIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)['"]([^'"\n]+)['"]/g)].map(
    ([, specifier]) => specifier!,
  );

/** The file that a specifier in `file` names, relative to lib/; null = nothing of lib/. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('#lib/')) return specifier.slice('#lib/'.length);
  if (!/^\.{1,2}\/./.test(specifier)) return null;
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  return target.startsWith('..') ? null : target;
}

/** What a file loads when it runs, by following its imports but those of types: files of lib/, and everything else. */
function closureOf(lib: string, entry: string): { files: Set<string>; others: Set<string> } {
  const files = new Set<string>();
  const others = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const text = readFileSync(join(lib, file), 'utf8').replace(/^(?:import|export) type [^;]*;/gm, '');
    for (const specifier of specifiersIn(text)) {
      const target = targetOf(file, specifier);
      if (target === null) others.add(specifier);
      else open.push(target.replace(/\.js$/, '.ts'));
    }
  }
  return { files, others };
}

function* importsOf(lib: string): Generator<readonly [string, string]> {
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    const file = name.replaceAll('\\', '/');
    if (!/\.[mc]?ts$/.test(file)) continue;
    const text = readFileSync(join(lib, name), 'utf8');
    for (const specifier of specifiersIn(text)) {
      const target = targetOf(file, specifier);
      if (target !== null) yield [file, target];
    }
  }
}

test('no arrow points upward in lib/', (t) => {
  const imports = [...importsOf(LIB)];
  t.true(imports.length > 0);
  t.deepEqual(violations(imports), []);
});

test('the check itself sees an upward arrow, an impure leaf and an unknown folder', (t) => {
  t.is(violations([['stats/mean.ts', 'cli/main.js']]).length, 1);
  t.is(violations([['stats/mean.ts', 'native/load.js']]).length, 1);
  t.is(violations([['engine/loop.ts', 'runner/plan.js']]).length, 1);
  t.is(violations([['engine/loop.ts', 'nowhere/plan.js']]).length, 1);
  t.is(violations([['runner/plan.ts', 'engine/loop.js']]).length, 0);
});

test('every way to name a file is seen', (t) => {
  const text = `
    import { a } from './a.js';
    import type { B } from "../b/b.js";
    export * from '../c/c.js';
    import '../d/d.js';
    await import('../e/e.js');
    new Worker(new URL('../f/f.js', import.meta.url));
    import { g } from '#lib/g/g.js';
    import {
      h,
    } from '../h/h.js';
    import node from 'node:fs';
    new URL('../../package.json', import.meta.url);
    import.meta.url;
  `;
  const seen = specifiersIn(text).map((specifier) => targetOf('x/x.ts', specifier));
  t.deepEqual(
    seen.filter((target) => target !== null),
    ['x/a.js', 'b/b.js', 'c/c.js', 'd/d.js', 'e/e.js', 'f/f.js', 'g/g.js', 'h/h.js'],
  );
});

for (const entry of ['engine/main.ts', 'engine/thread.ts']) {
  test(`${entry} and all that it loads, also later, needs nothing but Node: no validator, no command line`, (t) => {
    const { files, others } = closureOf(LIB, entry);
    t.true(files.has('engine/measure.ts') || files.has('engine/performer.ts'), 'imports are followed');
    t.true(files.size > 20, `${files.size} files`);
    t.deepEqual(
      [...others].filter((specifier) => !specifier.startsWith('node:')),
      [],
    );
    const above = [...files].filter((file) => rankOf(file.split('/')[0]!) > rankOf('engine'));
    t.deepEqual(above, []);
  });
}
