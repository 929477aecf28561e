import { expressionModule } from '../../api/expressions.js';
import { writeModule } from '../../api/inline.js';
import type { Io } from '../io.js';
import { runCommand } from './run.js';

/**
 * `tscope eval`: a benchmark file from expressions, then `tscope run`.
 *
 * @param expressions One or two; undefined ones are left out.
 * @param flags `setup`, and every flag of `tscope run`.
 * @throws UsageError when one does not parse.
 */
export function evalCommand(
  expressions: readonly (string | undefined)[],
  flags: { readonly setup?: string } & Readonly<Record<string, unknown>>,
  argv: readonly string[],
  io: Io,
): Promise<number> {
  const { setup = '', ...others } = flags;
  const given = expressions.filter((expression) => expression !== undefined);
  const file = writeModule('eval', expressionModule(given, setup), io.cwd);
  return runCommand([file], others, argv, io);
}
