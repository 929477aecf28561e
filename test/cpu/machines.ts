import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the recorded machines. */
export const fixtures = join(dirname(fileURLToPath(import.meta.url)), '../../../test/fixtures/machines');

const made: string[] = [];
process.on('exit', () => {
  for (const root of made) rmSync(root, { recursive: true, force: true });
});

/** Unpacks a recorded machine (`== path` lines, each followed by the file's text) into a fresh folder; returns the folder. */
export function machine(name: string): string {
  const root = mkdtempSync(join(tmpdir(), `tscope-${name}-`));
  made.push(root);
  let path: string | null = null;
  let lines: string[] = [];
  const folders = new Set<string>();
  const flush = () => {
    if (path === null) return;
    const folder = dirname(join(root, path));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(join(root, path), lines.map((line) => `${line}\n`).join(''));
  };
  for (const line of readFileSync(join(fixtures, `${name}.tree`), 'utf8')
    .trimEnd()
    .split('\n')) {
    if (line.startsWith('== ')) {
      flush();
      path = line.slice(3);
      lines = [];
    } else if (path !== null) lines.push(line);
  }
  flush();
  return root;
}
