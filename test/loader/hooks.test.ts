import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { writeEntry } from '#lib/loader/cache.js';
import { loaderArgs } from '#lib/loader/index.js';
import { nodesUnderTest } from '../nodes.js';

function project(t: ExecutionContext, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-loader-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, cacheDir: join(folder, 'cache') };
}

interface Loaded {
  readonly out: string;
  readonly error: string;
  readonly stderr: string;
}

/** Imports `file` in a process with the hooks, prints its default export, how it was loaded and the error, if any. */
function load(node: string, folder: string, file: string, fill = false, cacheDir = join(folder, 'cache')): Loaded {
  writeFileSync(
    join(folder, 'entry.mjs'),
    `await globalThis[Symbol.for('tscope.loader.install')]?.();
    try { const m = await import(${JSON.stringify(`./${file}`)});
      console.log(JSON.stringify([m.default, globalThis[Symbol.for('tscope.loader')]?.[0]]));
    } catch (error) { console.log('ERROR ' + error.name + ': ' + error.message); }`,
  );
  const { stdout, stderr } = spawnSync(node, [...loaderArgs({ cacheDir, mode: 'strip' }, fill), 'entry.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
  const error = stdout.startsWith('ERROR ') ? stdout.slice(6).trim() : '';
  return { out: error === '' ? stdout.trim() : '', error, stderr };
}

const sample = {
  'package.json': '{"name":"user"}',
  'a.bench.ts': `import { dep, type T } from './dep.js';
import { four } from './four.mjs';
import ten from './ten.cjs';
import { js } from './esm/plain.js';
interface X { a: T }
class K { #p: number = 1; declare z: string; get p(): number { return this.#p; } }
const x = { a: dep<number>(2) } satisfies X;
const place = new Error('here').stack!.split('\\n')[1]!.match(/a\\.bench\\.ts:\\d+:\\d+/)![0];
export default [x.a, four, ten.v, js, new K().p, place] as const;
`,
  'dep.ts': 'export type T = number;\nexport function dep<A>(a: A): A { return a }\n',
  'four.mts': 'export const four: number = 4;\n',
  'ten.cjs': 'exports.v = 10;\n',
  'esm/package.json': '{"type":"module"}',
  'esm/plain.js': 'export const js = 7;\n',
  'esm/plain.ts': 'export const js: string = "the .js beside it comes first";\n',
  'enum.ts':
    'enum E { A = 3 }\nclass P { constructor(private x: number) {} y() { return this.x } }\nexport default E.A + new P(4).y();\n',
  'dynamic.mjs': 'export default (await import("./four.mts")).four;\n',
  'syntax.ts': 'const fine: number = 1;\nexport default fine +* 2;\n',
  'imports-syntax.ts': 'import "./syntax.js";\nexport default 1;\n',
  'decorated.ts': '/** Has\n @see nothing */\nconst f = (c: any) => c;\n@f class A {}\nexport default A;\n',
  'commented.ts': '/** Has\n @see nothing */\nexport default 1 as number;\n',
  'view.tsx': 'export default 1;\n',
  'old.cts': 'export = 1;\n',
  'missing.ts': 'import "./nowhere.js";\nexport default 1;\n',
  'node_modules/dep/package.json': '{"name":"dep","type":"module","exports":"./index.ts"}',
  'node_modules/dep/index.ts': 'export default 1 as number;\n',
  'from-dep.ts': 'import one from "dep";\nexport default one;\n',
};

for (const { name, executable, reason } of nodesUnderTest()) {
  const run = executable === null ? test.skip : test;
  if (executable === null) console.error(`skipped: ${reason}`);
  const node = executable ?? '';

  run(
    `${name}: ts, mts, cjs, mjs and js load, .js means .ts only where there is no .js, positions are those of the source`,
    (t) => {
      const { folder, cacheDir } = project(t, sample);
      const expected = '[[2,4,10,7,1,"a.bench.ts:8:15"],1]';
      for (const fill of [true, false]) {
        const first = load(node, folder, 'a.bench.ts', fill);
        t.deepEqual(first, { out: expected, error: '', stderr: '' });
        t.is(readdirSync(cacheDir).length, 3);
        t.is(load(node, folder, 'a.bench.ts', false).out, expected);
        rmSync(cacheDir, { recursive: true });
      }
      t.is(load(node, folder, 'dynamic.mjs').out, '[4,1]');
    },
  );

  run(`${name}: what cannot be blanked is transformed, and that is told`, (t) => {
    const { folder } = project(t, sample);
    t.is(load(node, folder, 'enum.ts', true).out, '[7,2]');
    t.is(load(node, folder, 'enum.ts', false).out, '[7,2]');
    t.is(load(node, folder, 'esm/plain.js').out, '[null,0]');
  });

  run(`${name}: errors name the place and what to do`, (t) => {
    const { folder } = project(t, sample);
    for (const fill of [true, false]) {
      t.regex(load(node, folder, 'syntax.ts', fill).error, /^SyntaxError: .*\/syntax\.ts:2:22: Expression expected/);
      t.regex(load(node, folder, 'imports-syntax.ts', fill).error, /\/syntax\.ts:2:22: /);
      t.regex(
        load(node, folder, 'decorated.ts', fill).error,
        /\/decorated\.ts:4:1: decorators cannot be run as written/,
      );
      t.regex(load(node, folder, 'view.tsx', fill).error, /view\.tsx: JSX is not loaded/);
      t.regex(load(node, folder, 'old.cts', fill).error, /old\.cts: CommonJS TypeScript is not loaded/);
      t.regex(load(node, folder, 'from-dep.ts', fill).error, /TypeScript below node_modules is not loaded/);
      t.regex(load(node, folder, 'missing.ts', fill).error, /Cannot find module .*nowhere\.js/);
      t.is(load(node, folder, 'commented.ts', fill).out, '[1,1]');
    }
  });

  run(`${name}: an edited file, a damaged entry and one of another stripper are not taken from the cache`, (t) => {
    const { folder, cacheDir } = project(t, { 'package.json': '{}', 'v.ts': 'export default 1 as number;\n' });
    t.is(load(node, folder, 'v.ts').out, '[1,1]');
    writeFileSync(join(folder, 'v.ts'), 'export default 2 as number;\n');
    t.is(load(node, folder, 'v.ts').out, '[2,1]');
    const entry = join(cacheDir, readdirSync(cacheDir)[0]!);
    for (const text of ['', 'tscope-strip', 'tscope-strip 1 0.0.1 stripped 1 1\nab', '\0\n\0']) {
      writeFileSync(entry, text);
      t.is(load(node, folder, 'v.ts').out, '[2,1]');
    }
    t.is(readdirSync(cacheDir).length, 1);
  });
}

test('a cache that cannot be written costs time, not the run', (t) => {
  const { folder } = project(t, sample);
  const inTheWay = join(folder, 'package.json', 'cache');
  for (const fill of [true, false]) t.is(load(process.execPath, folder, 'four.mts', fill, inTheWay).stderr, '');
  t.regex(load(process.execPath, folder, 'a.bench.ts', false, inTheWay).out, /^\[\[2,4,10,7/);
});

test('a warm cache is all a fork reads: the code in it runs as it is', (t) => {
  const source = 'export default 1 as number;\n';
  const { folder, cacheDir } = project(t, { 'package.json': '{}', 'w.ts': source });
  writeEntry(cacheDir, join(folder, 'w.ts'), Buffer.from(source), {
    code: 'export default "cached";',
    how: 'stripped',
  });
  t.is(load(process.execPath, folder, 'w.ts', false).out, '["cached",1]');
});
