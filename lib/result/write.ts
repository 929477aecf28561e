import { writeWhole } from './files.js';
import type { RunResult } from './model.js';

/** JSON of a result, indented by one space: it can be read and diffed without growing by half. */
export function formatResult(result: RunResult): string {
  return `${JSON.stringify(result, null, 1)}\n`;
}

/** Writes a result file; see {@link writeWhole}. @throws The file system's error; no temporary file is left behind. */
export function writeResult(path: string, result: RunResult): void {
  writeWhole(path, formatResult(result));
}
