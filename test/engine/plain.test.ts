import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { loaderArgs } from '#lib/loader/index.js';
import { describeFile } from '#lib/runner/index.js';
import { onEveryNode } from './support/nodes.js';
import { fixture, runFork } from './support/run-fork.js';

const cacheDir = mkdtempSync(join(tmpdir(), 'tscope-'));
test.after.always(() => rmSync(cacheDir, { recursive: true, force: true }));
const loader = { cacheDir, mode: 'strip' as const };
const file = fixture('engine/fixtures/late-typescript.mjs');
const plan = { file, suite: 'Late', benchmark: 'b', warmupIterations: 0, iterations: 1 };

onEveryNode(test, (name, node) => {
  const { stdout } = spawnSync(node, ['-p', '"registerHooks" in require("module")'], { encoding: 'utf8' });
  const threaded = stdout.trim() === 'false';

  test(`${name}: a plain fork runs JavaScript`, async (t) => {
    const args = loaderArgs(loader, false, true);
    const report = await runFork({ ...plan, params: { where: 'nowhere' } }, { node, args });
    t.is(report.code, 0, JSON.stringify(report.of('failed')) + report.stderr);
    t.is(report.of('runtime').at(-1)!.runtime.loader, 'none');
  });

  for (const where of ['setup', 'benchmark']) {
    test(`${name}: TypeScript that ${where} of a plain fork imports ${threaded ? 'fails with a sentence' : 'loads'}`, async (t) => {
      for (const plain of [true, false]) {
        const args = loaderArgs(loader, false, plain);
        const report = await runFork({ ...plan, params: { where } }, { node, args });
        const [failed] = report.of('failed');
        if (plain && threaded) {
          t.is(report.code, 1);
          t.is(failed?.failure.phase, where);
          t.regex(failed!.failure.message, /typed\.bench\.ts.*described.*import the file at the top.*Node 22\.15/);
        } else {
          t.is(report.code, 0, JSON.stringify(failed) + report.stderr);
          t.is(report.of('runtime').at(-1)!.runtime.loader, 'stripped');
        }
      }
    });
  }

  test(`${name}: describing tells which files are plain`, async (t) => {
    const how = async (path: string) => {
      const answer = await describeFile({ file: fixture(path), loader, nodeExecutable: node });
      return answer.ok ? answer.loader : answer.failure.message;
    };
    t.is(await how('engine/fixtures/late-typescript.mjs'), 'none');
    t.is(await how('engine/fixtures/typed.bench.ts'), 'stripped');
  });
});
