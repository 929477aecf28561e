import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { completeResult } from '#lib/analysis/complete.js';
import {
  appendIndex,
  entriesOf,
  indexFile,
  keepResult,
  latestRun,
  parseIndex,
  readBaseline,
  readIndex,
  rebuildIndex,
  runIds,
  saveBaseline,
} from '#lib/history/index.js';
import { ResultFileError } from '#lib/result/index.js';
import type { RunResult } from '#lib/result/model.js';
import { ROOT, scratch } from '../support/cli.js';
import { around, resultOf, trialOf } from '../support/compare.js';

const run = (id: string, over: Partial<RunResult> = {}): RunResult =>
  completeResult(resultOf([trialOf(around(100)), trialOf(around(5), { benchmark: 'g' })], { id, ...over }), {
    allow: new Set(),
    flags: new Set(),
  });

/** A `.tscope` folder with these runs kept in it. */
function kept(t: Parameters<typeof scratch>[0], ...runs: readonly RunResult[]): string {
  const root = join(scratch(t), '.tscope');
  for (const result of runs) {
    const dir = join(root, 'runs', result.id);
    mkdirSync(dir, { recursive: true });
    keepResult(dir, result);
  }
  return root;
}

test('what is kept is indexed, and a name keeps other lines from being parsed', (t) => {
  const root = kept(t, run('a'), run('b'));
  t.deepEqual(readIndex(root).entries, [...entriesOf(run('a')), ...entriesOf(run('b'))]);
  t.deepEqual(
    readIndex(root, 'S.g').entries.map(({ run, name }) => [run, name]),
    [
      ['a', 'S.g'],
      ['b', 'S.g'],
    ],
  );
  t.deepEqual(readIndex(join(root, 'nowhere')), { entries: [], damaged: 0 });
});

test('a torn last line costs that line only, and the next append starts on a new one', (t) => {
  const root = kept(t, run('a'));
  const line = readFileSync(indexFile(root), 'utf8').split('\n')[0]!;
  appendFileSync(indexFile(root), line.slice(0, 60));
  t.deepEqual([readIndex(root).entries.length, readIndex(root).damaged], [2, 1]);
  appendIndex(root, entriesOf(run('b')));
  const { entries, damaged } = readIndex(root);
  t.deepEqual(
    entries.map(({ run }) => run),
    ['a', 'a', 'b', 'b'],
  );
  t.is(damaged, 1);
  t.deepEqual(parseIndex('5\nnull\n{"v":2}\n\n'), { entries: [], damaged: 3 });
});

test('a line with a field of another type is damaged, whichever field it is', (t) => {
  const [line] = entriesOf(run('a'));
  t.is(parseIndex(JSON.stringify(line)).entries.length, 1);
  for (const name of Object.keys(line!)) {
    for (const value of [undefined, true, name === 'params' ? null : { x: 1 }]) {
      const { entries, damaged } = parseIndex(JSON.stringify({ ...line, [name]: value }));
      t.deepEqual([entries.length, damaged], [0, 1], `${name}: ${JSON.stringify(value)}`);
    }
  }
  t.is(parseIndex(JSON.stringify({ ...line, value: null, se: null })).entries.length, 1, 'a failed trial');
  t.is(parseIndex(JSON.stringify({ ...line, value: '5' })).damaged, 1);
});

test('the index is made anew from the result files, and tells which it could not read', (t) => {
  const root = kept(t, run('a'), run('b'), run('c'));
  const before = readIndex(root);
  rmSync(indexFile(root));
  t.deepEqual(rebuildIndex(root), { runs: 3, trials: 6, left: [] });
  t.deepEqual(readIndex(root), before);
  writeFileSync(join(root, 'runs/b/result.json'), '{"format": "tsc');
  mkdirSync(join(root, 'runs/unfinished'));
  const { runs, left } = rebuildIndex(root);
  t.is(runs, 2);
  t.is(left.length, 1);
  t.regex(left[0]!, /b.result\.json: not complete JSON/);
});

