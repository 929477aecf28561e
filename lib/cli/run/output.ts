import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../runner/usage-error.js';

/** Can `path` be written? Asked before measuring, so that no run is spoiled by a mistyped folder. Throws UsageError. */
export function checkWritable(flag: string, path: string, cwd: string): string {
  const target = resolve(cwd, path);
  const folder = dirname(target);
  const problem = (() => {
    if (!existsSync(folder)) return `the folder ${folder} does not exist; create it first`;
    if (existsSync(target) && statSync(target).isDirectory()) return 'it is a folder; name a file in it';
    try {
      accessSync(folder, constants.W_OK);
      if (existsSync(target)) accessSync(target, constants.W_OK);
      return null;
    } catch {
      return 'it cannot be written; check the permissions';
    }
  })();
  if (problem !== null) throw new UsageError(`${flag} ${path}: ${problem}.`);
  return target;
}
