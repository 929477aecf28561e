/** Suites that are given as objects: written to a module that forks can import. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fsReason, makeFolder, writeWhole } from '../result/files.js';
import type { RunResult, Trial } from '../result/model.js';
import { UsageError } from '../runner/usage-error.js';
import type { Suite } from '../suite/types.js';
import { SourceTextError, sourceText } from './source-text.js';

const FOLDER = '.tscope/inline';

/**
 * Writes a module below `cwd`, so that packages resolve as they do for the caller. Its name comes from its content: the same text is the
 * same file, and trials keep their id from run to run.
 *
 * @returns Absolute path.
 * @throws UsageError when it cannot be written.
 */
export function writeModule(name: string, source: string, cwd: string): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 12);
  const word = name.replace(/[^\w-]+/g, '-').slice(0, 40);
  const file = join(cwd, FOLDER, `${word}-${hash}.bench.mjs`);
  if (existsSync(file)) return file;
  try {
    makeFolder(join(cwd, FOLDER));
    writeWhole(file, source);
  } catch (error) {
    throw new UsageError(`${file}: cannot be written (${fsReason(error)}); it holds the functions that forks import.`);
  }
  return file;
}

/**
 * The module of a suite object.
 *
 * @throws UsageError when a part of it has no source text.
 */
export function writeSuite({ name, definition }: Suite, cwd: string): string {
  try {
    const source = `export default { kind: 'suite', name: ${sourceText(name, 'its name')}, definition: ${sourceText(definition, 'definition')} };\n`;
    return writeModule(name, source, cwd);
  } catch (error) {
    if (!(error instanceof SourceTextError)) throw error;
    throw new UsageError(
      `suite "${name}" cannot be handed to a fork as an object: ${error.message}. Put the suite into a file and run that file.`,
    );
  }
}

const hintFor = (name: string): string => {
  if (/^(__cov|cov_|__vi|__vite)/.test(name)) {
    return `"${name}" was put into the function by a tool (coverage or a bundler), and does not exist in a fork: give a file, or module and export name`;
  }
  if (name === 'require') return 'forks load it as an ES module, without require: use `await import()` in setup';
  return `the function is rebuilt in the fork from its source text, where "${name}" of the place where it was written does not exist: create it in setup, or give a file, or module and export name`;
};

/** Says why a function that was rebuilt from its text does not find a variable. */
export function explainCaptured(result: RunResult, files: ReadonlySet<string>): RunResult {
  const explain = (trial: Trial): Trial => {
    const { failure } = trial;
    const name = failure && /(?:^|ReferenceError: )([\w$]+) is not defined/.exec(failure.message)?.[1];
    if (!failure || !name || !files.has(trial.file)) return trial;
    return { ...trial, failure: { ...failure, message: `${failure.message} (${hintFor(name)})` } };
  };
  return { ...result, trials: result.trials.map(explain) };
}
