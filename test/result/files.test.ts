import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { fsReason, makeFolder, writeWhole } from '#lib/result/files.js';

const scratch = () => mkdtempSync(join(tmpdir(), 'tscope-files-'));

test('a folder is made with those above it, again without complaint; a file in the way is named', (t) => {
  const root = scratch();
  makeFolder(join(root, 'a/b/c'));
  makeFolder(join(root, 'a/b/c'));
  t.deepEqual(readdirSync(join(root, 'a/b')), ['c']);
  writeFileSync(join(root, 'file'), '');
  const error = t.throws(() => makeFolder(join(root, 'file/b')));
  t.regex(fsReason(error), /^E(NOTDIR|EXIST), a file is where a folder is needed$/);
});

test('a file is replaced whole, behind a link as well, and nothing else is left', (t) => {
  const root = scratch();
  writeFileSync(join(root, 'real'), 'old');
  symlinkSync('real', join(root, 'link'));
  writeWhole(join(root, 'link'), 'new');
  t.is(readFileSync(join(root, 'real'), 'utf8'), 'new');
  t.throws(() => writeWhole(join(root, 'missing/file'), 'x'), { code: 'ENOENT' });
  t.throws(() => writeWhole(root, 'x'), { code: 'EISDIR' });
  t.deepEqual(readdirSync(root).sort(), ['link', 'real']);
});
