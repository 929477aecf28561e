// Prints the C++ sources of the addon, one per line: every .cc under native/core and native/addon. Used by binding.gyp.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
for (const folder of ['core', 'addon']) {
  const files = readdirSync(join(root, 'native', folder), { recursive: true });
  for (const file of files.map((name) => name.replaceAll('\\', '/')).sort()) {
    if (file.endsWith('.cc')) console.log(`native/${folder}/${file}`);
  }
}
