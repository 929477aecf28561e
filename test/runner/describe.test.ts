import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { planRun } from '#lib/api/plan.js';
import { describeFile } from '#lib/runner/index.js';
import { fixture, root, tempDir, trialPlan } from './plans.js';

const script = fixture('describe.mjs');

function setup(t: Parameters<typeof tempDir>[0], name: string, text: string) {
  const folder = tempDir(t);
  const file = join(folder, name);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(file, text);
  return { file, loader: { cacheDir: join(folder, 'cache'), mode: 'strip' as const } };
}

test('a file is described in a process of its own; params go along and prints are kept', async (t) => {
  const options = {
    ...setup(t, 'ok.ts', 'console.log("hi");\nexport default "S" as string;\n'),
    paramOverrides: { n: ['1'] },
  };
  const described = await describeFile(options, { script });
  t.true(described.ok);
  if (!described.ok) return;
  t.is(described.suites[0]!.name, 'S');
  t.deepEqual(described.suites[0]!.params as unknown, { n: ['1'] });
  t.regex(described.output, /hi/);
  t.deepEqual([described.node, described.v8], ['99.1.0', '99.1']);
});

test('the result names the node that runs the forks, not the one that runs the host', async (t) => {
  const file = join(root, 'examples/hash.bench.ts');
  const loader = { cacheDir: join(tempDir(t), 'cache'), mode: 'strip' as const };
  const described = await describeFile({ file, loader });
  t.true(described.ok && described.node === process.versions.node && described.v8 === process.versions.v8);
  const versions = { node: '99.1.0', v8: '99.1' };
  const { head, plan } = planRun(
    {
      files: [],
      wholeRun: { options: {}, sources: {} },
      findings: [],
      trials: [trialPlan('a', {})],
      loader,
      nodeExecutable: '/opt/node',
      versions,
    },
    { cwd: tempDir(t), order: 'random', failFast: false, command: [], source: 'call' },
  );
  for (const { node, v8 } of [head.environment, plan.environment]) t.deepEqual({ node, v8 }, versions);
});

const failures: [name: string, file: string, text: string, phase: string, message: RegExp][] = [
  ['a syntax error in TypeScript', 'a.ts', 'const a = 1;\nconst b = = 2;\n', 'load', /a\.ts:2:11: /],
  [
    'a syntax error in JavaScript',
    'a.mjs',
    'const a = 1;\nconst b = = 2;\n',
    'load',
    /a\.mjs:2:11: SyntaxError: Unexpected token '='/,
  ],
  ['a throw at load', 'a.mjs', 'throw new RangeError("no such luck");\n', 'load', /RangeError: no such luck/],
  ['process.exit at load', 'a.mjs', 'process.exit(0);\n', 'exit', /by itself while loading the file/],
  [
    'a top-level await that never settles',
    'a.mjs',
    'await new Promise(() => {});\n',
    'exit',
    /top-level await can never settle/,
  ],
  ['an endless loop at load', 'a.mjs', 'for (;;);\n', 'timeout', /stopped after 3 s while loading the file/],
  [
    'a type imported as a value',
    'a.ts',
    'import { T } from "./b.mjs";\nexport default 1 as T;\n',
    'load',
    /import it with "import type"/,
  ],
  ['no suite', 'a.mjs', 'export default 1;\n', 'describe', /no suite is exported/],
];

for (const [name, file, text, phase, message] of failures) {
  test(`${name} comes back as one sentence`, async (t) => {
    const options = { ...setup(t, file, text), timeoutMs: phase === 'timeout' ? 3000 : 30_000 };
    writeFileSync(join(options.file, '../b.mjs'), 'export const x = 1;\n');
    const described = await describeFile(options, { script });
    t.false(described.ok);
    if (described.ok) return;
    t.is(described.failure.phase, phase);
    t.regex(described.failure.message, message);
    t.false(described.failure.message.includes('\n'));
  });
}

test('TypeScript without a loader comes back with what to do, where Node does not load it by itself', async (t) => {
  const options = setup(t, 'ok.ts', 'export default "S" as string;\n');
  const described = await describeFile({ ...options, loader: { ...options.loader, mode: 'none' } }, { script });
  if (described.ok) t.true('typescript' in process.features);
  else t.regex(described.failure.message, /Unknown file extension ".ts".*use loader "strip", or Node 22\.18 or later/);
});
