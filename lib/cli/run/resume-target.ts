import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runsDir } from '../../api/plan.js';
import { UsageError } from '../../runner/usage-error.js';

function isComplete(runDir: string): boolean {
  try {
    const result = JSON.parse(readFileSync(join(runDir, 'result.json'), 'utf8')) as { status?: unknown };
    return result.status === 'complete';
  } catch {
    return false;
  }
}

/**
 * The folder of the run to go on with.
 *
 * @param which Id or folder; `true` = the latest that is not complete.
 * @throws UsageError when there is none.
 */
export function resumeTarget(which: string | true, cwd: string): string {
  const runs = runsDir(cwd);
  if (which !== true) {
    const found = [join(runs, which), resolve(cwd, which)].find((path) => existsSync(join(path, 'plan.json')));
    if (found) return found;
    throw new UsageError(`--resume: there is no run "${which}" in ${runs}.`);
  }
  const ids = existsSync(runs) ? readdirSync(runs).sort().reverse() : [];
  const latest = ids
    .map((id) => join(runs, id))
    .find((path) => existsSync(join(path, 'plan.json')) && !isComplete(path));
  if (latest) return latest;
  throw new UsageError(`--resume: no interrupted run in ${runs}.`);
}
