/** Every format of one run, whole, against golden files. UPDATE_GOLDEN=1 writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { REPORTERS, reporterOf } from '#lib/report/formats/index.js';
import { parseResult } from '#lib/result/index.js';
import { fixture } from '../../support/cli.js';
import { formatsRun, inFormat } from '../../support/formats.js';

for (const { id, extension } of REPORTERS) {
  test(`${id}: the whole file`, (t) => {
    const file = fixture(`golden/formats/${id}.${extension}`);
    const text = inFormat(id);
    if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
    t.is(text, readFileSync(file, 'utf8'));
  });
}

test('ids are found in any case; each has its own; a result of a result file formats alike', (t) => {
  t.is(reporterOf('JSON')?.id, 'json');
  t.is(reporterOf('xml'), undefined);
  t.is(new Set(REPORTERS.map(({ id }) => id)).size, REPORTERS.length);
  const run = formatsRun();
  const reread = parseResult(JSON.stringify(run), 'run');
  // The whole result may come back with its fields in another order.
  for (const { id } of REPORTERS) if (id !== 'tscope') t.is(inFormat(id, reread), inFormat(id, run), id);
});
