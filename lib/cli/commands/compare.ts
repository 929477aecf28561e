import { resolve } from 'node:path';
import {
  type ComparedRun,
  type Comparison,
  comparedJmh,
  comparedNodeBench,
  comparedRun,
  compareRuns,
  compareWithin,
  type Difference,
  type Gate,
  gate,
  unlike,
} from '../../analysis/compare/index.js';
import { isBaselineName, keepFolder, latestRun, readBaseline } from '../../history/index.js';
import { compareLines, differenceLines } from '../../report/compare.js';
import { readAnyResult } from '../../result/read.js';
import { ResultFileError } from '../../result/result-file-error.js';
import { UsageError } from '../../runner/usage-error.js';
import { type CompareFlags, compareOptions } from '../compare-flags.js';
import { EXIT, type Io } from '../io.js';

export interface CompareCommandFlags extends CompareFlags {
  readonly force?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly baseline?: string;
}

/** What `read` returns; a file that cannot be read is a UsageError. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ResultFileError) throw new UsageError(error.message);
    throw error;
  }
}

/** A result file of ours or of JMH, ready to be compared; throws UsageError when it cannot be read. */
export function loadRun(path: string, cwd: string): ComparedRun {
  const any = reading(() => readAnyResult(resolve(cwd, path)));
  if (any.kind === 'jmh') return comparedJmh(any.records, path);
  if (any.kind === 'node:bench') return comparedNodeBench(any.records, path);
  return comparedRun(any.result, path);
}

/** Throws UsageError when the runs differ in what shapes a measurement, with the list, unless forced. */
export function refuseUnlike(baseline: ComparedRun, candidate: ComparedRun, force: boolean): Difference[] {
  const differences = unlike(baseline, candidate);
  if (differences.length > 0 && !force) {
    throw new UsageError(
      [
        `${baseline.name} and ${candidate.name} are not alike, so their ratio would not be one of the code:`,
        ...differenceLines(differences),
        'Measure both the same way, or compare them all the same with --force.',
      ].join('\n'),
    );
  }
  return differences;
}

/** Exit code of a comparison: 1 on regressed or failed, 4 on inconclusive when strict. */
export function gateCode(result: Gate, strict: boolean): number {
  if (result === 'regressed' || result === 'failed') return EXIT.failed;
  return result === 'inconclusive' && strict ? EXIT.inconclusive : EXIT.ok;
}

export function compareTwo(baseline: ComparedRun, candidate: ComparedRun, flags: CompareCommandFlags): Comparison {
  const options = compareOptions(flags);
  if (options.method === 'paired') {
    throw new UsageError(
      '--method paired needs both arms in one run, measured in the same rounds (baseline: true); two files are not paired.',
    );
  }
  const differences = refuseUnlike(baseline, candidate, flags.force === true);
  const comparison = compareRuns(baseline, candidate, options, differences);
  if (comparison.rows.length === 0) {
    const trial = ({ name, mode, params }: ComparedRun['arms'][number]) =>
      `${name} [${[mode, ...Object.entries(params).map(([param, value]) => `${param}=${value}`)].join(', ')}]`;
    const names = (run: ComparedRun) => [...new Set(run.arms.map(trial))].slice(0, 5).join(', ') || 'nothing';
    throw new UsageError(
      `${baseline.name} and ${candidate.name} have no trial in common (same file, benchmark, mode and params): there is ${names(baseline)} on one side, ${names(candidate)} on the other.`,
    );
  }
  return comparison;
}

function compareOne(run: ComparedRun, flags: CompareCommandFlags): Comparison {
  const comparison = compareWithin(run, compareOptions(flags));
  if (comparison.rows.length === 0) {
    throw new UsageError(
      `${run.name}: no suite has a baseline and something to compare with it. Mark one benchmark with baseline: true, or give two files.`,
    );
  }
  return comparison;
}

/** The run that was saved under a name; throws UsageError when there is none. */
export function loadBaseline(name: string, cwd: string): ComparedRun {
  const root = keepFolder(cwd);
  if (!isBaselineName(name)) throw new UsageError(`--baseline: "${name}" is not a name (letters, digits, . _ -).`);
  const found = reading(() => readBaseline(root, name));
  if (found.status === 'unknown')
    throw new UsageError(
      `--baseline: no run is saved as "${name}" (no ${found.path}); save one with: tscope run --save-baseline ${name}`,
    );
  if (found.status === 'lost')
    throw new UsageError(
      `--baseline: the run saved as "${name}" is gone (${found.path}); save one again with: tscope run --save-baseline ${name}`,
    );
  return comparedRun(found.result, name);
}

/** The two sides named by flags and files; one side when a single file is given. */
function sides(files: readonly string[], { baseline }: CompareCommandFlags, cwd: string): [ComparedRun, ComparedRun?] {
  if (baseline === undefined) {
    if (files.length === 0)
      throw new UsageError('compare: name two result files, one with baseline: true, or --baseline <name>.');
    return files.map((path) => loadRun(path, cwd)) as [ComparedRun, ComparedRun?];
  }
  if (files.length > 1) throw new UsageError('compare: --baseline stands for the first file; name one file at most.');
  const before = loadBaseline(baseline, cwd);
  if (files.length === 1) return [before, loadRun(files[0]!, cwd)];
  const latest = reading(() => latestRun(keepFolder(cwd)));
  if (latest === null || latest.id === before.id)
    throw new UsageError(
      `compare: no run is newer than the one saved as "${baseline}"; measure one with tscope run, or name a file.`,
    );
  return [before, comparedRun(latest, 'latest run')];
}

/**
 * `tscope compare <baseline> [candidate]`.
 *
 * @returns Exit code.
 * @throws UsageError for files that cannot be read or compared.
 */
export function compareCommand(files: readonly string[], given: unknown, io: Io): number {
  const flags = given as CompareCommandFlags;
  const [first, second] = sides(files, flags, io.cwd);
  const comparison = second === undefined ? compareOne(first, flags) : compareTwo(first, second, flags);
  io.out(
    flags.json ? `${JSON.stringify(comparison, null, 1)}\n` : `${compareLines(comparison, true, io.look).join('\n')}\n`,
  );
  return gateCode(gate(comparison), flags.strict === true);
}
