import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import {
  formatResult,
  parseAnyResult,
  parseResult,
  ResultFileError,
  readResult,
  writeResult,
} from '#lib/result/index.js';
import { checkLightly } from '#lib/result/light.js';
import { exampleResult } from '../support/result.js';

const edit = (change: (value: Record<string, unknown>) => void) => {
  const value = structuredClone(exampleResult()) as unknown as Record<string, unknown>;
  change(value);
  return JSON.stringify(value);
};

test('a result survives writing and reading unchanged', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-result-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'result.json');
  writeResult(path, exampleResult());
  t.deepEqual(readResult(path), exampleResult());
  writeResult(path, { ...exampleResult(), seed: 7 });
  t.is(readResult(path).seed, 7);
  t.deepEqual(readdirSync(folder), ['result.json']);
});

test('a later minor version with new fields is read, an unknown major is refused', (t) => {
  const later = edit((value) => {
    value.version = '1.9';
    value.somethingNew = true;
  });
  t.is(parseResult(later, 'r.json').version, '1.9');
  const error = t.throws(
    () =>
      parseResult(
        edit((value) => void (value.version = '2.0')),
        'r.json',
      ),
    { instanceOf: ResultFileError },
  );
  t.is(error.code, 'version');
  t.regex(error.message, /^r\.json: result version "2\.0" is not known; this tscope reads 1\.x/);
});

test('damage is reported with file and place', (t) => {
  const text = formatResult(exampleResult());
  const code = (input: string) => t.throws(() => parseResult(input, 'r.json'), { instanceOf: ResultFileError });
  t.regex(
    code(text.slice(0, text.length / 2)).message,
    /^r\.json: not complete JSON \(.*\); the file was cut or edited/s,
  );
  t.is(code('[]').code, 'foreign');
  t.is(code('null').code, 'foreign');
  t.is(code('[{"benchmark": "a.b", "mode": "avgt"}]').code, 'foreign');
  const broken = code(edit((value) => void ((value.trials as { mode: string }[])[0]!.mode = 'fast')));
  t.is(broken.code, 'damaged');
  t.regex(broken.message, /^r\.json: damaged at trials\.0\.mode: /);
  t.is(code(edit((value) => void delete value.environment)).code, 'damaged');
});

test('a missing file and a folder are told apart', (t) => {
  t.is(t.throws(() => readResult('/nonexistent/r.json'), { instanceOf: ResultFileError }).code, 'missing');
  t.is(t.throws(() => readResult(tmpdir()), { instanceOf: ResultFileError }).code, 'unreadable');
});

test('a failed write leaves the old file and no temporary one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-result-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'result.json');
  writeFileSync(path, 'old');
  const cyclic: Record<string, unknown> = { ...exampleResult() };
  cyclic.self = cyclic;
  t.throws(() => writeResult(path, cyclic as never));
  t.throws(() => writeResult(join(folder, 'missing/result.json'), exampleResult()), { message: /ENOENT/ });
  t.is(readFileSync(path, 'utf8'), 'old');
  t.deepEqual(readdirSync(folder), ['result.json']);
});

test('the published JSON schema is the one the reader uses', (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/schema.mjs', '--check'], { encoding: 'utf8' });
  t.is(status, 0, stderr);
});

test('the light check reads what the whole one reads, and sends what it cannot vouch for to it', (t) => {
  const whole = exampleResult();
  const text = formatResult(whole);
  t.deepEqual(parseAnyResult(text, 'r.json'), { kind: 'tscope', result: parseResult(text, 'r.json') });
  t.deepEqual(checkLightly(JSON.parse(text)), parseResult(text, 'r.json'));
  const damage = (change: (result: ReturnType<typeof exampleResult>) => unknown) => {
    const copy = JSON.parse(text) as ReturnType<typeof exampleResult>;
    change(copy);
    t.is(checkLightly(copy), null);
    return t.throws(() => parseAnyResult(JSON.stringify(copy), 'r.json'), { instanceOf: ResultFileError });
  };
  const first = (result: ReturnType<typeof exampleResult>) =>
    result.trials[0]!.forks[0]!.iterations[0]! as unknown as Record<string, unknown>;
  t.regex(damage((r) => Object.assign(first(r), { ops: 'many' })).message, /trials\.0\.forks\.0\.iterations\.0\.ops/);
  damage((r) => Object.assign(first(r), { score: undefined }));
  damage((r) => Object.assign(first(r), { aware: { score: 1 } }));
  damage((r) => Object.assign(first(r), { canary: 5 }));
  damage((r) => Object.assign(first(r), { histogram: { buckets: [1], total: 1 } }));
  damage((r) => Object.assign(first(r), { counters: { hits: 'many' } }));
  const thread = { ops: 1, elapsedNs: 1, label: null };
  for (const [field, value] of Object.entries({
    ops: null,
    elapsedNs: '1',
    label: { x: 1 },
    counters: { hits: 'x' },
  })) {
    const { message } = damage((r) => Object.assign(first(r), { threads: [thread, { ...thread, [field]: value }] }));
    t.regex(message, new RegExp(`iterations\\.0\\.threads\\.1\\.${field}`));
  }
  damage((r) => Object.assign(first(r), { threads: [null] }));
  damage((r) => Object.assign(r.trials[0]!.forks[0]!, { wallMs: null }));
  damage((r) => Object.assign(r.environment, { node: 24 }));
  damage((r) => Object.assign(r, { trials: {} }));
});
