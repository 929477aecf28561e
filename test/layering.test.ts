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
  ['engine'],
  ['runner'],
  ['latency'],
  ['analysis'],
  ['history'],
  ['api'],
  ['report'],
  ['adapters'],
  ['cli'],
];
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

function* importsOf(lib: string): Generator<readonly [string, string]> {
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    const file = name.replaceAll('\\', '/');
    if (!/\.[mc]?ts$/.test(file)) continue;
    const text = readFileSync(join(lib, name), 'utf8');
    for (const match of text.matchAll(/(?:from|import\()\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      yield [file, posix.normalize(posix.join(posix.dirname(file), match[1]!))];
    }
  }
}

test('no arrow points upward in lib/', (t) => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const imports = [...importsOf(join(root, 'lib'))];
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