test('processes that append at the same time lose nothing', async (t) => {
  const root = kept(t, run('a'));
  const script = `
    import { appendIndex, entriesOf } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/history/index.js')).href)};
    const [root, id] = process.argv.slice(2);
    const line = JSON.parse(process.env.LINE);
    for (let i = 0; i < 200; i++) appendIndex(root, [{ ...line, run: id + '-' + i }, { ...line, run: id + '+' + i }]);`;
  const file = join(root, 'append.mjs');
  writeFileSync(file, script);
  const LINE = JSON.stringify(entriesOf(run('x'))[0]);
  const codes = await Promise.all(
    ['p', 'q', 'r'].map(
      (id) =>
        new Promise((resolve) =>
          spawn(process.execPath, [file, root, id], { env: { ...process.env, LINE }, stdio: 'inherit' }).on(
            'close',
            resolve,
          ),
        ),
    ),
  );
  t.deepEqual(codes, [0, 0, 0]);
  const { entries, damaged } = readIndex(root);
  t.is(damaged, 0);
  t.is(entries.length, 2 + 3 * 400);
});

test('a complete result is never written again; an interrupted one is, once, and counts once', (t) => {
  const root = kept(t, run('a', { status: 'interrupted' }));
  const dir = join(root, 'runs/a');
  t.true(keepResult(dir, run('a')));
  const before = readFileSync(join(dir, 'result.json'), 'utf8');
  const size = statSync(indexFile(root)).size;
  t.false(keepResult(dir, run('a', { seed: 1 })));
  t.is(readFileSync(join(dir, 'result.json'), 'utf8'), before);
  t.is(statSync(indexFile(root)).size, size);
  t.is(readIndex(root).entries.length, 2, 'the later lines stand for the run');
});

test('baselines are names for runs', (t) => {
  const root = kept(t, run('a'), run('b'), run('c', { status: 'interrupted' }));
  t.is(latestRun(root)!.id, 'b');
  t.is(readBaseline(root, 'main').status, 'unknown');
  saveBaseline(root, 'main', 'a', '2026-01-01T00:00:00.000Z');
  const found = readBaseline(root, 'main');
  t.is(found.status === 'ok' && found.result.id, 'a');
  saveBaseline(root, 'main', 'b', '2026-01-02T00:00:00.000Z');
  const moved = readBaseline(root, 'main');
  t.is(moved.status === 'ok' && moved.result.id, 'b');
  t.true(existsSync(join(root, 'runs/a/result.json')), 'the run that lost the name is still there');
  rmSync(join(root, 'runs/b'), { recursive: true });
  t.is(readBaseline(root, 'main').status, 'lost');
  writeFileSync(join(root, 'baselines/main.json'), '{"run": "../../x"}');
  t.is(readBaseline(root, 'main').status, 'lost');
  writeFileSync(join(root, 'baselines/main.json'), 'null');
  t.is(readBaseline(root, 'main').status, 'lost');
});

test('what is there and cannot be read is told, never taken for missing or passed over for something older', (t) => {
  const root = kept(t, run('a'), run('b'), run('c', { status: 'interrupted' }));
  saveBaseline(root, 'main', 'b', '2026-01-01T00:00:00.000Z');
  t.is(latestRun(root)!.id, 'b', 'interrupted runs are passed over');
  const newest = join(root, 'runs/b/result.json');
  const whole = readFileSync(newest, 'utf8');
  writeFileSync(newest, whole.slice(0, 500));
  for (const read of [() => latestRun(root), () => readBaseline(root, 'main')]) {
    t.is(t.throws(read, { instanceOf: ResultFileError }).code, 'damaged');
  }
  // A folder stands for whatever may not be read: permissions do not stop everybody.
  for (const path of [newest, join(root, 'baselines/main.json'), indexFile(root)]) {
    rmSync(path, { force: true });
    mkdirSync(path);
  }
  for (const read of [() => latestRun(root), () => readBaseline(root, 'main'), () => readIndex(root)]) {
    t.is(t.throws(read, { instanceOf: ResultFileError }).code, 'unreadable');
  }
  rmSync(join(root, 'runs'), { recursive: true });
  t.deepEqual([runIds(root), latestRun(root)], [[], null]);
  writeFileSync(join(root, 'runs'), '');
  t.throws(() => runIds(root), { code: 'ENOTDIR' });
});
