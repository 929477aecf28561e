import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { makeFolder, writeWhole } from '../../result/files.js';
import { UsageError } from '../../runner/usage-error.js';
import { CONFIG_TEXT, exampleText, WORKFLOW_TEXT } from '../init/templates.js';
import { EXIT, type Io } from '../io.js';

const SCRIPT = 'tscope run';

/** package.json with one more script, in the style in which it is written. */
export function withScript(text: string): string {
  const manifest = JSON.parse(text) as { scripts?: Record<string, string> };
  const indent = /^[{\s]*\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const end = text.endsWith('\n') ? '\n' : '';
  return `${JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, bench: SCRIPT } }, null, indent)}${end}`;
}

function readManifest(path: string): string {
  if (!existsSync(path))
    throw new UsageError(
      `init: there is no package.json in this folder; go to the project's folder, or run npm init first.`,
    );
  const text = readFileSync(path, 'utf8');
  try {
    if (typeof (JSON.parse(text) as object | null) === 'object') return text;
  } catch (error) {
    throw new UsageError(`init: ${path} is not valid JSON (${(error as Error).message}); correct it first.`);
  }
  throw new UsageError(`init: ${path} does not hold an object; correct it first.`);
}

function installed(cwd: string): boolean {
  try {
    createRequire(join(cwd, 'package.json')).resolve('tscope/package.json');
    return true;
  } catch {
    return false;
  }
}

/**
 * `tscope init`: all files or, when one of them is there already, none.
 *
 * @returns Exit code.
 * @throws UsageError when something would be overwritten, or cannot be written.
 */
export function initCommand({ cwd, out }: Io): number {
  const manifestPath = join(cwd, 'package.json');
  const manifest = readManifest(manifestPath);
  const typescript = existsSync(join(cwd, 'tsconfig.json'));
  const files: readonly (readonly [name: string, text: string])[] = [
    [`bench/lookup.bench.${typescript ? 'ts' : 'mjs'}`, exampleText(typescript)],
    ['tscope.config.mjs', CONFIG_TEXT],
    ['.github/workflows/bench.yml', WORKFLOW_TEXT],
  ];
  const there = files.map(([name]) => name).filter((name) => existsSync(join(cwd, name)));
  if ((JSON.parse(manifest) as { scripts?: { bench?: unknown } }).scripts?.bench !== undefined)
    there.push('the script "bench" in package.json');
  if (there.length > 0)
    throw new UsageError(
      `init: ${there.join(', ')} ${there.length > 1 ? 'are' : 'is'} there already; nothing was written.`,
    );

  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(cwd, name);
      makeFolder(dirname(path));
      writeWhole(path, text);
      written.push(path);
    }
    writeWhole(manifestPath, withScript(manifest));
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw new UsageError(`init: cannot write (${(error as Error).message}); nothing was left behind.`);
  }
  for (const [name] of files) out(`wrote ${name}\n`);
  out(`added the script "bench" to package.json\n\n`);
  if (!installed(cwd)) out('tscope is not installed here yet: npm install --save-dev tscope\n');
  out('Measure with: npm run bench\n');
  return EXIT.ok;
}
