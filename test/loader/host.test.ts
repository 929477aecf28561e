import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { defaultCacheDir, importTs, loadedHow, loaderArgs } from '#lib/loader/index.js';
import { STRIPPER_VERSION, typeScriptSpecifier } from '#lib/loader/register.js';
import { strip } from '#lib/loader/strip.js';

function tempDir(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-host-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the version in cache entries is the version of the stripper that is installed', (t) => {
  const main = createRequire(import.meta.url).resolve('@swc/wasm-typescript');
  const { version } = JSON.parse(readFileSync(join(dirname(main), 'package.json'), 'utf8')) as { version: string };
  t.is(STRIPPER_VERSION, version);
});

test('stripping changes nothing but types: every other character stays where it was', (t) => {
  const source = `import type { A } from './a.js';
const f = <T,>(x: T): T => { const g = () => x; return g()!; };
export class K<T> { #v: T; constructor(v: T) { this.#v = v; } get(): T { return this.#v as T; } }
export default async function* gen(this: void, n?: number): AsyncGenerator<number> { yield n ?? 1; }
`;
  const { code, how } = strip(source, '/x/a.ts');
  t.is(how, 'stripped');
  t.is(code.length, source.length);
  for (let i = 0; i < code.length; i++) {
    if (code[i] !== source[i]) t.regex(code[i]!, /[\s;)]/, `${i}: ${JSON.stringify(code.slice(i - 5, i + 5))}`);
  }
  t.true(code.includes('const g = () => x; return g()'));
});

test('a transform carries an inline map that names the source', (t) => {
  const { code, how } = strip('export enum E { A }\n', '/x/e.ts');
  t.is(how, 'transformed');
  const map = JSON.parse(Buffer.from(/base64,(.*)/.exec(code)![1]!, 'base64').toString()) as { sources: string[] };
  t.deepEqual(map.sources, ['/x/e.ts']);
});

test('only relative specifiers with .js or .mjs are ever rewritten', (t) => {
  const folder = tempDir(t);
  for (const name of ['a.ts', 'b.mts', 'c.ts', 'c.js', 'd.ts']) writeFileSync(join(folder, name), '');
  const parent = pathToFileURL(join(folder, 'main.ts')).href;
  const table: [string, string][] = [
    ['./a.js', './a.ts'],
    ['./a.js?x=1#y', './a.ts?x=1#y'],
    ['./b.mjs', './b.mts'],
    ['./c.js', './c.js'],
    ['./a.mjs', './a.mjs'],
    ['./a', './a'],
    ['./a.jsx', './a.jsx'],
    ['a.js', 'a.js'],
    ['/a.js', '/a.js'],
    ['#a.js', '#a.js'],
    [`../${folder.split('/').at(-1)}/d.js`, `../${folder.split('/').at(-1)}/d.ts`],
  ];
  for (const [from, to] of table) t.is(typeScriptSpecifier(from, parent), to);
  t.is(typeScriptSpecifier('./a.js', undefined), './a.js');
  t.is(typeScriptSpecifier('./a.js', 'data:text/javascript,1'), './a.js');
});

test('the cache is beside the nearest package.json, or under the temporary directory when that cannot be written', (t) => {
  const folder = tempDir(t);
  mkdirSync(join(folder, 'sub/deep'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  t.is(defaultCacheDir(join(folder, 'sub/deep')), join(folder, 'node_modules/.cache/tscope'));
  const blocked = tempDir(t);
  writeFileSync(join(blocked, 'package.json'), '{}');
  writeFileSync(join(blocked, 'node_modules'), 'a file in the way');
  t.regex(defaultCacheDir(blocked), /tscope-cache-/);
  chmodSync(folder, 0o755);
});

test('modes other than strip add no flags', (t) => {
  t.deepEqual(loaderArgs({ cacheDir: '/c', mode: 'none' }, false), []);
  t.deepEqual(loaderArgs({ cacheDir: '/c', mode: 'native' }, true), []);
  const [flag] = loaderArgs({ cacheDir: '/with space/ä&b', mode: 'strip' }, false);
  const url = new URL(flag!.slice('--import='.length));
  t.is(url.searchParams.get('cache'), '/with space/ä&b');
  t.false(url.searchParams.has('plain'));
  t.true(loaderArgs({ cacheDir: '/c', mode: 'strip' }, false, true)[0]!.includes('plain=1'));
});

test('a TypeScript configuration file loads into the host', async (t) => {
  const folder = tempDir(t);
  writeFileSync(
    join(folder, 'tscope.config.ts'),
    "import { n } from './n.js';\nexport default { forks: n as number };\n",
  );
  writeFileSync(join(folder, 'n.ts'), 'export const n: number = 3;\n');
  const loaded = await importTs(pathToFileURL(join(folder, 'tscope.config.ts')), join(folder, 'cache'));
  t.deepEqual(loaded.default, { forks: 3 });
  t.is(loadedHow(), 'stripped');
  t.is(loadedHow('/x.ts'), 'stripped');
  writeFileSync(join(folder, 'bad.config.ts'), 'export default {\n  forks: ,\n};\n');
  // On Node 20 the error crosses a thread and is no longer what ava calls an error.
  const error = await importTs(pathToFileURL(join(folder, 'bad.config.ts'))).catch((reason: unknown) => reason);
  t.true(error instanceof SyntaxError);
  t.regex((error as Error).message, /bad\.config\.ts:2:10: /);
});
