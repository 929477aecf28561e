// Writes schema/tscope-result-1.schema.json (draft 07) from lib/result/schema.ts. `--check` only compares and exits 1 when it differs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { runResultSchema } from '../dist/result/schema.js';

const path = join(dirname(dirname(fileURLToPath(import.meta.url))), 'schema/tscope-result-1.schema.json');
const schema = {
  $id: 'tscope-result-1',
  title: 'tscope result, version 1',
  description:
    'Times are ns unless the field name says otherwise; null = could not be had. Fields may be added in minor versions.',
  ...toJsonSchema(runResultSchema, { errorMode: 'ignore' }),
};
const text = `${JSON.stringify(schema, null, 2)}\n`;
if (process.argv.includes('--check')) {
  let old = '';
  try {
    old = readFileSync(path, 'utf8');
  } catch {
    // Missing counts as different.
  }
  if (old !== text) {
    console.error('schema: the published schema is stale; run `npm run schema`.');
    process.exit(1);
  }
} else {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
