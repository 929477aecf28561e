import { resolve } from 'node:path';
import { againstBaselines } from '../../analysis/compare/index.js';
import { PLAIN } from '../../report/look.js';
import { bodyText, headText } from '../../report/run.js';
import type { RunResult } from '../../result/model.js';
import { readAnyResult } from '../../result/read.js';
import { ResultFileError } from '../../result/result-file-error.js';
import { UsageError } from '../../runner/usage-error.js';
import { EXIT, type Io } from '../io.js';
import { readOutputs, writeOutputs } from '../outputs.js';

interface Flags {
  readonly resultFormat: readonly string[];
  readonly resultFile?: string;
}

function load(path: string, cwd: string): RunResult {
  try {
    const any = readAnyResult(resolve(cwd, path));
    if (any.kind === 'tscope') return any.result;
  } catch (error) {
    if (error instanceof ResultFileError) throw new UsageError(error.message);
    throw error;
  }
  throw new UsageError(
    `${path}: a result file of JMH; it can be compared (tscope compare), not written in other formats.`,
  );
}

/**
 * `tscope report <result> [-rf format[=file]]...`.
 *
 * @returns Exit code; 1 when a file could not be written.
 * @throws UsageError for a result that cannot be read and outputs that cannot be written.
 */
export function reportCommand(path: string, given: unknown, io: Io): number {
  const flags = given as Flags;
  const result = load(path, io.cwd);
  const baselines = againstBaselines(result);
  const asked = flags.resultFormat.length > 0 || flags.resultFile !== undefined;
  if (!asked) {
    const look = io.look ?? PLAIN;
    io.out(headText(result, look) + bodyText(result, baselines, look));
    return EXIT.ok;
  }
  const source = { flag: 'the result file', target: resolve(io.cwd, path) };
  const outputs = readOutputs(flags, [source], io);
  return writeOutputs(outputs, result, baselines, path, io) ? EXIT.ok : EXIT.failed;
}
