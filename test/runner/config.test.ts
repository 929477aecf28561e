/** Config files of every kind reach a run; the nearest one does. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findConfig, loadConfig } from '#lib/runner/config.js';
import { UsageError } from '#lib/runner/usage-error.js';
import { fixture, scratch, theRun, tscope } from '../support/cli.js';

const steps = fixture('cli/fixtures/steps.bench.ts');
const FIELDS = `{ forks: 1, iterations: 2, iterationTime: '10ms', warmupIterations: 0, seed: 42, files: [${JSON.stringify(steps)}] }`;
/** Every supported name with a content that says the same. */
const FILES: Readonly<Record<string, string>> = {
  'tscope.config.ts': `import { type Config, defineConfig } from 'tscope';\nconst config: Config = ${FIELDS};\nexport default defineConfig(config);\n`,
  'tscope.config.mts': `const config: object = ${FIELDS};\nexport default config;\n`,
  'tscope.config.js': `export default ${FIELDS};\n`,
  'tscope.config.mjs': `export default ${FIELDS};\n`,
  'tscope.config.json': JSON.stringify(new Function(`return ${FIELDS}`)()),
};

/** A project of its own with one file in it. */
function project(t: ExecutionContext, name: string, text: string): string {
  const cwd = scratch(t);
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  // The package is found as it would be in a user's project.
  mkdirSync(join(cwd, 'node_modules/tscope'), { recursive: true });
  const main = new URL('../../../dist/index.js', import.meta.url).href;
  writeFileSync(join(cwd, 'node_modules/tscope/package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(cwd, 'node_modules/tscope/index.js'), `export * from ${JSON.stringify(main)};\n`);
  writeFileSync(join(cwd, name), text);
  return cwd;
}

for (const [name, text] of Object.entries(FILES)) {
  test(`${name}: its files, options and seed reach the result, which says where they came from`, async (t) => {
    const cwd = project(t, name, text);
    const { code, stderr } = await tscope(['run', '-p', 'steps=50', '--no-linearity'], { cwd });
    t.is(code, 0, stderr);
    const { seed, trials } = theRun(cwd).result();
    t.is(seed, 42);
    const [{ options, forks }] = trials as [(typeof trials)[0]];
    t.deepEqual(
      [options.forks, options.iterations, options.iterationTimeMs, options.warmupIterations],
      [1, 2, 10, 0].map((value) => ({ value, source: 'config' })),
    );
    t.deepEqual([forks.length, forks[0]!.iterations.length, forks[0]!.warmup.length], [1, 2, 0]);
  });
}

test('the nearest config file counts, up to the folder of the package and not further', (t) => {
  const cwd = project(t, 'tscope.config.json', '{}');
  mkdirSync(join(cwd, 'bench/deep'), { recursive: true });
  t.is(findConfig(join(cwd, 'bench/deep')), join(cwd, 'tscope.config.json'));
  writeFileSync(join(cwd, 'bench/tscope.config.mjs'), 'export default {};');
  t.is(findConfig(join(cwd, 'bench/deep')), join(cwd, 'bench/tscope.config.mjs'));
  mkdirSync(join(cwd, 'inner'));
  writeFileSync(join(cwd, 'inner/package.json'), '{}');
  t.is(findConfig(join(cwd, 'inner')), null);
});

test('other names are not looked for, and can be named', async (t) => {
  const cwd = project(t, 'tscope.config.cjs', 'module.exports = { forks: 7 };\n');
  t.is(findConfig(cwd), null);
  t.is((await loadConfig(cwd, 'tscope.config.cjs')).options.forks, 7);
});

test('what does not load, or is no object, is a mistake that names the file', async (t) => {
  const broken = project(t, 'tscope.config.json', '{ "forks": ');
  await t.throwsAsync(loadConfig(broken), { instanceOf: UsageError, message: /tscope\.config\.json: does not load: / });
  const none = project(t, 'tscope.config.mjs', 'export const forks = 3;\n');
  await t.throwsAsync(loadConfig(none), {
    instanceOf: UsageError,
    message: /tscope\.config\.mjs: must export an object/,
  });
});
