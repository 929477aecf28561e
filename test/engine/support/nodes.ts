/** Node executables to prove things on. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestFn } from 'ava';
import { nodesUnderTest } from '../../nodes.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

/** Declares `body` for every Node that is installed, and a test that says why for every one that is not. */
export function onEveryNode(test: TestFn, declare: (name: string, node: string) => void): void {
  for (const { name, executable, reason } of nodesUnderTest()) {
    if (executable !== null) declare(name, executable);
    else test.skip(`${name}: ${reason}`, () => {});
  }
}
