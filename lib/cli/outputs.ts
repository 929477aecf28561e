import { appendFileSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Comparison } from '../analysis/compare/index.js';
import { REPORTERS, type Reporter, reporterOf } from '../report/formats/index.js';
import { writeWhole } from '../result/files.js';
import type { RunResult } from '../result/model.js';
import { UsageError } from '../runner/usage-error.js';
import { didYouMean } from '../suite/suggest.js';
import type { Io } from './io.js';
import { checkWritable } from './run/output.js';
import { flagName } from './run-flags.js';

/** A format and where it goes. */
export interface Output {
  readonly reporter: Reporter;
  /** Absolute path; `-` = standard output. */
  readonly target: string;
  /** Added to what is there already. */
  readonly append: boolean;
}

/** Something else that writes: a flag and its absolute path, `-` for standard output. */
export interface OtherOutput {
  readonly flag: string;
  readonly target: string;
}

const RF = flagName('--result-format');
const RFF = flagName('--result-file');

function findReporter(id: string): Reporter {
  const reporter = reporterOf(id);
  if (reporter) return reporter;
  const known = REPORTERS.map((each) => each.id);
  throw new UsageError(`${RF}: "${id}" is not a format.${didYouMean(id, known) || ` Formats: ${known.join(', ')}.`}`);
}

/** `json=out.json`, `md=-`, or a bare format. */
function readSpec(spec: string): { reporter: Reporter; file: string | null } {
  const at = spec.indexOf('=');
  if (at < 0) return { reporter: findReporter(spec), file: null };
  const file = spec.slice(at + 1);
  if (file === '') throw new UsageError(`${RF} ${spec}: name a file after the =, or - for standard output.`);
  return { reporter: findReporter(spec.slice(0, at)), file };
}

/** JMH's `-rff FILE`: the file of the one bare `-rf`, CSV without one. */
function withFile(specs: ReturnType<typeof readSpec>[], file: string): ReturnType<typeof readSpec>[] {
  const bare = specs.filter((spec) => spec.file === null);
  if (bare.length > 1 || (bare.length === 0 && specs.length > 0)) {
    throw new UsageError(
      `${RFF} ${file}: it names the file of one ${RF} without a file, and there ${bare.length === 0 ? 'is none' : `are ${bare.length}`}. Write -rf <format>=<file> for each.`,
    );
  }
  if (bare.length === 1) return specs.map((spec) => (spec === bare[0] ? { ...spec, file } : spec));
  // `.txt` says nothing of a format.
  const meant = REPORTERS.find(
    ({ extension }) => !['csv', 'txt'].includes(extension) && `.${extension}` === extname(file),
  );
  if (meant) throw new UsageError(`${RFF} ${file}: without ${RF} the format is csv, as in JMH; add -rf ${meant.id}.`);
  return [{ reporter: findReporter('csv'), file }];
}

/** The file itself, past links, so that two names of one file are seen as one. */
function identity(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/**
 * Reads `-rf` and `-rff`, before anything is measured.
 *
 * @param others What other flags write to.
 * @throws UsageError for an unknown format, a file that cannot be written, and two outputs to one file.
 */
export function readOutputs(
  flags: { readonly resultFormat: readonly string[]; readonly resultFile?: string },
  others: readonly OtherOutput[],
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): Output[] {
  let specs = flags.resultFormat.map(readSpec);
  if (flags.resultFile !== undefined) specs = withFile(specs, flags.resultFile);
  const taken = new Map<string, string>();
  const take = (flag: string, target: string) => {
    const key = target === '-' ? '-' : identity(target);
    const first = taken.get(key);
    const where = key === '-' ? 'standard output' : target;
    if (first !== undefined)
      throw new UsageError(`${first} and ${flag} would both write to ${where}; give each a file of its own.`);
    taken.set(key, flag);
  };
  for (const { flag, target } of others) take(flag, target);
  return specs.map(({ reporter, file }) => {
    const { id, variable, defaultTarget } = reporter;
    const flag = `-rf ${id}`;
    const given = variable === undefined ? undefined : env[variable];
    if (file === null && variable !== undefined && !given)
      throw new UsageError(
        `${flag}: ${variable} is not set, so name a file: -rf ${id}=FILE, or - for standard output.`,
      );
    const path = file ?? given ?? defaultTarget;
    const target = path === '-' ? '-' : checkWritable(flag, path, cwd);
    take(`${flag}=${path}`, target);
    return { reporter, target, append: file === null && given !== undefined };
  });
}

/**
 * Formats that the environment asks for (the step summary of GitHub Actions) and the command line did not: they are added to the
 * file of their variable, and one that cannot be written is told, no mistake of the user.
 */
export function ambientOutputs(asked: readonly Output[], { env }: Pick<Io, 'env'>): Output[] {
  return REPORTERS.flatMap((reporter) => {
    const target = reporter.variable === undefined ? undefined : env[reporter.variable];
    if (!target || asked.some((output) => output.reporter === reporter)) return [];
    return [{ reporter, target, append: true }];
  });
}

/**
 * Writes a result in every format asked for. What a format leaves out and what cannot be written is told.
 *
 * @param comparison Its benchmarks against their baselines.
 * @param elsewhere Where the same data are, for the message.
 * @returns Was everything written?
 */
export function writeOutputs(
  outputs: readonly Output[],
  result: RunResult,
  comparison: Comparison,
  elsewhere: string,
  io: Pick<Io, 'out' | 'err'>,
): boolean {
  let written = true;
  for (const { reporter, target, append } of outputs) {
    for (const sentence of reporter.leavesOut?.(result) ?? []) io.err(`tscope: -rf ${reporter.id}: ${sentence}\n`);
    const text = reporter.format(result, comparison);
    if (target === '-') io.out(text);
    else {
      const write = () => (append ? appendFileSync(target, text) : writeWhole(target, text));
      written = writeOrTell(io, target, write, elsewhere) && written;
    }
  }
  return written;
}

/** Writes one file of results at the end; a failure is told, and where the same data still are. */
export function writeOrTell(io: Pick<Io, 'err'>, path: string, write: () => void, elsewhere: string): boolean {
  try {
    write();
    return true;
  } catch (error) {
    io.err(`tscope: ${path}: cannot be written (${(error as Error).message}). The data are in ${elsewhere}.\n`);
    return false;
  }
}
