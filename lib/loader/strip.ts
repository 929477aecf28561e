/**
 * TypeScript to JavaScript without touching what runs: types become blanks, so that code, names and positions stay as written.
 * What cannot be blanked (enum, namespace, parameter properties, `<T>x`, `import x = require`) falls back to a transform with an inline
 * map, and the result says so. Never loaded in a fork that measures: the stripper is 3.6 MB of WebAssembly.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Stripped } from './register.js';

/** What the stripper throws: a plain object, lines from 1, columns from 0. */
interface Problem {
  readonly code?: string;
  readonly message?: string;
  readonly startLine?: number;
  readonly startColumn?: number;
  readonly snippet?: string;
}

interface Stripper {
  transformSync(
    source: string,
    options: { mode: 'strip-only' | 'transform'; filename: string; sourceMap?: boolean },
  ): { code: string; map?: string };
}

let stripper: Stripper | undefined;

function load(): Stripper {
  stripper ??= createRequire(import.meta.url)('@swc/wasm-typescript') as Stripper;
  return stripper;
}

/**
 * JavaScript for the TypeScript `source` of the file `path`.
 * @throws {SyntaxError} `path:line:column: what is wrong` (line and column from 1).
 */
export function strip(source: string, path: string): Stripped {
  try {
    const { code } = load().transformSync(source, { mode: 'strip-only', filename: path });
    refuseDecorators(code);
    return { code, how: 'stripped' };
  } catch (error) {
    if ((error as Problem).code !== 'UnsupportedSyntax') throw asSyntaxError(error, path);
  }
  try {
    const { code, map } = load().transformSync(source, { mode: 'transform', filename: path, sourceMap: true });
    refuseDecorators(code);
    const inline = Buffer.from(map ?? '{}').toString('base64');
    return { code: `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`, how: 'transformed' };
  } catch (error) {
    throw asSyntaxError(error, path);
  }
}

function asSyntaxError(error: unknown, path: string): unknown {
  if (error instanceof Error) return error;
  const { message, startLine = 1, startColumn = 0, snippet = '' } = error as Problem;
  const problem = new SyntaxError(`${path}:${startLine}:${startColumn + 1}: ${message ?? String(error)}`);
  // The stack of the stripper helps nobody; the line of the user's file does.
  problem.stack = `SyntaxError: ${problem.message}\n${snippet.trimEnd()}`;
  return problem;
}

/** The stripper passes decorators through and V8 then stops with "Invalid or unexpected token", without a place. */
function refuseDecorators(code: string): void {
  if (!/(?:^|[{};(,])[ \t]*@[\w$(]/m.test(code)) return;
  const check = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
    input: code,
    encoding: 'utf8',
    env: {},
  });
  const at = /^.*:(\d+)\n(.*)\n( *)\^/m.exec(check.stderr ?? '');
  if (check.status === 0 || !at || at[2]![at[3]!.length] !== '@') return;
  const problem: Problem = {
    message:
      'decorators cannot be run as written: no JavaScript engine has them yet. Compile this file first (tsc, esbuild) and benchmark the output, or move the decorated class out',
    startLine: Number(at[1]),
    startColumn: at[3]!.length,
    snippet: `${at[2]}\n${at[3]}^`,
  };
  throw problem;
}
